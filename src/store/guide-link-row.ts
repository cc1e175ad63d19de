import type { Selectable } from 'kysely';
import type { GuideLink } from '../model/guide.js';
import type { GuideTables } from './tables-guide.js';

export type GuideLinkRow = Selectable<GuideTables['guide_link']>;

/** `rank` of links that no user put in order: they follow the order of the guide sources. */
export const unranked = 1000;

/** The best link of a channel first; `l` is the link, `s` its guide source. */
export const linkOrder = "l.rank, s.position, s.origin <> 'given', s.id, l.id";

/** `rank` is its place among the links of its channel. */
export function guideLinkOf(row: GuideLinkRow, rank: number): GuideLink & { readonly guideKey: string } {
  return {
    id: row.id,
    channel: row.channel,
    guideSource: row.guide_source,
    guideId: row.guide_id,
    guideKey: row.guide_key,
    rank,
    shift: row.shift,
    origin: row.origin,
    locked: row.locked === 1,
    score: row.score,
    reasons: JSON.parse(row.reasons) as string[],
    names: JSON.parse(row.names) as string[],
    verifiedAt: row.verified_at,
  };
}

/** The link as it is shown: what it is compared by is no business of others. */
export function shownLink({ guideKey: _key, ...link }: GuideLink & { readonly guideKey: string }): GuideLink {
  return link;
}
