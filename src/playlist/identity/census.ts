import { type Assignment, agrees, type Leftover } from './assignment.js';
import type { Identity } from './entry.js';
import type { LooseKey } from './loose.js';

type Index = ReadonlyMap<string, readonly Identity[]>;
type Sides<T> = { readonly previous: T; readonly next: T };
type Read = (identity: Identity, index: number) => string | null;

type Kind = 'name' | 'id' | 'place' | 'loose';

const reads: Readonly<Record<Exclude<Kind, 'loose'>, Read>> = {
  name: ({ name }) => (name === '' ? null : name),
  id: ({ tvgId }) => tvgId,
  place: ({ place }) => place,
};

/** Who else has the names, ids and addresses of the entries that are left, among all entries of both lists. Counted on demand. */
export class Census {
  private readonly all: Sides<readonly Identity[]>;
  private readonly left: readonly Identity[];
  private readonly looseKeys: Sides<readonly (LooseKey | null)[]>;
  private readonly known = new Map<string, boolean>();
  private readonly indexes = new Map<string, Sides<Index>>();
  private dealt: Sides<ReadonlySet<string>> | null = null;

  constructor({ previous, next }: Assignment, leftover: Leftover, loose: Sides<readonly (LooseKey | null)[]>) {
    this.all = { previous, next };
    this.left = pick(previous, leftover.previous);
    this.looseKeys = loose;
  }

  /** The only entry of the next list with the name, which only one of the previous list has. */
  namesakeOf({ name }: Identity): Identity | undefined {
    const { previous, next } = this.index('name');
    if (name === '' || previous.get(name)?.length !== 1) return undefined;
    const found = next.get(name) ?? [];
    return found.length === 1 ? found[0] : undefined;
  }

  /** Whether a guide id stands for one name in each list. */
  tellsById(was: Identity): boolean {
    return was.tvgId !== null && this.tells('id', was.tvgId, was.missing);
  }

  tellsByPlace(was: Identity): boolean {
    return this.tells('place', was.place, was.missing);
  }

  tellsByLoosePlace(was: Identity, key: string): boolean {
    return this.tells('loose', key, was.missing);
  }

  /** Whether no other entry of either list has the same name together with what else the pair agrees in. */
  isOnly(was: Identity, is: Identity, evidence: number): boolean {
    const isRival = (one: Identity, other: Identity) =>
      ((evidence & agrees.weakId) === 0 || one.tvgId === other.tvgId) &&
      ((evidence & agrees.group) === 0 || one.group === other.group) &&
      ((evidence & agrees.weakPlace) === 0 || one.place === other.place);
    const names = this.index('name');
    const before = names.previous.get(was.name) ?? [];
    const after = names.next.get(is.name) ?? [];
    const rivals = before.filter((one) => isRival(one, was) && (was.missing || !one.missing));
    return rivals.length === 1 && after.filter((one) => isRival(one, is)).length === 1;
  }

  /** Whether both addresses are in both lists: then addresses were dealt anew, and none came or went. */
  isDealtAnew(was: Identity, is: Identity): boolean {
    this.dealt ??= {
      previous: new Set(this.all.previous.filter(({ missing }) => !missing).map(({ place }) => place)),
      next: new Set(this.all.next.map(({ place }) => place)),
    };
    return was.place !== is.place && this.dealt.next.has(was.place) && this.dealt.previous.has(is.place);
  }

  private tells(kind: Kind, key: string, missing: boolean): boolean {
    const question = `${kind} ${missing} ${key}`;
    const known = this.known.get(question);
    if (known !== undefined) return known;
    const { previous, next } = this.index(kind);
    const before = (previous.get(key) ?? []).filter((one) => missing || !one.missing);
    const answer = haveOneName(before) && haveOneName(next.get(key) ?? []);
    this.known.set(question, answer);
    return answer;
  }

  private index(kind: Kind): Sides<Index> {
    const made = this.indexes.get(kind) ?? (kind === 'loose' ? this.indexLoose() : this.indexBy(reads[kind]));
    this.indexes.set(kind, made);
    return made;
  }

  private indexBy(read: Read): Sides<Index> {
    const wanted = new Set(this.left.map(read));
    return { previous: indexOf(this.all.previous, read, wanted), next: indexOf(this.all.next, read, wanted) };
  }

  private indexLoose(): Sides<Index> {
    const { previous, next } = this.looseKeys;
    return {
      previous: indexOf(this.all.previous, (_, at) => previous[at]?.key ?? null, null),
      next: indexOf(this.all.next, (_, at) => next[at]?.key ?? null, null),
    };
  }
}

export function pick<T>(all: readonly T[], indexes: readonly number[]): T[] {
  return indexes.map((index) => all[index]).filter((one) => one !== undefined);
}

/** An entry without a name may be any. */
function haveOneName(entries: readonly Identity[]): boolean {
  const [first] = entries;
  return entries.length < 2 || (first?.name !== '' && entries.every(({ name }) => name === first?.name));
}

function indexOf(all: readonly Identity[], read: Read, wanted: ReadonlySet<string | null> | null): Index {
  const index = new Map<string, Identity[]>();
  for (const [at, identity] of all.entries()) {
    const key = read(identity, at);
    if (key === null || !(wanted === null || wanted.has(key))) continue;
    const found = index.get(key);
    if (found === undefined) index.set(key, [identity]);
    else found.push(identity);
  }
  return index;
}
