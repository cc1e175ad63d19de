import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { makeWeir, startWeir, type Weir } from '../support/weir.js';

const skip = privateNetwork();
const oneLine = /^[^\n]+\n$/;

async function fails(weir: Weir, code: number, says: RegExp): Promise<void> {
  weir.spawn();
  assert.deepEqual(await weir.exited(), { code, signal: null });
  assert.match(weir.log, oneLine);
  assert.match(weir.log, says);
  await until('its pump, if any, to end', () => weir.pumps().length === 0);
}

test('a port in use: one line that names it, exit 1, no pump left behind', { skip }, async (t) => {
  const server = createServer().listen(5140, '127.0.0.1');
  t.after(() => server.close());
  await fails(makeWeir(t, { args: ['--listen', '127.0.0.1:5140'] }), 1, /5140 .*in use/);
});

test('an address to listen on that is not ours: one line that names it, exit 1', { skip }, async (t) => {
  await fails(makeWeir(t, { args: ['--listen', '203.0.113.1:5140'] }), 1, /203\.0\.113\.1/);
});

test('a data directory whose path is too long for a socket: one line, exit 1', { skip }, async (t) => {
  const data = join(tempDir(t), 'x'.repeat(100));
  await fails(makeWeir(t, { data }), 1, /too long.*--data/);
});

test('a data directory that this user cannot write to: one line that names it, exit 1', {
  skip: skip || needs('root', 'setpriv'),
}, async (t) => {
  const home = tempDir(t);
  const data = join(home, 'data');
  mkdirSync(data);
  chmodSync(home, 0o755);
  chmodSync(data, 0o755);
  const prefix = ['setpriv', '--reuid=65534', '--clear-groups', '--'];
  await fails(makeWeir(t, { data, prefix, env: { WEIR_ADMIN_KEY_FILE: '' } }), 1, new RegExp(`${data}.*--data`));
});

test('a data directory that is a file: one line that names it, exit 1', { skip }, async (t) => {
  await fails(makeWeir(t, { data: '/etc/hostname' }), 1, /\/etc\/hostname/);
});

test('--interface of one that is missing: it serves, and says so once', { skip }, async (t) => {
  const weir = await startWeir(t, { args: ['--interface', 'nope0'] });
  await weir.logged(/nope0/);
});

test('no compiler: the build of the native part says in one line what to install, exit 1', () => {
  const script = fileURLToPath(new URL('../../../native/install.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script], { env: { PATH: '/nonexistent' }, encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, oneLine);
  assert.match(stderr, /make and g\+\+/);
});
