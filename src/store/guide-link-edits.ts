import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import type { By, Edited } from '../model/edit.js';
import { linkKey } from '../model/guide.js';
import { named, requireChannels } from './channel-ids.js';
import type { Connection } from './connection.js';
import type { ChannelGuidePatch, WishedLink } from './guide-house.js';
import { choiceOf, guideEtag } from './guide-link-reads.js';
import { type GuideLinkRow, unranked } from './guide-link-row.js';
import { dropCandidates } from './guide-review.js';
import { type Journal, record } from './journal.js';

type Input = { readonly channel: number; readonly patch: ChannelGuidePatch; readonly by: By };

export const guideLinkEdits = {
  setChannelGuide({ raw }: Connection, { channel, patch, by }: Input): Edited {
    const run = raw.transaction(() => {
      requireChannels(raw, [channel]);
      if (by.ifMatch !== undefined && by.ifMatch !== guideEtag(raw, channel)) {
        const what = `The guide of channel ${channel}`;
        throw new WeirError(
          'precondition-failed',
          `${what} was changed by somebody else since it was read. Read it again.`,
        );
      }
      const ranked = (patch.links ?? []).map((link, rank) => ({ ...link, rank }));
      checkLinks(raw, ranked);
      return record(raw, by.actor, `set the guide of ${named(raw, [channel])}`, (journal) => {
        const mode = patch.mode ?? (patch.links === null ? 'auto' : choiceOf(raw, channel).mode);
        choose(raw, journal, channel, { ...patch, mode });
        if (patch.links !== undefined) putLinks(raw, journal, channel, ranked);
        if (mode !== 'auto') leaveToUser(raw, journal, channel);
      });
    });
    return run.immediate();
  },
};

/** With the place among the user's own links. */
export type RankedLink = WishedLink & { readonly rank: number };

/** Makes the user's links of a channel exactly these; of their guide sources no automatic one is left. */
export function putLinks(
  raw: Database.Database,
  journal: Journal,
  channel: number,
  links: readonly RankedLink[],
): void {
  const standing = linksOf(raw, channel);
  journal.touch('guide_link', keysOf(standing));
  const wished = new Map(links.map((link) => [keyOf(link.guideSource, linkKey(link.guideId)), link]));
  const sources = new Set(links.map(({ guideSource }) => guideSource));
  const gone = standing.filter((row) => {
    const isWished = wished.has(keyOf(row.guide_source, row.guide_key));
    return !isWished && (row.origin === 'user' || sources.has(row.guide_source));
  });
  deleteLinks(raw, gone);
  for (const [key, link] of wished) {
    const row = standing.find((one) => keyOf(one.guide_source, one.guide_key) === key);
    if (row === undefined) insertLink(raw, journal, channel, link);
    else updateLink(raw, row, link);
    acceptAgain(raw, journal, channel, link);
    dropCandidates(raw, channel, ({ guideSource }) => guideSource === link.guideSource);
  }
}

/** The user's own links as they stand, without their places among the automatic ones. */
export function ownLinks(raw: Database.Database, channel: number): RankedLink[] {
  const own = linksOf(raw, channel).filter(({ origin }) => origin === 'user');
  return own.map(({ guide_source: guideSource, guide_id: guideId, shift, rank }) => ({
    guideSource,
    guideId,
    shift,
    rank,
  }));
}

function linksOf(raw: Database.Database, channel: number): GuideLinkRow[] {
  return raw.prepare('SELECT * FROM guide_link WHERE channel = ? ORDER BY rank, id').all(channel) as GuideLinkRow[];
}

function keysOf(rows: readonly GuideLinkRow[]): (readonly [id: number])[] {
  return rows.map(({ id }) => [id]);
}

function keyOf(source: number, key: string): string {
  return `${source} ${key}`;
}

function deleteLinks(raw: Database.Database, rows: readonly GuideLinkRow[]): void {
  const ids = JSON.stringify(rows.map(({ id }) => id));
  raw.prepare('DELETE FROM guide_link WHERE id IN (SELECT value FROM json_each(?))').run(ids);
}

function insertLink(raw: Database.Database, journal: Journal, channel: number, link: RankedLink): void {
  const { guideSource, guideId, rank, shift = 0, names = [] } = link;
  const add = raw.prepare(`INSERT INTO guide_link
    (channel, guide_source, guide_id, guide_key, rank, shift, origin, locked, names)
    VALUES (?, ?, ?, ?, ?, ?, 'user', 1, ?)`);
  const values = [channel, guideSource, guideId, linkKey(guideId), rank, shift, JSON.stringify(names)];
  journal.made('guide_link', [Number(add.run(...values).lastInsertRowid)]);
}

/** What the matcher found becomes the user's. */
function updateLink(raw: Database.Database, row: GuideLinkRow, { guideId, rank, shift, names }: RankedLink): void {
  const set = raw.prepare(`UPDATE guide_link
    SET guide_id = ?, rank = ?, shift = ?, origin = 'user', locked = 1, score = NULL, reasons = '[]', names = ?
    WHERE id = ?`);
  set.run(guideId, rank, shift ?? 0, names === undefined ? row.names : JSON.stringify(names), row.id);
}

/** What is linked by a user was not meant to be rejected. */
function acceptAgain(raw: Database.Database, journal: Journal, channel: number, link: RankedLink): void {
  const find = raw.prepare('SELECT id FROM guide_rejection WHERE channel = ? AND guide_source = ? AND guide_key = ?');
  const id = find.pluck().get(channel, link.guideSource, linkKey(link.guideId)) as number | undefined;
  if (id === undefined) return;
  journal.touch('guide_rejection', [[id]]);
  raw.prepare('DELETE FROM guide_rejection WHERE id = ?').run(id);
}

function choose(raw: Database.Database, journal: Journal, channel: number, patch: ChannelGuidePatch): void {
  const { mode, placeholder } = { ...choiceOf(raw, channel), ...patch };
  journal.touch('guide_choice', [[channel]]);
  if (mode === 'auto' && placeholder === null) {
    raw.prepare('DELETE FROM guide_choice WHERE channel = ?').run(channel);
    return;
  }
  const put = raw.prepare(`INSERT INTO guide_choice (channel, mode, placeholder) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET mode = excluded.mode, placeholder = excluded.placeholder`);
  put.run(channel, mode, placeholder === null ? null : JSON.stringify(placeholder));
}

/** Takes away what the matcher did with a channel that is none of its business any more. */
function leaveToUser(raw: Database.Database, journal: Journal, channel: number): void {
  const automatic = linksOf(raw, channel).filter(({ origin }) => origin === 'auto');
  journal.touch('guide_link', keysOf(automatic));
  deleteLinks(raw, automatic);
  raw.prepare('DELETE FROM guide_review WHERE channel = ?').run(channel);
}

/** @throws WeirError `invalid` */
function checkLinks(raw: Database.Database, links: readonly RankedLink[]): void {
  const sources = new Set<number>();
  if (links.length >= unranked) throw new WeirError('invalid', `A channel has fewer than ${unranked} links.`);
  for (const { guideSource, guideId } of links) {
    const isThere = raw.prepare('SELECT 1 FROM guide_source WHERE id = ? AND removed = 0').get(guideSource);
    if (isThere === undefined) throw new WeirError('invalid', `There is no guide source ${guideSource}.`);
    if (linkKey(guideId) === '') throw new WeirError('invalid', 'The id of a guide channel is more than blanks.');
    if (sources.has(guideSource)) {
      throw new WeirError('invalid', `Guide source ${guideSource} is named twice: a channel has one link to each.`);
    }
    sources.add(guideSource);
  }
}
