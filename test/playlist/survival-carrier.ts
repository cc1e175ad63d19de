import { type Identity, identityOf, matchEntries } from '../../src/playlist/identity.js';
import { linesOf, type Provider } from '../support/provider.js';

/** Where the edits are. */
export type Tally = {
  /** On their channel, which is in the list. */
  kept: number;
  /** On a channel that is not in the list any more, until it comes back. */
  waiting: number;
  /** Their channel is in the list as a new one. */
  lost: number;
  /** On another channel. */
  wrong: number;
};

type Row = { readonly entry: number; readonly truth: number; readonly identity: Identity };

/** The entries of a list as they are carried from one refresh to the next: those in the list, then those missing from it. */
export class Carrier {
  private rows: readonly Row[] = [];
  private unused = 0;
  /** By entry: the channel that was edited. */
  private readonly edited = new Map<number, number>();

  refresh(provider: Provider): void {
    const lines = linesOf(provider);
    const next = lines.map((line) => identityOf(line));
    const { continues } = matchEntries(
      this.rows.map(({ identity }) => identity),
      next,
    );
    const kept = new Set(continues);
    const present = lines.flatMap(({ truth }, index): Row[] => {
      const identity = next[index];
      if (identity === undefined) return [];
      const entry = this.rows[continues[index] ?? -1]?.entry ?? this.unused++;
      return [{ entry, truth, identity }];
    });
    const gone = this.rows.filter((_, index) => !kept.has(index));
    const missing = gone.map(({ entry, truth, identity: { url, title: name, tvgId, group } }) => ({
      entry,
      truth,
      identity: identityOf({ url, name, tvgId, groups: [group], missing: true }),
    }));
    this.rows = [...present, ...missing];
  }

  edit(count: number, random: () => number): void {
    const picked = this.rows.map((row) => ({ row, key: random() })).sort((a, b) => a.key - b.key);
    for (const { row } of picked.slice(0, count)) this.edited.set(row.entry, row.truth);
  }

  tally({ channels }: Provider): Tally {
    const tally = { kept: 0, waiting: 0, lost: 0, wrong: 0 };
    const listed = new Set(channels.map(({ truth }) => truth));
    for (const { entry, truth, identity } of this.rows) {
      const meant = this.edited.get(entry);
      if (meant === undefined) continue;
      if (truth !== meant) tally.wrong += 1;
      else if (!identity.missing) tally.kept += 1;
      else if (listed.has(truth)) tally.lost += 1;
      else tally.waiting += 1;
    }
    return tally;
  }
}
