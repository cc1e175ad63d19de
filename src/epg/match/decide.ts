import type { MatchChannel, Matched } from '../../model/guide-match.js';
import type { NewAutoLink, ReviewRow } from '../../store/guide-house.js';
import type { KeyedLink, Standing } from './links.js';
import { match, policy } from './match.js';
import type { GuideIndex } from './targets.js';
import { readWanted } from './wanted.js';

/** What becomes of one channel. */
export type Decision = {
  /** Links that are new or said in another way. */
  readonly auto: readonly NewAutoLink[];
  /** Ids of links that do not hold any more. */
  readonly drop: readonly number[];
  /** To how many guide channels it is linked that it was not linked to, and that it was. */
  readonly accepted: number;
  readonly kept: number;
  /** For a person to look at; null when it is linked, or nothing is like it. */
  readonly review: ReviewRow | null;
};

type Found = { readonly index: GuideIndex; readonly link: KeyedLink | null; readonly matched: Matched };

/** Compares a channel with every guide. `shared` are ids that stand at too many channels. */
export function decide(
  channel: MatchChannel,
  indexes: readonly GuideIndex[],
  standing: Standing,
  shared: ReadonlySet<string>,
): Decision {
  const wanted = readWanted(channel);
  const isShared = wanted.key !== null && shared.has(wanted.key);
  const found = indexes.map((index): Found => {
    const link = standing.link(channel.channel, index.guideSource);
    // What a user linked is no business of the matcher.
    if (link !== null && (link.origin === 'user' || link.locked)) return { index, link, matched: { state: 'none' } };
    const rejected = standing.rejected(channel.channel, index.guideSource);
    return { index, link, matched: match(wanted, index, { policy, rejected, isShared }) };
  });
  const auto = found.flatMap(({ matched, link }) => newLink(channel.channel, matched, link));
  const accepted = found.filter(
    ({ matched, link }) => idOf(matched) !== null && idOf(matched) !== link?.guideId,
  ).length;
  const kept = found.filter((one) => idOf(one.matched) === (one.link?.guideId ?? '') || stays(one)).length;
  const drop = found.flatMap((one) =>
    one.link === null || one.matched.state === 'accepted' || stays(one) ? [] : [one.link.id],
  );
  const review = accepted + kept > 0 ? null : reviewOf(channel.channel, found);
  return { auto, drop, accepted, kept, review };
}

function idOf(matched: Matched): string | null {
  return matched.state === 'accepted' ? matched.candidate.guideId : null;
}

/** Nothing where it stands already, word for word: a hundred thousand links are not written with each run. */
function newLink(channel: number, matched: Matched, link: KeyedLink | null): NewAutoLink[] {
  if (matched.state !== 'accepted') return [];
  const { guideSource, guideId, names, score, reasons } = matched.candidate;
  const isSame =
    link !== null &&
    link.guideId === guideId &&
    link.score === score &&
    isSameList(link.reasons, reasons) &&
    isSameList(link.names, names);
  return isSame ? [] : [{ channel, guideSource, guideId, score, reasons, names }];
}

/** A guide that is empty for a day, or lacks a channel, loses no link; nor does one that another has come near to. */
function stays({ link, matched, index }: Found): boolean {
  if (link === null || matched.state === 'accepted') return false;
  if (link.origin === 'user' || link.locked) return true;
  const target = index.byKey.get(link.guideKey);
  if (target === undefined || target.target.near === 0) return true;
  return (
    matched.state === 'review' &&
    matched.candidates.some(
      ({ guideId, score, vetoes }) =>
        guideId === target.target.guideId && vetoes.length === 0 && score >= policy.accept,
    )
  );
}

/** The candidates of all guides, the best first; why is what the guide of the best one says. */
function reviewOf(channel: number, found: readonly Found[]): ReviewRow | null {
  const reviews = found.flatMap(({ matched }) => (matched.state === 'review' ? [matched] : []));
  const [first] = reviews.toSorted((a, b) => (b.candidates[0]?.score ?? 0) - (a.candidates[0]?.score ?? 0));
  if (first === undefined) return null;
  const candidates = reviews.flatMap((one) => one.candidates).toSorted((a, b) => b.score - a.score);
  return { channel, why: first.why, candidates: candidates.slice(0, policy.shown) };
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}
