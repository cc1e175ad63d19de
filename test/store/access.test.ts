import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openStore } from '../../src/store/open.js';
import { tempDir } from '../support/temp.js';

async function setUp(t: TestContext) {
  const dir = tempDir(t);
  const store = await openStore({ dir });
  t.after(() => store.close());
  return { dir, access: store.access };
}

test('a new key is found by its secret until it is revoked', async (t) => {
  const { access } = await setUp(t);
  const { key, secret } = await access.createKey('phone', 'edit');
  assert.match(secret, /^weir_[\w-]{32}$/);
  assert.deepEqual([key.name, key.scope, key.revokedAt], ['phone', 'edit', null]);
  assert.deepEqual(await access.findKey(secret), key);
  assert.equal(await access.revokeKey(key.id), true);
  assert.equal(await access.findKey(secret), null);
  assert.equal(await access.revokeKey(key.id), false);
  assert.equal(typeof (await access.listKeys())[0]?.revokedAt, 'number');
});

test('a new token is found by its secret until it is revoked', async (t) => {
  const { access } = await setUp(t);
  const { token, secret } = await access.createToken('tv');
  assert.match(secret, /^[\w-]{22}$/);
  assert.deepEqual(await access.findToken(secret), token);
  assert.equal(await access.revokeToken(token.id), true);
  assert.equal(await access.findToken(secret), null);
  assert.equal(await access.revokeToken(token.id + 1), false);
});

test('a secret that was never given, or a token used as a key, is found nowhere', async (t) => {
  const { access } = await setUp(t);
  const { secret } = await access.createToken('tv');
  assert.equal(await access.findKey('weir_unknown'), null);
  assert.equal(await access.findKey(secret), null);
  assert.equal(await access.findToken(''), null);
});

test('secrets do not stand in the files of the database', async (t) => {
  const { dir, access } = await setUp(t);
  const { secret } = await access.createKey('phone', 'admin');
  const stored = ['weir.db', 'weir.db-wal'].map((file) => readFileSync(join(dir, file), 'latin1')).join('');
  assert.ok(stored.includes('phone'));
  assert.ok(!stored.includes(secret.slice('weir_'.length)));
});

test('a key made by another process is found by a store that was open before', async (t) => {
  const { dir, access } = await setUp(t);
  const script = `
    const { openStore } = await import(${JSON.stringify(new URL('../../src/store/open.js', import.meta.url).href)});
    const store = await openStore({ dir: ${JSON.stringify(dir)} });
    const made = await Promise.all(Array.from({ length: 20 }, (_, n) => store.access.createKey('other-' + n, 'read')));
    process.stdout.write(JSON.stringify(made.map(({ secret }) => secret)));
    await store.close();`;
  const file = join(dir, 'other.mjs');
  writeFileSync(file, script);
  const other = promisify(execFile)(process.execPath, [file]);
  const own = await Promise.all(Array.from({ length: 20 }, (_, n) => access.createKey(`own-${n}`, 'read')));
  const secrets = [...own.map(({ secret }) => secret), ...(JSON.parse((await other).stdout) as string[])];
  assert.equal(secrets.length, 40);
  for (const secret of secrets) assert.notEqual(await access.findKey(secret), null);
});
