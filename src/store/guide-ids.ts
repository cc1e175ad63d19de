import type Database from 'better-sqlite3';
import { type GuideIdentity, guideIds } from '../model/guide-id.js';
import { linkOrder } from './guide-link-row.js';

/** Links of channels that may have a guide, to guides that are not removed. */
const standing = `guide_link l JOIN guide_source s ON s.id = l.guide_source AND s.removed = 0
  LEFT JOIN guide_choice g ON g.channel = l.channel`;
const mayHave = "coalesce(g.mode, 'auto') <> 'none'";

/** The ids of all that is published, in lists and in the guide, by channel. In one transaction with what they are used for. */
export function publishedGuideIds(raw: Database.Database, channels: Iterable<GuideIdentity>): Map<number, string> {
  return guideIds(channels, (shared) => shows(raw, JSON.stringify(shared)));
}

/** Channels whose shift the times of the guide have already: those that have one and are linked, published or not. */
export function shiftedByGuides(raw: Database.Database): number[] {
  const find = raw.prepare(`SELECT DISTINCT l.channel FROM ${standing}
    WHERE ${mayHave} AND EXISTS (SELECT 1 FROM listing p WHERE p.channel = l.channel AND p.guide_shift <> 0)`);
  return find.pluck().all() as number[];
}

function shows(raw: Database.Database, channels: string): Map<number, string> {
  const chosen = "channel IN (SELECT value FROM json_each(?)) AND mode <> 'none' AND placeholder IS NOT NULL";
  const fillers = raw.prepare(`SELECT channel, placeholder FROM guide_choice WHERE ${chosen}`);
  const links = raw.prepare(`SELECT l.channel, l.guide_source || ' ' || l.shift || ' ' || l.guide_key FROM ${standing}
    WHERE l.channel IN (SELECT value FROM json_each(?)) AND ${mayHave} ORDER BY l.channel, ${linkOrder}`);
  const shown = new Map<number, string>();
  for (const find of [links, fillers]) {
    for (const [channel, text] of find.raw().all(channels) as [number, string][]) {
      shown.set(channel, `${shown.get(channel) ?? ''}${text}\n`);
    }
  }
  return shown;
}
