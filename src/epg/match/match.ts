import type { MatchCandidate, Matched, MatchPolicy } from '../../model/guide-match.js';
import { type Candidate, lookAt, shownCandidate } from './candidate.js';
import { type GuideIndex, type Target, withoutFeed } from './targets.js';
import type { Wanted } from './wanted.js';

export const policy: MatchPolicy = { accept: 0.82, margin: 0.08, review: 0.5, shown: 5 };

export type MatchOptions = {
  readonly policy: MatchPolicy;
  /** Keys of channels of the guide that a user said no to for this channel. */
  readonly rejected: ReadonlySet<string>;
  /** Whether its tvg-id stands at many others too. */
  readonly isShared: boolean;
};

/** Channels of a guide that are looked at for a channel that none has the name of, from those with its rarest word on. */
const mostLookedAt = 200;

/**
 * Finds the channel of a guide that a channel is: by its id, by its names, by names that are alike. Numbers, a shift, the
 * feed, the country, radio, a guide that is empty, and a user's no speak against it, whatever speaks for it. It is accepted
 * when enough speaks for it and no other comes near. The same channel and guide give the same answer, in any order.
 */
export function match(wanted: Wanted, index: GuideIndex, options: MatchOptions): Matched {
  const looked = candidatesFor(wanted, index, options)
    .filter(({ score }) => score >= options.policy.review)
    .sort(byRank);
  const clean = looked.filter(({ vetoes }) => vetoes.length === 0);
  const best = clean[0];
  if (best === undefined) return vetoed(looked, index, options.policy);
  const rival = clean.find((other) => !isOneChannel(best.target, other.target));
  const margin = best.score - (rival?.score ?? 0);
  const candidate = shownCandidate(best, index.guideSource);
  const contradicts = best.isId && !best.isNamed && rival?.isNamed === true;
  if (best.score >= options.policy.accept && margin >= options.policy.margin && !contradicts)
    return { state: 'accepted', candidate, margin };
  const why = best.score >= options.policy.accept ? 'ambiguous' : 'unsure';
  return { state: 'review', why, candidates: shown(clean, index, options.policy) };
}

/** What only an empty guide or a country speaks against is worth a look, and what has the channel's id. */
function vetoed(looked: readonly Candidate[], index: GuideIndex, policy: MatchPolicy): Matched {
  const worth = looked.filter(
    ({ isId, vetoes }) => isId || vetoes.every((veto) => veto === 'empty' || veto === 'country'),
  );
  if (worth.length === 0) return { state: 'none' };
  return { state: 'review', why: 'vetoed', candidates: shown(worth, index, policy) };
}

function shown(candidates: readonly Candidate[], index: GuideIndex, { shown: most }: MatchPolicy): MatchCandidate[] {
  return candidates.slice(0, most).map((candidate) => shownCandidate(candidate, index.guideSource));
}

/** Where one has the channel's name, others that are alike are not looked at. */
function candidatesFor(wanted: Wanted, index: GuideIndex, { rejected, isShared }: MatchOptions): Candidate[] {
  const lookAll = (targets: Iterable<Target>) =>
    [...targets]
      .filter(({ key }) => !rejected.has(key))
      .flatMap((target) => lookAt(wanted, target, index, isShared) ?? []);
  const sure = sureTargets(wanted, index);
  const candidates = lookAll(sure);
  if (candidates.some(({ isNamed, vetoes }) => isNamed && vetoes.length === 0)) return candidates;
  return [...candidates, ...lookAll(targetsAlike(wanted, index)).filter(({ target }) => !sure.has(target))];
}

/** Those with its id or one of its names. */
function sureTargets({ key, names }: Wanted, { byStem, byBare }: GuideIndex): Set<Target> {
  const byId = key === null ? [] : (byStem.get(withoutFeed(key)) ?? []);
  return new Set([...byId, ...names.flatMap(({ bare }) => byBare.get(bare) ?? [])]);
}

/** Those that share a word and all numbers with it. */
function targetsAlike({ names }: Wanted, index: GuideIndex): Set<Target> {
  const found = new Set<Target>();
  for (const name of names) {
    for (const word of name.words.toSorted((a, b) => index.weight(b) - index.weight(a) || (a < b ? -1 : 1))) {
      for (const target of index.withWord(word, name)) {
        if (found.size === mostLookedAt) return found;
        found.add(target);
      }
    }
  }
  return found;
}

/** Guides list a channel once for each of its qualities: which of them is taken makes no difference. */
function isOneChannel(one: Target, other: Target): boolean {
  const isOnePlace = one.country === null || other.country === null || one.country === other.country;
  const bares = new Set(one.names.map(({ bare }) => bare));
  return isOnePlace && other.names.some(({ bare }) => bare !== '' && bares.has(bare));
}

function byRank(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    Number(b.isLetterForLetter) - Number(a.isLetterForLetter) ||
    (a.target.key < b.target.key ? -1 : 1)
  );
}
