import { createHash } from 'node:crypto';
import type { TestContext } from 'node:test';
import Database from 'better-sqlite3';
import type { GuideCounts } from '../../../src/model/guide.js';
import { guideFile } from '../../../src/store/guide/connection.js';
import type { BodyRef, GuideStage, GuideStore } from '../../../src/store/guide/contract.js';
import { openGuideStore } from '../../../src/store/guide/open.js';
import { packAirings, packTexts } from '../../../src/store/guide/packed.js';
import { tempDir } from '../../support/temp.js';

export const hour = 3600;
export const day = 24 * hour;
/** 2024-01-01 00:00 UTC. */
export const newYear = 1_704_067_200;

export const body: BodyRef = { file: '1-1', hash: 'abc', etag: '"1"', lastModified: null };

/** What a guide says in a test: the title is the content. */
export type Said = { readonly key: string; readonly start: number; readonly stop?: number; readonly title: string };

export async function setUp(t: TestContext) {
  const dir = tempDir(t);
  return { dir, store: await open(t, dir) };
}

export async function open(t: TestContext, dir: string): Promise<GuideStore> {
  const store = await openGuideStore({ dir });
  t.after(() => store.close());
  return store;
}

/** Stages a guide as a pass does: what is in service and said again is left alone, known contents are used again. */
export async function stage(
  store: { readonly stage: GuideStage } & Pick<GuideStore, 'known'>,
  source: number,
  said: readonly Said[],
) {
  const { snapshot, nextText } = await store.stage.begin({ source, listing: null, body });
  const keys = [...new Set(said.map(({ key }) => key))];
  const channels = await store.stage.channelIds(
    source,
    keys.map((key) => ({ key, guideId: key })),
  );
  const channelOf = new Map(keys.map((key, index) => [key, channels[index] ?? 0]));
  const known = airingsOf(store.known(source, channels));
  const rowOf = ({ key, start, stop = 0, title }: Said) =>
    [channelOf.get(key) ?? 0, start, stop, hashOf(title)] as const;
  const textOf = new Map(known.map(([, , , hash, text]) => [hash, text]));
  const isNew = (title: string) => !textOf.has(hashOf(title));
  const titles = [...new Set(said.map(({ title }) => title))].filter(isNew);
  const texts = titles.map((title, index) => {
    textOf.set(hashOf(title), nextText + index);
    return { id: nextText + index, title, body: JSON.stringify({ titles: [{ text: title, lang: null }] }) };
  });
  await store.stage.texts(snapshot, packTexts(texts));
  const rows = said.map(rowOf);
  const before = new Set(known.map((row) => row.slice(0, 4).join()));
  const now = new Set(rows.map((row) => row.join()));
  const fresh = rows.filter((row) => !before.has(row.join()));
  await store.stage.airings(snapshot, packAirings(fresh.map((row) => [...row, textOf.get(row[3]) ?? 0])));
  const gone = known.filter((row) => !now.has(row.slice(0, 4).join()));
  await store.stage.removals(snapshot, packAirings(gone));
  await store.stage.listChannels(
    snapshot,
    keys.map((key) => ({ ...listed(key), channel: channelOf.get(key) ?? 0 })),
  );
  return { snapshot, channels, texts: texts.length };
}

export async function publish(store: GuideStore, source: number, said: readonly Said[]) {
  const staged = await stage(store, source, said);
  const { snapshot, channels } = staged;
  await store.stage.publish({ ...ended(source), snapshot, counts, kept: channels, manner: '1' });
  return staged;
}

/** Titles by start, of one guide channel or of all that are given. */
export function shown(store: GuideStore, channels: readonly number[], from = 0, to = 2 ** 40): string[] {
  const found = store.programmes(channels, from, to);
  return [...found.values()].flat().map(({ content }) => content.titles[0]?.text ?? '');
}

/** A guide too long for one chunk: half of its programmes are those of every edition. */
export function guideOf(edition: string): Said[] {
  return Array.from({ length: 12_000 }, (_, n) => {
    const title = n % 2 === 0 ? `Programme ${n}` : `Programme ${n} (${edition})`;
    return { key: n % 3 === 0 ? 'one' : 'two', start: newYear + n * 60, stop: newYear + n * 60 + 60, title };
  });
}

export const counts: GuideCounts = {
  ...{ channels: 1, programmes: 1, first: null, last: null, wanted: 1, unchanged: 0, reused: 0 },
  ...{ parsed: 1, removed: 0, lost: 0, problems: {} },
};

export function ended(source: number) {
  return { source, cause: 'user', startedAt: newYear } as const;
}

function listed(key: string) {
  const name = { text: `Name of ${key}`, lang: 'en' };
  return { guideId: key, names: [name], icons: [], urls: [], programmes: 1, first: null, last: null, near: 0 };
}

/** Rows of the database as it stands. */
export function look<Row>(dir: string, sql: string): Row[] {
  const raw = new Database(guideFile(dir), { readonly: true });
  try {
    return raw.prepare(sql).all() as Row[];
  } finally {
    raw.close();
  }
}

export function countOf(dir: string, table: string): number {
  return look<{ count: number }>(dir, `SELECT count(*) AS count FROM ${table}`)[0]?.count ?? -1;
}

function airingsOf(packed: Float64Array): [number, number, number, number, number][] {
  return Array.from({ length: packed.length / 5 }, (_, index) => {
    const [channel = 0, start = 0, stop = 0, hash = 0, text = 0] = packed.subarray(index * 5, index * 5 + 5);
    return [channel, start, stop, hash, text];
  });
}

/** 52 bits of its SHA-1. */
function hashOf(title: string): number {
  return Number.parseInt(createHash('sha1').update(title).digest('hex').slice(0, 13), 16);
}
