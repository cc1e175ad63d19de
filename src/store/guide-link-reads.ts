import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { ChannelGuide, GuideLink, Placeholder } from '../model/guide.js';
import type { Connection } from './connection.js';
import type { GuideHouse, LinkFilter } from './guide-house.js';
import { type GuideLinkRow, guideLinkOf, linkOrder, shownLink } from './guide-link-row.js';
import { decodeCursor, toPage } from './paging.js';
import { statement } from './statements.js';
import type { GuideTables } from './tables-guide.js';

type Reads = Pick<
  GuideHouse,
  'links' | 'linksOf' | 'guideOf' | 'pageOfLinks' | 'linkedBySource' | 'channelsLinkedTo' | 'isLinked' | 'rejections'
>;
type KeyedLink = GuideLink & { readonly guideKey: string };

/** Channels whose links are read in one go. */
const page = 1000;

/** Where the links of channels that may have a guide are looked for. */
const standing = `guide_link l JOIN guide_source s ON s.id = l.guide_source AND s.removed = 0
  LEFT JOIN guide_choice g ON g.channel = l.channel`;
const mayHave = "(g.mode IS NULL OR g.mode = 'auto' OR (g.mode = 'manual' AND l.origin = 'user'))";

export function createGuideLinkReads({ raw }: Connection): Reads {
  return {
    links: () => allLinks(raw),
    linksOf(channels) {
      const guides = new Map<number, ChannelGuide>();
      for (let from = 0; from < channels.length; from += page) {
        for (const [id, guide] of guidesOf(raw, channels.slice(from, from + page))) guides.set(id, guide);
      }
      return guides;
    },
    guideOf(channel) {
      const isOwn =
        raw.prepare('SELECT 1 FROM channel WHERE id = ? AND merged_into IS NULL').get(channel) !== undefined;
      if (!isOwn) return null;
      const links = keyed(raw, [channel]).map(shownLink);
      return { ...choiceOf(raw, channel), links, etag: guideEtag(raw, channel) };
    },
    pageOfLinks: (filter, paging) => Promise.resolve(pageOfLinks(raw, filter, paging)),
    linkedBySource() {
      const rows = raw.prepare(`SELECT l.guide_source, count(DISTINCT l.channel) FROM ${standing} WHERE ${mayHave}
        GROUP BY l.guide_source`);
      return new Map(rows.raw().all() as [source: number, channels: number][]);
    },
    channelsLinkedTo(guideSource, guideKeys) {
      const rows = raw.prepare(`SELECT l.guide_key, json_group_array(l.channel) FROM ${standing}
        WHERE ${mayHave} AND l.guide_source = ? AND l.guide_key IN (SELECT value FROM json_each(?)) GROUP BY l.guide_key`);
      const found = rows.raw().all(guideSource, JSON.stringify(guideKeys)) as [key: string, channels: string][];
      return new Map(found.map(([key, channels]) => [key, (JSON.parse(channels) as number[]).sort((a, b) => a - b)]));
    },
    isLinked(guideSource, guideKey) {
      const find = `SELECT 1 FROM ${standing} WHERE ${mayHave} AND l.guide_source = ? AND l.guide_key = ? LIMIT 1`;
      return statement(raw, find).get(guideSource, guideKey) !== undefined;
    },
    rejections() {
      const rows = raw.prepare(`SELECT channel, guide_source AS guideSource, guide_key AS guideKey FROM guide_rejection
        ORDER BY id`);
      return rows.all() as { channel: number; guideSource: number; guideKey: string }[];
    },
  };
}

/** A part at a time: whoever takes them holds no cursor. */
function* allLinks(raw: Database.Database): Generator<KeyedLink> {
  const next = raw
    .prepare('SELECT DISTINCT channel FROM guide_link WHERE channel > ? ORDER BY channel LIMIT ?')
    .pluck();
  let channels: number[] = [];
  do {
    channels = next.all(channels.at(-1) ?? 0, page) as number[];
    yield* keyed(raw, channels, mayHave);
  } while (channels.length === page);
}

