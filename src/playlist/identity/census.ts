import { type Assignment, agrees, type Leftover } from './assignment.js';
import type { Identity } from './entry.js';
import type { LooseKey } from './loose.js';

type Index = ReadonlyMap<string, readonly Identity[]>;
type Sides<T> = { readonly previous: T; readonly next: T };
type Read = (identity: Identity, index: number) => string | null;

const nameOf: Read = ({ name }) => (name === '' ? null : name);
const idOf: Read = ({ tvgId }) => tvgId;
const placeOf: Read = ({ place }) => place;

/** Who else has the names, ids and addresses of the entries that are left, among all entries of both lists. */
export class Census {
  readonly names: Sides<Index>;
  private readonly ids: Sides<Index>;
  private readonly places: Sides<Index>;
  private readonly loose: Sides<Index>;
  private readonly known = new Map<Sides<Index>, Map<string, boolean>>();
  private dealt: Sides<ReadonlySet<string>> | null = null;
  private readonly all: Sides<readonly Identity[]>;

  constructor({ previous, next }: Assignment, leftover: Leftover, loose: Sides<readonly (LooseKey | null)[]>) {
    const left = pick(previous, leftover.previous);
    this.all = { previous, next };
    const index = (read: Read): Sides<Index> => {
      const wanted = new Set(left.map(read));
      return { previous: indexOf(previous, read, wanted), next: indexOf(next, read, wanted) };
    };
    this.names = index(nameOf);
    this.ids = index(idOf);
    this.places = index(placeOf);
    const byKey = (all: readonly Identity[], keys: readonly (LooseKey | null)[]) =>
      indexOf(all, (_, at) => keys[at]?.key ?? null, null);
    this.loose = { previous: byKey(previous, loose.previous), next: byKey(next, loose.next) };
  }

  /** Whether a guide id stands for one name in each list. */
  tellsById(was: Identity): boolean {
    return was.tvgId !== null && this.tells(this.ids, was.tvgId, was.missing);
  }

  tellsByPlace(was: Identity): boolean {
    return this.tells(this.places, was.place, was.missing);
  }

  tellsByLoosePlace(was: Identity, key: string): boolean {
    return this.tells(this.loose, key, was.missing);
  }

  /** Whether no other entry of either list has the same name together with what else the pair agrees in. */
  isOnly(was: Identity, is: Identity, evidence: number): boolean {
    const isRival = (one: Identity, other: Identity) =>
      ((evidence & agrees.weakId) === 0 || one.tvgId === other.tvgId) &&
      ((evidence & agrees.group) === 0 || one.group === other.group) &&
      ((evidence & agrees.weakPlace) === 0 || one.place === other.place);
    const before = this.names.previous.get(was.name) ?? [];
    const after = this.names.next.get(is.name) ?? [];
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

  private tells(index: Sides<Index>, key: string, missing: boolean): boolean {
    const known = this.known.get(index) ?? new Map<string, boolean>();
    this.known.set(index, known);
    const question = `${missing} ${key}`;
    const before = known.has(question) ? [] : (index.previous.get(key) ?? []);
    const answer =
      known.get(question) ??
      (haveOneName(before.filter((one) => missing || !one.missing)) && haveOneName(index.next.get(key) ?? []));
    known.set(question, answer);
    return answer;
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
