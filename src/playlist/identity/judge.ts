import { agrees } from './assignment.js';
import type { Census } from './census.js';
import type { Identity } from './entry.js';
import { areSpellings } from './name.js';
import type { Pair } from './pairs.js';
import { findTraded } from './traded.js';

const { weakPlace, place, core, name, weakId, id, group } = agrees;
/** So many of the entries that are left, and this share of them, must be elsewhere by their names before a name alone counts. */
const enough = 5;
const most = 0.6;

/** Decides whether the best pair of two entries is one channel. A pair that is not leaves both entries alone. */
export class Judge {
  private readonly census: Census;
  /** Pairs at one address under new names, most likely channels that were renamed and traded their addresses. */
  private readonly traded: ReadonlySet<Pair>;
  private readonly wholeMoved: boolean;

  constructor(pairs: readonly Pair[], open: readonly Identity[], census: Census) {
    this.census = census;
    this.traded = findTraded(pairs.filter(({ evidence }) => (evidence & ~group) === (place | weakPlace)));
    const named = open.filter((was) => !was.missing && was.name !== '');
    const moved = pairs.filter((pair) => !pair.was.missing && isElsewhere(pair) && this.isNamesake(pair));
    this.wholeMoved = moved.length >= enough && moved.length >= most * named.length;
  }

  isSame(pair: Pair): boolean {
    const { evidence } = pair;
    if ((evidence & place) !== 0) return (evidence & (core | weakId)) !== 0 || this.isRename(pair);
    if ((evidence & name) !== 0) return this.isByName(pair);
    if ((evidence & id) !== 0) return (evidence & weakPlace) !== 0 || this.isById(pair);
    return false;
  }

  /** The address is all that is left, perhaps with the group. */
  private isRename(pair: Pair): boolean {
    const { was, is, evidence } = pair;
    if (this.traded.has(pair)) return false;
    if ((evidence & group) === 0)
      return saysNothing(was) || saysNothing(is) || (was.name === '' && is.name === '' && !idsDiffer(pair));
    return !idsDiffer(pair) || areSpellings(was.title, is.title);
  }

  private isByName(pair: Pair): boolean {
    const { was, is, evidence } = pair;
    if ((evidence & (weakPlace | weakId | group)) === 0) return this.wholeMoved && this.isNamesake(pair);
    return this.census.isOnly(was, is, evidence) || ((evidence & weakPlace) === 0 && this.census.isDealtAnew(was, is));
  }

  /** A guide id under another name at another address. Two qualities of one channel share theirs. */
  private isById({ was, is, evidence }: Pair): boolean {
    if ((evidence & core) !== 0) return this.census.isDealtAnew(was, is);
    return (evidence & group) !== 0 || areSpellings(was.title, is.title);
  }

  /** Whether a pair has a name that no other entry of either list has, and nothing speaks against it. */
  private isNamesake(pair: Pair): boolean {
    const { was, is, evidence } = pair;
    return (evidence & name) !== 0 && !idsDiffer(pair) && this.census.isOnly(was, is, 0);
  }
}

function isElsewhere({ was, is, evidence }: Pair): boolean {
  return (evidence & weakPlace) === 0 && was.group !== is.group;
}

function idsDiffer({ was, is }: Pair): boolean {
  return was.tvgId !== null && is.tvgId !== null && was.tvgId !== is.tvgId;
}

function saysNothing({ name, tvgId, group }: Identity): boolean {
  return name === '' && tvgId === null && group === '';
}
