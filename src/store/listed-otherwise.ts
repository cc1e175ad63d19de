import type Database from 'better-sqlite3';
import type { Channel } from '../model/channel.js';
import { guideKey } from '../model/guide.js';
import { type GuideIdentity, guideId } from '../model/guide-id.js';
import { publishedGuideIds, shiftedByGuides } from './guide-ids.js';

/** What lists write of some channels instead of what these say themselves, by channel. */
export type Otherwise = ReadonlyMap<number, Partial<Pick<Channel, 'tvgId' | 'guideShift'>>>;

/** What is published, as `published` has it. */
const published = `source s JOIN listing l ON l.snapshot = s.snapshot
  WHERE s.listed = 1 AND l.hidden = 0 AND l.state <> 'left' AND (l.upstream IS NOT NULL OR s.publish_direct)
  AND (l.rank = 0 OR EXISTS (SELECT 1 FROM shown_channel v WHERE v.id = l.channel AND v.entry = l.entry))`;
/** Channels that may show something. */
const guided = 'SELECT channel FROM guide_link UNION SELECT channel FROM guide_choice WHERE placeholder IS NOT NULL';
/**
 * Channels whose id may be that of one that shows something. SQLite folds ASCII alone: of ids with anything else, or with
 * what lists write otherwise, more are looked at than need be.
 */
const rivals = `WITH known AS MATERIALIZED (
    SELECT DISTINCT lower(l.tvg_id) FROM (${guided}) g JOIN listing l ON l.channel = g.channel WHERE l.tvg_id IS NOT NULL
  ) SELECT l.channel, l.tvg_id FROM ${published}
  AND l.tvg_id IS NOT NULL AND (lower(l.tvg_id) IN known OR l.tvg_id GLOB '*[^!$-<>-~]*')`;

/**
 * Ids that the guide of another channel has, and shifts that the guide has in its times already: players would add them a
 * second time. In one transaction with the list. Nothing while no channel has a guide.
 */
export function listedOtherwise(raw: Database.Database): Otherwise {
  const otherwise = new Map<number, { tvgId?: string; guideShift?: null }>();
  if (raw.prepare(`SELECT EXISTS (${guided})`).pluck().get() === 0) return otherwise;
  const channels = sharing(raw);
  const ids = publishedGuideIds(raw, channels);
  for (const channel of channels) {
    const id = ids.get(channel.channel) ?? channel.key;
    if (id !== guideId(channel)) otherwise.set(channel.channel, { tvgId: id });
  }
  for (const channel of shiftedByGuides(raw)) otherwise.set(channel, { ...otherwise.get(channel), guideShift: null });
  return otherwise;
}

/** The channel as lists write it. */
export function asListed(channel: Channel, otherwise: Otherwise): Channel {
  const other = otherwise.get(channel.id);
  return other === undefined ? channel : { ...channel, ...other };
}

/** All that are published with an id that others have too, one of which may show something. */
function sharing(raw: Database.Database): GuideIdentity[] {
  const first = new Map<string, number>();
  const shared = new Set<number>();
  for (const [channel, tvgId] of raw.prepare(rivals).raw().iterate() as IterableIterator<[number, string]>) {
    const key = guideKey(guideId({ tvgId, key: '' }));
    if (key === null) continue;
    const known = first.get(key);
    if (known === undefined) first.set(key, channel);
    else shared.add(known).add(channel);
  }
  const find = raw.prepare(`SELECT l.channel, l.tvg_id, l.guide_shift, (SELECT key FROM channel WHERE id = l.channel)
    FROM ${published} AND l.channel IN (SELECT value FROM json_each(?))`);
  const rows = find.raw().all(JSON.stringify([...shared])) as [number, string, number | null, string][];
  return rows.map(([channel, tvgId, guideShift, key]) => ({ channel, key, tvgId, guideShift }));
}
