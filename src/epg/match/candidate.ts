import type { MatchCandidate, MatchVeto } from '../../model/guide-match.js';
import type { Name } from './name.js';
import { compareNames, type Likeness } from './score.js';
import { type GuideIndex, type Target, withoutFeed } from './targets.js';
import type { Wanted } from './wanted.js';

/** A channel of a guide that may be a wanted one. */
export type Candidate = {
  readonly target: Target;
  readonly score: number;
  readonly isId: boolean;
  /** Whether a name of it is one of the channel's. */
  readonly isNamed: boolean;
  /** Whether it is even written alike, quality and all. */
  readonly isLetterForLetter: boolean;
  readonly vetoes: readonly MatchVeto[];
  readonly reasons: readonly string[];
};

type Pair = Likeness & { readonly ours: Name; readonly theirs: Name };

/** Of a country that one side does not say, and both; and where the guide has stations of that name in several. */
const unknownCountry = 0.1;
const unknownCountries = 0.05;
const severalCountries = 0.2;
/** Of names in different letters, such as ТНТ and TNT. */
const otherLetters = 0.1;
/** Of ids that are the same but for their feeds, such as `X.uk@East` and `X.uk`. */
const otherFeed = 0.1;

/** Words that stand in names of many countries' stations. */
const common = new Set(
  'tv channel kanal canal canale sport sports news kids music movie movies film films cinema info life radio'.split(
    ' ',
  ),
);

/** Looks at a channel of a guide from all sides; null when nothing speaks for it. */
export function lookAt(wanted: Wanted, target: Target, index: GuideIndex, isShared: boolean): Candidate | null {
  const pair = bestPair(wanted.names, target.names, index.weight);
  const isId = !isShared && wanted.key !== null && withoutFeed(wanted.key) === withoutFeed(target.key);
  if (pair === null && !isId) return null;
  const isNamed = pair?.isSame === true && pair.vetoes.length === 0;
  const but = wanted.key === target.key ? '' : ', but for the feed';
  const reasons = isId ? [`Its id is the channel's tvg-id${but}.`] : [];
  if (pair !== null && pair.score > 0) reasons.push(...reasonsOf(pair, wanted, target));
  return {
    target,
    score: isId
      ? 1 - (wanted.key === target.key ? 0 : otherFeed)
      : Math.max(0, (pair?.score ?? 0) - doubtOf(wanted, target, pair, index)),
    isId,
    isNamed,
    isLetterForLetter: pair?.ours.text.trim().toLowerCase() === pair?.theirs.text.trim().toLowerCase(),
    vetoes: vetoesOf(wanted, target, pair, isId),
    reasons,
  };
}

export function shownCandidate({ target, score, reasons, vetoes }: Candidate, guideSource: number): MatchCandidate {
  const { guideId, names } = target.target;
  return { guideSource, guideId, names, score: Math.round(score * 1000) / 1000, reasons, vetoes };
}

/** One without a veto before one with, then the most alike. */
function bestPair(ours: readonly Name[], theirs: readonly Name[], weight: (word: string) => number): Pair | null {
  let best: Pair | null = null;
  for (const our of ours) {
    for (const their of theirs) {
      const pair = { ...compareNames(our, their, weight), ours: our, theirs: their };
      if (best === null || rankOf(pair) > rankOf(best)) best = pair;
    }
  }
  return best;
}

function rankOf({ vetoes, score }: Pair): number {
  return score - vetoes.length;
}

function doubtOf(wanted: Wanted, target: Target, pair: Pair | null, index: GuideIndex): number {
  const letters = pair !== null && pair.ours.isTransliterated !== pair.theirs.isTransliterated ? otherLetters : 0;
  if (wanted.country === null && target.country === null) return letters + unknownCountries;
  if (wanted.country !== null && target.country !== null) return letters;
  const isInternational = wanted.country === null && pair !== null && index.isInternational(pair.theirs);
  return letters + (isInternational ? severalCountries : unknownCountry);
}

function vetoesOf(wanted: Wanted, target: Target, pair: Pair | null, isId: boolean): MatchVeto[] {
  const vetoes = new Set<MatchVeto>();
  // An id speaks against other names, but not where they say of one station that it is another of its channels.
  const isStation = pair?.ours.words.some((word) => pair.theirs.words.includes(word)) === true;
  if (!isId || isStation) for (const veto of pair?.vetoes ?? []) vetoes.add(veto);
  if (!isId && isElsewhere(wanted, target, pair)) vetoes.add('country');
  if (!isId && wanted.radio !== target.names.some(({ radio }) => radio)) vetoes.add('kind');
  if (target.target.near === 0) vetoes.add('empty');
  return [...vetoes];
}

/** A name such as `Sport 1` is of that country only when the channel says so too. */
function isElsewhere({ country }: Wanted, target: Target, pair: Pair | null): boolean {
  if (target.country === null) return false;
  if (country !== null) return country !== target.country;
  return pair?.ours.words.every((word) => common.has(word) || [...word].length < 3) === true;
}

function reasonsOf({ isSame, score, ours, theirs }: Pair, wanted: Wanted, target: Target): string[] {
  const names = isSame
    ? `Its name "${theirs.text}" is the channel's.`
    : `Its name "${theirs.text}" is like "${ours.text}" by ${Math.round(score * 100)} %.`;
  const place = wanted.country !== null && wanted.country === target.country;
  return place ? [names, `Both are of ${wanted.country?.toUpperCase()}.`] : [names];
}
