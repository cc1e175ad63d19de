import assert from 'node:assert/strict';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { Change } from '../../src/model/change.js';
import type { Edited } from '../../src/model/edit.js';
import type { Page } from '../../src/model/page.js';
import { databaseFile } from '../../src/store/connection.js';
import { type Household, m3u, startHousehold } from './household.js';

type Problem = { readonly code: string; readonly detail: string };

const list = m3u(['A', 'udp://@239.1.1.1:5000'], ['B', 'udp://@239.1.1.2:5000']);

/** Writes into the database what a year of changes would have. */
function write(house: Household, ...statements: readonly string[]): void {
  const raw = new Database(databaseFile(house.options.store.dir));
  for (const sql of statements) raw.exec(sql);
  raw.close();
}

/** So many changes, each of rows that say nothing. */
const changes = (count: number, rows: number) => [
  `WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
    INSERT INTO change (at, actor, summary, rows) SELECT 0, 'x', 'x', ${rows} FROM n`,
  `WITH RECURSIVE n(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM n WHERE n < ${Math.min(rows, 2500) - 1})
    INSERT INTO change_row SELECT c.id, n, 'channel_override', NULL, '{}' FROM change c, n WHERE c.summary = 'x'`,
];

const rename = (house: Household, channel: number, name: string) =>
  house.ask('PATCH', `/channels/${channel}`, { body: { name } });
const rowsOf = (house: Household, sql: string) => {
  const raw = new Database(databaseFile(house.options.store.dir), { readonly: true });
  try {
    return raw.prepare(sql).pluck().get() as number;
  } finally {
    raw.close();
  }
};

test('the newest 10,000 changes are kept; one that is not is no more to be seen nor undone, and undoes of it stay', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const { id = 0 } = await house.channel('A');
  const before = (await house.get<Page<Change>>('/changes')).items.length;
  await rename(house, id, 'First');
  const [first] = (await house.get<Page<Change>>('/changes')).items;
  await house.done('POST', `/changes/${first?.id}:undo`);
  write(house, ...changes(10_000 - before - 2, 1));
  assert.equal((await house.ask('GET', `/changes/${first?.id}`)).status, 200);
  for (let count = 0; count < before + 1; count += 1) await rename(house, id, `Later ${count}`);
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ':undo'],
  ] as const) {
    const { status, body } = await house.ask<Problem>(method, `/changes/${first?.id}${path}`);
    assert.deepEqual([status, body.code], [404, 'not-found']);
    assert.match(body.detail, /the newest 10000 are kept/);
  }
  assert.equal(rowsOf(house, 'SELECT count(*) FROM change'), 10_000);
  assert.equal(rowsOf(house, 'SELECT count(DISTINCT change) FROM change_row'), 10_000);
  assert.equal((await house.ask('GET', `/changes/${(first?.id ?? 0) + 1}`)).status, 200);
  const [newest] = (await house.get<Page<Change>>('/changes')).items;
  await house.done<Edited>('POST', `/changes/${newest?.id}:undo`);
  assert.equal((await house.channels())[0]?.name, `Later ${before - 1}`);
});

test('changes of more than a million rows go at once for whoever looks, and their rows by and by', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const { id = 0 } = await house.channel('A');
  write(house, ...changes(2, 1_000_000));
  await rename(house, id, 'One');
  const summaries = (await house.get<Page<Change>>('/changes')).items.map(({ summary }) => summary);
  assert.equal(summaries.includes('x'), false);
  assert.equal(summaries.length, 1);
  const left = () => rowsOf(house, `SELECT count(*) FROM change_row WHERE "after" = '{}'`);
  assert.ok(left() > 3000, 'not all in one go');
  for (let count = 0; count < 5; count += 1) await rename(house, id, `Two ${count}`);
  assert.equal(left(), 0);
  assert.equal(rowsOf(house, 'SELECT count(*) FROM change WHERE rows < 0'), 0);
});

test('an entry is given back to the channel that it was merged from, though that change is not kept', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const [a, b] = await house.channels();
  const [, entry] = (await house.get<Page<{ id: number }>>('/entries')).items;
  const { change } = await house.done<Edited>('POST', `/channels/${a?.id}:merge`, { body: { channels: [b?.id] } });
  write(house, ...changes(10_000, 1));
  await rename(house, a?.id ?? 0, 'Later');
  assert.equal((await house.ask('GET', `/changes/${change?.id}`)).status, 404);
  const split = await house.done<{ channel: number }>('POST', `/channels/${a?.id}:split`, {
    body: { entry: entry?.id },
  });
  assert.equal(split.channel, b?.id);
});