/** The links of channels, ordered by channel, each with its place. */
function keyed(raw: Database.Database, channels: readonly number[], condition = 'TRUE'): KeyedLink[] {
  const find = raw.prepare(`SELECT l.* FROM ${standing}
    WHERE l.channel IN (SELECT value FROM json_each(?)) AND ${condition} ORDER BY l.channel, ${linkOrder}`);
  let [channel, rank] = [0, 0];
  return (find.all(JSON.stringify(channels)) as GuideLinkRow[]).map((row) => {
    rank = row.channel === channel ? rank + 1 : 0;
    channel = row.channel;
    return guideLinkOf(row, rank);
  });
}

/** A channel that is to have no guide has no links, whatever was set before. */
function guidesOf(raw: Database.Database, channels: readonly number[]): Map<number, ChannelGuide> {
  const choices = raw.prepare('SELECT * FROM guide_choice WHERE channel IN (SELECT value FROM json_each(?))');
  const chosen = choices.all(JSON.stringify(channels)) as Choice[];
  const links = new Map<number, GuideLink[]>(channels.map((channel) => [channel, []]));
  for (const link of keyed(raw, channels, mayHave)) links.get(link.channel)?.push(shownLink(link));
  const guides = channels.map(
    (channel) => [channel, { ...automatic(channel), links: links.get(channel) ?? [] }] as const,
  );
  const found = new Map<number, ChannelGuide>(guides);
  for (const row of chosen) found.set(row.channel, { ...toChoice(row), links: links.get(row.channel) ?? [] });
  return found;
}

type Choice = GuideTables['guide_choice'];

function automatic(channel: number): Omit<ChannelGuide, 'links'> {
  return { channel, mode: 'auto', placeholder: null };
}

function toChoice({ channel, mode, placeholder }: Choice): Omit<ChannelGuide, 'links'> {
  return { channel, mode, placeholder: placeholder === null ? null : (JSON.parse(placeholder) as Placeholder) };
}

/** What the user decided about a channel as a whole. */
export function choiceOf(raw: Database.Database, channel: number): Omit<ChannelGuide, 'links'> {
  const row = raw.prepare('SELECT * FROM guide_choice WHERE channel = ?').get(channel) as Choice | undefined;
  return row === undefined ? automatic(channel) : toChoice(row);
}

/** Names what users set of a channel's guide: what the matcher does leaves it as it is. Without hyphens. */
export function guideEtag(raw: Database.Database, channel: number): string {
  const links = raw.prepare(`SELECT guide_source, guide_key, rank, shift FROM guide_link
    WHERE channel = ? AND origin = 'user' ORDER BY rank, id`);
  const set = [choiceOf(raw, channel), links.raw().all(channel)];
  return createHash('sha256').update(JSON.stringify(set)).digest('hex').slice(0, 16);
}

function pageOfLinks(
  raw: Database.Database,
  { source, origin }: LinkFilter,
  { after, limit }: { readonly after: string | null; readonly limit: number },
) {
  const [from = 0, place = -1] = decodeCursor(after, 2) ?? [];
  const matches = '(:source IS NULL OR l.guide_source = :source) AND (:origin IS NULL OR l.origin = :origin)';
  // Of so many channels the page is in any case; the place of a link needs all links of its channel.
  const find = raw.prepare(`WITH some AS (
      SELECT DISTINCT l.channel FROM guide_link l JOIN guide_source s ON s.id = l.guide_source AND s.removed = 0
      WHERE l.channel >= :from AND ${matches} ORDER BY l.channel LIMIT :limit + 2
    ), placed AS (
      SELECT l.*, row_number() OVER (PARTITION BY l.channel ORDER BY ${linkOrder}) - 1 AS place
      FROM ${standing} WHERE l.channel IN some
    ) SELECT l.*, coalesce((SELECT name FROM shown_channel WHERE id = l.channel), '') AS name FROM placed l
    WHERE ${matches} AND (l.channel, l.place) > (:from, :place) ORDER BY l.channel, l.place LIMIT :limit + 1`);
  const rows = find.all({ source: source ?? null, origin: origin ?? null, from, place, limit }) as (GuideLinkRow & {
    place: number;
    name: string;
  })[];
  const cursorOf = (row: (typeof rows)[number]) => [row.channel, row.place];
  return toPage(rows, limit, cursorOf, (row) => ({ ...shownLink(guideLinkOf(row, row.place)), name: row.name }));
}
