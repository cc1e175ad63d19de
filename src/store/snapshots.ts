import type { Attribute, SaidEntry } from '../model/entry.js';
import type { Rule } from '../model/rule.js';
import type { Connection } from './connection.js';
import { pageSize, parseSaid } from './pages.js';
import { prune } from './prune.js';
import { ruleOf } from './rule-row.js';
import type { Missing } from './snapshot-writes.js';
import type { Writer } from './writer.js';
import type { Input } from './writes.js';

/** An entry of the snapshot in service. */
export type ServedEntry = { readonly id: number; readonly missing: Missing | null; readonly said: SaidEntry };

/** What imports read and write. */
export interface Snapshots {
  /** Every entry of the snapshot in service, missing ones too, in order; empty before the first. */
  inService(source: number): Promise<ServedEntry[]>;
  /** The body of a kept snapshot of a source, or null when it is not there. */
  bodyOf(source: number, snapshot: number): Promise<KeptBody | null>;
  /** The enabled rules, in their order. */
  rules(): Promise<Rule[]>;
  /** Switches a rule off that cannot be gone on with. */
  switchOff(rule: number, reason: string): Promise<void>;
  /** Starts a snapshot that nobody sees yet; resolves with its id. `catchup` is the setting, as its column has it, that it is listed by. */
  begin(source: number, catchup?: string | null): Promise<number>;
  /** Adds a page; resolves with the ids of its entries, in order. */
  stage(page: Input<'stageEntries'>): Promise<number[]>;
  stageChanges(chunk: Input<'stageChanges'>): Promise<void>;
  /** Gives channels of a snapshot the numbers that rules want them to have. */
  number(numbered: Input<'numberChannels'>): Promise<void>;
  forgetNumbers(lost: Input<'forgetNumbers'>): Promise<void>;
  /** Puts a snapshot in service at once. */
  publish(publication: Input<'publishSnapshot'>): Promise<void>;
  /** Keeps a body that is not trusted; resolves with the id of its snapshot. */
  quarantine(refused: Input<'quarantineBody'>): Promise<number>;
  /** Removes what is out of service and not kept. */
  prune(): Promise<void>;
}

export type KeptBody = {
  readonly body: Buffer | null;
  readonly hash: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly header: readonly Attribute[];
  /** What was counted when it was read, by scheme, kind and code. */
  readonly counts: Record<'skipped' | 'kinds' | 'problems', Readonly<Record<string, number>>>;
};

export function createSnapshots(connection: Connection, writer: Writer): Snapshots {
  const { db } = connection;
  return {
    inService: (source) => Promise.resolve(servedEntries(connection, source)),
    async bodyOf(source, snapshot) {
      const row = await db
        .selectFrom('snapshot')
        .select(['body', 'body_hash', 'etag', 'last_modified', 'header', 'skipped', 'kinds', 'problems'])
        .where('id', '=', snapshot)
        .where('source', '=', source)
        .executeTakeFirst();
      if (row === undefined) return null;
      const header = JSON.parse(row.header) as Attribute[];
      const counted = (text: string) => JSON.parse(text) as Record<string, number>;
      const counts = { skipped: counted(row.skipped), kinds: counted(row.kinds), problems: counted(row.problems) };
      return { body: row.body, hash: row.body_hash, etag: row.etag, lastModified: row.last_modified, header, counts };
    },
    async rules() {
      const rows = await db
        .selectFrom('rule')
        .selectAll()
        .where('enabled', '=', 1)
        .orderBy('position')
        .orderBy('id')
        .execute();
      return rows.map(ruleOf);
    },
    switchOff: (id, reason) => writer.call('switchRuleOff', { id, reason }),
    begin: (source, catchup = null) => writer.call('beginSnapshot', { source, catchup }),
    stage: (page) => writer.call('stageEntries', page),
    stageChanges: (chunk) => writer.call('stageChanges', chunk),
    number: (numbered) => writer.call('numberChannels', numbered),
    forgetNumbers: (lost) => writer.call('forgetNumbers', lost),
    publish: (publication) => writer.call('publishSnapshot', publication),
    quarantine: (refused) => writer.call('quarantineBody', refused),
    prune: () => prune(connection, writer),
  };
}

type MissingRow = {
  readonly position: number;
  readonly state: string;
  readonly since: number;
  readonly refresh: number;
};

function servedEntries({ raw }: Connection, source: number): ServedEntry[] {
  const read = raw.transaction(() => {
    const snapshot = raw.prepare('SELECT snapshot FROM source WHERE id = ?').pluck().get(source);
    const rows = raw.prepare('SELECT position, state, since, refresh FROM missing_entry WHERE snapshot = ?');
    const missing = new Map((rows.all(snapshot) as MissingRow[]).map((row) => [row.position, row]));
    const pages = raw.prepare('SELECT page, entries, said FROM snapshot_page WHERE snapshot = ? ORDER BY page');
    const served: ServedEntry[] = [];
    for (const page of pages.iterate(snapshot) as Iterable<{ page: number; entries: string; said: string }>) {
      const ids = JSON.parse(page.entries) as number[];
      for (const [index, said] of parseSaid(page.said).entries()) {
        const row = missing.get(page.page * pageSize + index);
        served.push({ id: ids[index] ?? 0, missing: row === undefined ? null : missingOf(row), said });
      }
    }
    return served;
  });
  return read();
}

function missingOf({ state, since, refresh }: MissingRow): Missing {
  return { since, refresh, left: state === 'left' };
}
