import { agrees } from './assignment.js';
import type { Census } from './census.js';
import type { Identity } from './entry.js';
import { areSpellings } from './name.js';
import type { Pair } from './pairs.js';
import { findTraded } from './traded.js';
import type { Kind } from './trust.js';

const { weakPlace, place, core, name, weakId, id, group, noOtherId } = agrees;
/** So many of the entries that are left, and this share, must be elsewhere by their names before a name alone counts. */
const enough = 5;
const most = 0.6;

type Known = { readonly census: Census; readonly trusted: ReadonlySet<Kind> };

/** Decides whether the best pair of two entries is one channel. A pair that is not leaves both entries alone. */
export class Judge {
  private readonly census: Census;
  private readonly idsTell: boolean;
  /** Pairs at one address under new names, most likely channels that were renamed and traded their addresses. */
  private readonly traded: ReadonlySet<Pair>;
  private readonly wholeMoved: boolean;
  /** By index: pairs at one address that would be renames. */
  private readonly renames = { previous: new Map<number, Pair>(), next: new Map<number, Pair>() };
  /** Indexes of entries whose name is in the other list. */
  private readonly named = { previous: new Set<number>(), next: new Set<number>() };

  constructor(pairs: readonly Pair[], open: readonly Identity[], { census, trusted }: Known) {
    this.census = census;
    this.idsTell = trusted.has('id');
    this.traded = findTraded(pairs.filter(({ evidence }) => (evidence & (place | core | weakId)) === place));
    const named = open.filter((was) => !was.missing && was.name !== '');
    const moved = pairs.filter((pair) => !pair.was.missing && isElsewhere(pair) && this.isNamesake(pair));
    this.wholeMoved = moved.length >= enough && moved.length >= most * named.length;
    for (const pair of pairs) {
      if ((pair.evidence & name) !== 0) {
        this.named.previous.add(pair.previous);
        this.named.next.add(pair.next);
      } else if ((pair.evidence & place) !== 0 && this.isSame(pair)) {
        this.renames.previous.set(pair.previous, pair);
        this.renames.next.set(pair.next, pair);
      }
    }
  }

  isSame(pair: Pair): boolean {
    const { evidence } = pair;
    if ((evidence & place) !== 0) return (evidence & (core | weakId)) !== 0 || this.isRename(pair);
    if ((evidence & name) !== 0) return this.isByName(pair);
    if ((evidence & id) !== 0) return (evidence & weakPlace) !== 0 || this.isById(pair);
    return false;
  }

  /** The address is all that is left, perhaps with the group: a guide id that came, went or changed is another channel's. */
  private isRename(pair: Pair): boolean {
    const { was, is, evidence } = pair;
    if (this.traded.has(pair)) return false;
    const isOtherId = this.idsTell && was.tvgId !== is.tvgId;
    if ((evidence & group) === 0)
      return saysNothing(was) || saysNothing(is) || (was.name + is.name === '' && !isOtherId);
    return !isOtherId || areSpellings(was.title, is.title);
  }

  private isByName(pair: Pair): boolean {
    const { was, is, evidence } = pair;
    if ((evidence & weakPlace) !== 0) return this.census.isOnly(was, is, evidence);
    if (this.isDoubleRename(pair) || this.isNamesakeOfRenamed(pair)) return false;
    const isVouched = (evidence & (weakId | group)) !== 0 && (evidence & noOtherId) !== 0;
    if (!isVouched) return this.wholeMoved && this.census.isOnly(was, is, evidence);
    return this.census.isOnly(was, is, evidence) || this.census.isDealtAnew(was, is);
  }

  /**
   * Whether an entry seems to have moved to the address of another one, while just as well both stayed and one was given the
   * name that the other one had: nothing is known of what had the one address and has the other.
   */
  private isDoubleRename({ previous, next }: Pair): boolean {
    const other = this.renames.previous.get(previous);
    const before = this.renames.next.get(next);
    if (other === undefined || before === undefined) return false;
    return !(this.named.next.has(other.next) || this.named.previous.has(before.previous));
  }

  /** Whether the address of either entry has, in the other list, a spelling of the name, and was not dealt to another one. */
  private isNamesakeOfRenamed({ previous, next, was, is }: Pair): boolean {
    const others = [this.renames.previous.get(previous), this.renames.next.get(next)];
    const hasSpelling = others.some((other) => other !== undefined && (other.evidence & core) !== 0);
    return hasSpelling && !this.census.isDealtAnew(was, is);
  }

  /** A guide id under another name at another address. Two qualities of one channel share theirs. */
  private isById({ was, is, evidence }: Pair): boolean {
    if ((evidence & core) !== 0) return this.census.isDealtAnew(was, is);
    return (evidence & group) !== 0 || areSpellings(was.title, is.title);
  }

  /** Whether a pair has a name that no other entry of either list has. */
  private isNamesake({ was, is, evidence }: Pair): boolean {
    return (evidence & name) !== 0 && this.census.isOnly(was, is, 0);
  }
}

/** Whether nothing but the name, or at most the group, is the same. */
function isElsewhere({ was, is, evidence }: Pair): boolean {
  return (evidence & weakPlace) === 0 && (was.group !== is.group || (evidence & noOtherId) === 0);
}

function saysNothing({ name: named, tvgId, group: grouped }: Identity): boolean {
  return named === '' && tvgId === null && grouped === '';
}
