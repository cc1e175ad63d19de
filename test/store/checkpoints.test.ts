import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { databaseFile } from '../../src/store/connection.js';
import { openStore, type Store } from '../../src/store/open.js';
import { until } from '../support/until.js';
import { look, publish, setUp } from './fixture.js';

const lines = Array.from({ length: 10_500 }, (_, n) => ({ name: `Channel ${n}`, groups: [`Group ${n % 100}`] }));
/** At which a commit would move the log by itself, and what its file keeps. */
const backstop = 64 * 1024 * 1024;
const kept = 16 * 1024 * 1024;

const log = (dir: string) => join(dir, 'weir.db-wal');
/** How often SQLite began its log anew: the checkpoint sequence number in the header of the file. */
const beginnings = (dir: string) => readFileSync(log(dir)).readUInt32BE(12);
const logBytes = (dir: string) => statSync(log(dir)).size;

/** Writes a little until something is so. */
async function writing(store: Store, what: string, isSo: () => boolean): Promise<void> {
  const fact = async () => {
    await store.access.createToken('a');
    return isSo();
  };
  await until(what, fact, { within: 20_000 });
}

test('the log of a big import is moved to the database, and begun anew, without a commit that does so', async (t) => {
  const { store, dir } = await setUp(t);
  await publish(store, '/a.m3u', lines);
  assert.ok(logBytes(dir) < backstop);
  await writing(store, 'the log to be begun anew', () => beginnings(dir) > 0);
  assert.equal(look<{ n: number }>(dir, 'SELECT count(*) AS n FROM listing')[0]?.n, lines.length);
});

test('a log that grew while somebody read an older state shrinks when the reader is done', async (t) => {
  const { store, dir } = await setUp(t);
  const reader = new Database(databaseFile(dir), { readonly: true });
  t.after(() => reader.close());
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM source').get();
  await publish(store, '/a.m3u', lines);
  await publish(store, '/b.m3u', lines);
  assert.ok(logBytes(dir) > kept, `${logBytes(dir)}`);
  reader.exec('COMMIT');
  await writing(store, 'the log to be short', () => logBytes(dir) <= kept);
});

test('a process that is killed while the log is moved leaves a whole database with all that was answered', async (t) => {
  const { store, dir } = await setUp(t);
  await store.close();
  const [storeUrl, fixtureUrl] = ['../../src/store/open.js', './fixture.js'].map((path) =>
    JSON.stringify(new URL(path, import.meta.url).href),
  );
  const script = join(dir, 'import.mjs');
  writeFileSync(
    script,
    `const [{ openStore }, { publish }] = [await import(${storeUrl}), await import(${fixtureUrl})];
    const dir = ${JSON.stringify(dir)};
    const store = await openStore({ dir });
    const lines = Array.from({ length: 1000 }, (_, n) => ({ name: 'Channel ' + n }));
    for (let count = 0; ; count += 1) {
      await publish(store, '/' + count + '.m3u', lines);
      const { token } = await store.access.createToken('tv');
      console.log(token.id);
    }`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const ids: number[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => ids.push(Number(line)));
  await until('some of it to be moved', () => ids.length >= 3 && statSync(databaseFile(dir)).size > 4e6, {
    within: 20_000,
  });
  child.kill('SIGKILL');
  await once(child, 'close');

  const again = await openStore({ dir });
  t.after(() => again.close());
  assert.deepEqual(look(dir, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  assert.deepEqual((await again.access.listTokens()).map(({ id }) => id).slice(0, ids.length), ids);
  const served = look<{ n: number }>(dir, 'SELECT count(*) AS n FROM source WHERE snapshot IS NOT NULL')[0]?.n ?? 0;
  assert.ok(served >= ids.length);
  assert.equal((await again.channels.list()).length, served * 1000);
});
