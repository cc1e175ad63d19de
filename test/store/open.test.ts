import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../src/store/open.js';
import { tempDir } from '../support/temp.js';

async function open(t: TestContext, dir: string) {
  const store = await openStore({ dir });
  t.after(() => store.close());
  return store;
}

test('a store opened in a directory that does not exist makes it and is empty', async (t) => {
  const store = await open(t, join(tempDir(t), 'new', 'data'));
  assert.deepEqual(await store.channels.list(), []);
  assert.deepEqual(await store.sources.list(), []);
  assert.equal(await store.channels.byKey('abcdefgh'), null);
});

test('the files of a new store are readable by their owner alone', async (t) => {
  const dir = tempDir(t);
  const store = await open(t, dir);
  await store.access.createToken('tv');
  for (const file of ['weir.db', 'weir.db-wal']) assert.equal(statSync(join(dir, file)).mode & 0o777, 0o600);
});

test('a store opened again has what was written before', async (t) => {
  const dir = tempDir(t);
  const first = await openStore({ dir });
  const { key } = await first.access.createKey('door', 'edit');
  await first.close();
  const second = await open(t, dir);
  assert.deepEqual(await second.access.listKeys(), [key]);
});

test('what was asked before closing is written', async (t) => {
  const dir = tempDir(t);
  const first = await openStore({ dir });
  const asked = Array.from({ length: 50 }, (_, n) => first.access.createToken(`tv ${n}`));
  await first.close();
  await Promise.all(asked);
  const second = await open(t, dir);
  assert.equal((await second.access.listTokens()).length, 50);
});

test('closing twice is the same as closing once, and later writes are refused', async (t) => {
  const store = await openStore({ dir: tempDir(t) });
  await Promise.all([store.close(), store.close()]);
  await store.close();
  await assert.rejects(store.access.createKey('late', 'read'), { code: 'unavailable' });
});

test('a path that is no directory is refused with one line that names it', async (t) => {
  const file = join(tempDir(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(openStore({ dir: file }), {
    code: 'unavailable',
    message: `Cannot write to the data directory ${file} (EEXIST). Give weir a directory that it may write to.`,
  });
  await assert.rejects(openStore({ dir: join(file, 'below') }), {
    message: /^Cannot write to the data directory .*\.$/,
  });
});

test('a database of a newer version is refused and left as it was', async (t) => {
  const dir = tempDir(t);
  const raw = new Database(join(dir, 'weir.db'));
  raw.pragma('user_version = 9000');
  raw.close();
  await assert.rejects(openStore({ dir }), {
    code: 'conflict',
    message: /is of version 9000, this Weir knows \d+ at most/,
  });
  const after = new Database(join(dir, 'weir.db'));
  t.after(() => after.close());
  assert.equal(after.pragma('user_version', { simple: true }), 9000);
});

test('a file that is no database is refused and named', async (t) => {
  const dir = tempDir(t);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'weir.db'), 'not a database, but long enough to be taken for one at first'.repeat(20));
  await assert.rejects(openStore({ dir }), { code: 'unavailable', message: /weir\.db is damaged .*Restore a backup/ });
});
