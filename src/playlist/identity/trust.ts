import { agrees } from './assignment.js';
import type { Pair } from './pairs.js';

const kinds = ['host', 'other-host', 'loose', 'learnt', 'id'] as const;

/** How many matched pairs already bear out that a kind of key tells one channel from another. */
export type Agreed = Readonly<Record<Kind, number>>;

export type Kind = (typeof kinds)[number];
/** Pairs that another key bears out, pairs of which one has its name elsewhere, and those that nothing is known of. */
type Tally = { agreed: number; others: number; contradicted: number };

const { place, weakPlace, name, core, weakId, id, noOtherId } = agrees;

/**
 * Takes the weight from kinds of keys that speak for nothing in these lists, such as numbers that a new provider gave to other
 * channels, or guide ids that count the lines of the list. Returns the kinds that are trusted.
 */
export function distrust(pairs: readonly Pair[], agreed: Agreed): ReadonlySet<Kind> {
  const tallies = count(pairs, agreed);
  const trusted = new Set<Kind>(kinds.filter((kind) => trusts[kind](tallies[kind])));
  for (const pair of pairs) {
    if (pair.place !== null && !trusted.has(pair.place)) pair.evidence &= ~(place | weakPlace);
    if (!trusted.has('id')) pair.evidence = (pair.evidence & ~(id | weakId)) | noOtherId;
  }
  return trusted;
}

function count(pairs: readonly Pair[], agreed: Agreed): Record<Kind, Tally> {
  const named = pairs.filter(({ evidence }) => (evidence & name) !== 0);
  const before = new Set(named.map(({ previous }) => previous));
  const after = new Set(named.map(({ next }) => next));
  const start = (kind: Kind): Tally => ({ agreed: agreed[kind], others: 0, contradicted: 0 });
  const tallies = {
    host: start('host'),
    'other-host': start('other-host'),
    loose: start('loose'),
    learnt: start('learnt'),
    id: start('id'),
  };
  const add = (kind: Kind, pair: Pair, proof: number) => {
    if ((pair.evidence & proof) !== 0) tallies[kind].agreed += 1;
    else if (before.has(pair.previous) || after.has(pair.next)) tallies[kind].contradicted += 1;
    else tallies[kind].others += 1;
  };
  for (const pair of pairs) {
    if (pair.place !== null && (pair.evidence & place) !== 0) add(pair.place, pair, core | weakId);
    if ((pair.evidence & id) !== 0) add('id', pair, core | place);
  }
  return tallies;
}

const isNotRefuted = ({ agreed, contradicted }: Tally) => contradicted < 10 || contradicted <= 4 * agreed;
const isSupported = (tally: Tally) => {
  const all = tally.agreed + tally.others + tally.contradicted;
  return isNotRefuted(tally) && (all < 10 || tally.agreed * 4 >= all);
};

const trusts: Readonly<Record<Kind, (tally: Tally) => boolean>> = {
  host: isNotRefuted,
  'other-host': isSupported,
  loose: isSupported,
  learnt: ({ agreed, others, contradicted }) => agreed >= 3 && agreed >= others + contradicted,
  id: ({ agreed, contradicted }) => contradicted < 5 || contradicted * 5 <= agreed,
};
