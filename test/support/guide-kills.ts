import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Job } from '../../src/model/change.js';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { type GuideServer, startGuideServer } from './guide-server.js';
import { guideOf, hour, hourly, readGuide, shownAt, thisHour } from './guide-text.js';
import { ask } from './http.js';
import { seeded } from './random.js';
import { ended, send } from './rest.js';
import { until } from './until.js';
import { makeWeir, type Weir } from './weir.js';

type Owner = Parameters<typeof makeWeir>[0];
export type GuideKillOptions = { readonly count: number; readonly seed: number; say(line: string): void };
/** What was under way when weir was killed, how often. */
export type GuidesKilled = { kills: number; staging: number; fetching: number };

/** Milliseconds of a refresh before the end. */
const longest = 1500;
const ids = Array.from({ length: 60 }, (_, n) => `channel${n}.de`);
const hours = 300;
const away: GuideServer['answer'] = { status: 503 };

/** All programmes have the version in their titles, and a text that is another one in each. */
function guideOfVersion(version: number): string {
  return guideOf(ids.flatMap((id) => hourly(id, `v${version} ${id} ${'long and detailed '.repeat(20)}`, 0, hours)));
}

/**
 * Kills weir again and again while it takes a guide over. Each time the guide that it shows afterwards has to be the old or the
 * new one, whole and valid, and the next refresh has to bring the new one. Resolves with what it was killed in.
 * @throws AssertionError when it is not so
 */
export async function killInImports(owner: Owner, { count, seed, say }: GuideKillOptions): Promise<GuidesKilled> {
  const random = seeded(seed);
  const killed: GuidesKilled = { kills: 0, staging: 0, fetching: 0 };
  const server = await startGuideServer(owner, guideOfVersion(0));
  const playlist = ids.map((id, n) => `#EXTINF:-1 tvg-id="${id}",Channel ${n}\nudp://@239.1.0.${n}:5000\n`);
  const weir = makeWeir(owner, { playlist: `#EXTM3U\n${playlist.join('')}`, args: ['--guide', server.url] });
  await weir.start();
  await until('the first guide', async () => (await versionOf(weir)) === 0, { within: 60_000 });
  for (let version = 1; version <= count; version += 1) {
    server.answer = { body: guideOfVersion(version) };
    await send<Job>(weir, 'POST', '/guide-sources/1:refresh');
    await pause(random() * longest);
    await weir.signal('SIGKILL');
    killed.kills += 1;
    note(weir, killed);
    server.answer = away;
    await weir.start();
    const shown = await versionOf(weir);
    assert.ok(shown === version || shown === version - 1, `kill ${version}: version ${shown} is shown`);
    server.answer = { body: guideOfVersion(version) };
    await refresh(weir);
    assert.equal(await versionWithin(weir, version), version, `kill ${version}: the next refresh`);
    assert.deepEqual(leftOver(weir), [], `kill ${version}`);
    if (version % 10 === 0) say(`${version} kills · ${JSON.stringify(killed)}`);
  }
  return killed;
}

async function refresh(weir: Weir): Promise<void> {
  const job = await ended(weir, await send<Job>(weir, 'POST', '/guide-sources/1:refresh'));
  const { state, reason } = await weir.api<GuideSourceStatus>('/api/v1/guide-sources/1');
  assert.deepEqual([job.state, state, reason], ['done', 'published', null]);
}

/** Of the guide that is put out, in which all programmes are of one; null when there are none yet. */
async function versionOf(weir: Weir): Promise<number | null> {
  const guide = readGuide((await ask(weir.url, '/epg.xml')).body);
  if (guide.programmes.length === 0) return null;
  const versions = new Set(guide.programmes.map(({ title }) => /^v(\d+) /.exec(title)?.[1]));
  assert.deepEqual([versions.size, guide.programmes.length], [1, ids.length * hours]);
  for (const id of ids) assert.match(shownAt(guide, id, thisHour + hour / 2), / 0$/);
  return Number([...versions][0]);
}

/** Before another one is made, the last one is sent. */
async function versionWithin(weir: Weir, version: number): Promise<number | null> {
  return await until(`version ${version}`, async () => ((await versionOf(weir)) === version ? version : null), {
    within: 30_000,
  });
}

function note({ data }: Weir, killed: GuidesKilled): void {
  const [state] = look<{ state: string }>(data, 'SELECT state FROM feed');
  const staged = look<{ id: number }>(data, "SELECT id FROM snapshot WHERE state = 'staged'");
  if (staged.length > 0) killed.staging += 1;
  else if (state?.state === 'fetching') killed.fetching += 1;
}

/** What of passes that were broken off is there still, or what SQLite finds wrong. */
function leftOver({ data }: Weir): unknown[] {
  const [check] = look<{ integrity_check: string }>(data, 'PRAGMA integrity_check');
  return [
    ...(check?.integrity_check === 'ok' ? [] : [check]),
    ...look(data, "SELECT id FROM snapshot WHERE state = 'staged'"),
    ...look(data, 'SELECT count(*) AS rows FROM programme p, feed f WHERE p.added > f.snapshot HAVING rows > 0'),
    ...look(data, 'SELECT count(*) AS texts FROM text WHERE id NOT IN (SELECT text FROM programme) HAVING texts > 0'),
  ];
}

function look<Row>(data: string, sql: string): Row[] {
  const file = join(data, 'guide.db');
  if (!existsSync(file)) return [];
  const raw = new Database(file, { readonly: true });
  try {
    return raw.prepare(sql).all() as Row[];
  } finally {
    raw.close();
  }
}
