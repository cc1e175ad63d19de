import { type Address, nameOf } from './address.js';

/** An address without the parts that change from one fetch of a list to the next. */
export type LooseKey = {
  readonly key: string;
  /** Whether only the lists as a whole show that what is left tells channels apart. */
  readonly isLearnt: boolean;
};

type Sides<T> = { readonly previous: readonly T[]; readonly next: readonly T[] };
type Slots = { readonly shape: string; readonly slots: readonly string[]; readonly hasToken: boolean };
type Account = { readonly kind: string; readonly account: string; readonly id: string };
/** Kinds of paths, such as `live`, in which user and password stand. */
type Kinds = ReadonlySet<string>;

/** Query keys that hold a signature or time as often as they hold a channel. */
const doubtful = /^(?:key|st|ts|e|t|s|h|k|r|uid|uuid|c)$/i;
/** The last part of a path that every channel of a server has. */
const common = /^(?:index|playlist|master|mono|video|chunklist|manifest|mpegts|stream|live|play)$/i;
const extension = /\.(?:m3u8?|ts|mpd|mpegts|flv|mp4|mkv|php)$/i;
/** `/user/password/7`, `/live/user/password/7.ts`, `/movie/user/password/7.mkv`: Xtream Codes. */
const xtream = /^\/(?:(live|movie|series)\/)?([^/]+\/[^/]+)\/(\d+)(?:\.\w+)?$/;
/** A number, with a short word before it at most: the id of a channel rather than the version of an interface. */
const idLike = /^(?!v\d$)\D{0,12}\d+$/i;
/** Fewer addresses of a shape say nothing of what changes in all of them. */
const enough = 10;

/** Keys of the addresses of two lists, by index; null where nothing is left that could tell one from another. */
export function looseKeys({ previous, next }: Sides<Address>): Sides<LooseKey | null> {
  const accounts = { previous: previous.map(readAccount), next: next.map(readAccount) };
  const [before, after] = [kindsOf(accounts.previous), kindsOf(accounts.next)];
  const read = (address: Address, account: Account | null | undefined) =>
    account && before.has(account.kind) && after.has(account.kind) ? slotsOfAccount(account) : readSlots(address);
  const slots = {
    previous: previous.map((address, index) => read(address, accounts.previous[index])),
    next: next.map((address, index) => read(address, accounts.next[index])),
  };
  const kept = findKept(slots);
  const keyOf = (one: Slots | null) => (one === null ? null : joinSlots(one, kept.get(one.shape)));
  return { previous: slots.previous.map(keyOf), next: slots.next.map(keyOf) };
}

function readAccount({ path }: Address): Account | null {
  const match = xtream.exec(path);
  if (match === null) return null;
  const [, kind = '', account = '', id = ''] = match;
  return { kind, account, id };
}

/** User and password are the same for much of a list; where they are not, they are something else. */
function kindsOf(found: readonly (Account | null)[]): Kinds {
  const unfit = new Set<string>();
  for (const wanted of ['', 'live', 'movie', 'series']) {
    const accounts = found.filter((account) => account?.kind === wanted);
    if (new Set(accounts.map((account) => account?.account)).size > Math.max(1, accounts.length / 3)) unfit.add(wanted);
  }
  return new Set(['', 'live', 'movie', 'series'].filter((kind) => !unfit.has(kind)));
}

function slotsOfAccount({ kind, id }: Account): Slots {
  return { shape: `xtream ${kind || 'live'}`, slots: [id], hasToken: false };
}

function readSlots({ path, query }: Address): Slots | null {
  if (path.startsWith('@')) return null;
  const slots = path.split('/');
  const last = slots.pop()?.replace(extension, '') ?? '';
  if (slots.length < 2 || !common.test(last)) slots.push(last);
  let shape = `${slots.length}`;
  let hasToken = false;
  for (const field of query) {
    const key = nameOf(field);
    if (doubtful.test(key)) hasToken = true;
    else {
      shape += `&${key}`;
      slots.push(field.slice(key.length + 1));
    }
  }
  for (const [at, value] of slots.entries()) {
    if (!isToken(value)) continue;
    slots[at] = '*';
    hasToken = true;
  }
  return { shape, slots, hasToken };
}

/** Long, and made by chance: a hash, a UUID, base64. A long number is an id, as in the paths of RTSP servers. */
function isToken(value: string): boolean {
  if (value.length < 16 || !/\d/.test(value) || /^[\d.]+$/.test(value)) return false;
  if (/^[\da-f-]{16,}$/i.test(value)) return true;
  return value.length >= 20 && /^[\w.~%=+-]+$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value);
}

/** By shape, what is left of addresses: the slots but for those of which next to no value is in both lists. */
function findKept({ previous, next }: Sides<Slots | null>): Map<string, readonly number[]> {
  const before = groupByShape(previous);
  const kept = new Map<string, readonly number[]>();
  for (const [shape, after] of groupByShape(next)) {
    const was = before.get(shape) ?? [];
    const [first] = after;
    if (first === undefined || Math.min(was.length, after.length) < enough) continue;
    let tells = false;
    const found = [...first.keys()].filter((slot) => {
      const values = new Set(was.map((slots) => slots[slot]));
      const isKept = after.filter((slots) => values.has(slots[slot])).length * 50 > after.length;
      tells ||= isKept && values.size > 1;
      return isKept;
    });
    kept.set(shape, tells ? found : []);
  }
  return kept;
}

function groupByShape(all: readonly (Slots | null)[]): Map<string, (readonly string[])[]> {
  const groups = new Map<string, (readonly string[])[]>();
  for (const one of all) {
    if (one === null) continue;
    const group = groups.get(one.shape);
    if (group === undefined) groups.set(one.shape, [one.slots]);
    else group.push(one.slots);
  }
  return groups;
}

function joinSlots({ shape, slots, hasToken }: Slots, kept: readonly number[] | undefined): LooseKey | null {
  const values = kept === undefined || kept.length === slots.length ? slots : kept.map((slot) => slots[slot] ?? '');
  if (values.every((value) => value === '*' || value === '')) return null;
  const isLearnt = values.length < slots.length || (hasToken && !values.some((value) => idLike.test(value)));
  return { key: `${shape} ${values.join('/')}`, isLearnt };
}
