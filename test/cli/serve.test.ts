import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { packagePath } from '../../src/lib/package-path.js';
import { ask } from '../support/http.js';
import { needs } from '../support/needs.js';
import { running } from '../support/proc.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { adminKey, makeWeir, runWeir, startWeir } from '../support/weir.js';

const oneLine = /^weir: [^\n]+\n$/;
const bearer = (secret: string) => ({ headers: { Authorization: `Bearer ${secret}` } });
/** Lets a server listen on loopback and returns its URL. */
async function listening(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Refused before anything listens: loopback, any port. */
const serve = (data: string, ...args: string[]) => runWeir('serve', '--data', data, '--listen', '127.0.0.1:0', ...args);

test('it says where it listens and where the playlist is, with the port that the system chose', async (t) => {
  const weir = await startWeir(t, { playlist: '#EXTM3U\n#EXTINF:-1,A\nudp://@239.9.9.9:5000\n' });
  assert.match(weir.log, / info {2}listening {2}url=http:\/\/127\.0\.0\.1:[1-9]\d*\n/);
  assert.ok(weir.log.includes(` info  playlist  url=${weir.url}/playlist.m3u\n`), weir.log);
  assert.match((await ask(weir.url, '/playlist.m3u')).body, new RegExp(`^${weir.url}/stream/[a-z0-9]+$`, 'm'));
});

test('the data directory is made where it is missing, for its owner alone', async (t) => {
  const weir = await startWeir(t);
  assert.equal(statSync(weir.data).mode & 0o777, 0o700);
  assert.equal(readFileSync(join(weir.data, 'weir.lock'), 'utf8'), `${weir.pid}\n`);
});

test('a data directory whose path is too long for a socket is refused with the limit', (t) => {
  const base = tempDir(t);
  const longest = join(base, 'x'.repeat(95 - base.length - 1));
  const { code, err } = serve(`${longest}x`);
  assert.equal(code, 1);
  assert.match(err, oneLine);
  assert.match(
    err,
    /too long: its Unix sockets would have 108 bytes, 107 are allowed\. Choose one of at most 95 bytes with --data: /,
  );
});

test('a data directory of the longest path that is allowed is used', async (t) => {
  const base = tempDir(t);
  const weir = await startWeir(t, { data: join(base, 'x'.repeat(95 - base.length - 1)) });
  assert.equal(await weir.signal('SIGTERM').then(({ code }) => code), 0);
});

test('a data directory that cannot be written is refused', { skip: needs('root', 'setpriv') }, async (t) => {
  const data = join(tempDir(t), 'data');
  mkdirSync(data);
  chmodSync(join(data, '..'), 0o755);
  chmodSync(data, 0o555);
  const prefix = ['setpriv', '--reuid=65534', '--clear-groups'];
  const weir = makeWeir(t, { data, prefix, env: { WEIR_ADMIN_KEY_FILE: '' } });
  weir.spawn();
  assert.deepEqual(await weir.exited(), { code: 1, signal: null });
  await weir.logged(/\n$/);
  assert.match(weir.log, oneLine);
  assert.ok(weir.log.includes(`The data directory ${data} cannot be used`), weir.log);
});

test('a file in the place of the data directory is refused', (t) => {
  const file = join(tempDir(t), 'file');
  writeFileSync(file, '');
  const { code, err } = serve(file);
  assert.equal(code, 1);
  assert.match(err, oneLine);
  assert.ok(err.includes(`The data directory ${file} cannot be used`), err);
});

test('a second weir on the same data ends with one line, and the first goes on', async (t) => {
  const weir = await startWeir(t);
  const { code, err } = serve(weir.data);
  assert.equal(code, 1);
  assert.equal(err, `weir: Another weir uses ${weir.data}. Stop that one, or choose another directory with --data.\n`);
  assert.equal((await ask(weir.url, '/healthz')).status, 200);
});

test('a port in use is one line, and no pump is left behind', async (t) => {
  const other = createServer();
  t.after(() => other.close());
  const { port } = new URL(await listening(other));
  const weir = makeWeir(t);
  const { code, err } = runWeir('serve', '--data', weir.data, '--log', 'error', '--listen', `127.0.0.1:${port}`);
  assert.equal(code, 1);
  assert.match(err, oneLine);
  assert.ok(err.includes(`127.0.0.1:${port} is in use.`), err);
  await until('no pump', () => weir.pumps().length === 0);
});

test('an address that is not this machine’s is one line', (t) => {
  const { code, err } = runWeir('serve', '--data', tempDir(t), '--log', 'error', '--listen', '192.0.2.1:0');
  assert.equal(code, 1);
  assert.match(err, oneLine);
  assert.ok(err.includes('192.0.2.1 is not an address of this machine.'), err);
});

test('an admin key that is missing or too short is one line without the key', (t) => {
  const folder = tempDir(t);
  const config = join(folder, 'weir.yaml');
  writeFileSync(config, 'admin_key_file: key\n');
  const missing = serve(join(folder, 'data'), '--config', config);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /^weir: The key file cannot be read: .*\/key'\.\n$/);
  writeFileSync(join(folder, 'key'), 'short-secret\n');
  const short = serve(join(folder, 'data'), '--config', config);
  assert.equal(short.code, 1);
  assert.match(short.err, /\/key, line 1: a key has at least 16 characters/);
  assert.ok(!short.err.includes('short-secret'));
});

test('an interface that is not there is said at once, and does not keep Weir from starting', async (t) => {
  const weir = await startWeir(t, { args: ['--interface', 'nope0'] });
  assert.match(weir.log, / warn {2}there is no such network interface[^\n]* {2}interface=nope0\n/);
});

test('a congestion control that is not there is said in one line with what to do, and viewers do without it', async (t) => {
  const weir = await startWeir(t, { env: { WEIR_VIEWER_TCP_CONGESTION: 'nope0' } });
  const [line = '', ...more] = weir.log.split('\n').filter((one) => one.includes('nope0'));
  assert.match(line, / warn {2}viewers do not get this congestion control\. This machine has .*"modprobe tcp_nope0"/);
  assert.deepEqual(more, []);
});

test('a key made and revoked while Weir runs counts at once, and is in no log', async (t) => {
  const weir = await startWeir(t, { args: ['--log', 'debug'] });
  const secret = runWeir('key', 'new', '--data', weir.data, '--scope', 'read').out.trim();
  assert.equal((await ask(weir.url, '/api/v1/streams', bearer(secret))).status, 200);
  assert.equal(runWeir('key', 'revoke', '1', '--data', weir.data).code, 0);
  assert.equal((await ask(weir.url, '/api/v1/streams', bearer(secret))).status, 401);
  const token = runWeir('token', 'new', '--data', weir.data).out.trim();
  assert.equal((await ask(weir.url, `/t/${token}/playlist.m3u`)).status, 200);
  assert.equal((await ask(weir.url, `/t/${token}x/playlist.m3u`)).status, 401);
  for (const hidden of [secret, token, adminKey]) assert.ok(!weir.log.includes(hidden), weir.log);
});

test('SIGHUP reads the lists again', async (t) => {
  let name = 'A';
  const provider = createHttpServer((_, response) =>
    response.end(`#EXTM3U\n#EXTINF:-1,${name}\nudp://@239.9.9.9:5000\n`),
  );
  t.after(() => provider.close());
  const weir = await startWeir(t, { args: ['--playlist', `${await listening(provider)}/list.m3u`] });
  const list = async () => (await ask(weir.url, '/playlist.m3u')).body;
  assert.match(await list(), /,A\n/);
  name = 'B';
  process.kill(weir.pid, 'SIGHUP');
  await until('the new name', async () => (await list()).includes(',B\n'));
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends Weir and its pump within 5 s, with exit 0`, async (t) => {
    const weir = await startWeir(t);
    const pump = await weir.pump();
    const since = performance.now();
    assert.deepEqual(await weir.signal(signal), { code: 0, signal: null });
    await until('the pump to end', () => !running(pump));
    assert.ok(performance.now() - since < 5_000);
  });
}

test('weir restart ends Weir alone, in one line, and the next one goes on with the pump', async (t) => {
  const weir = await startWeir(t);
  const [pid, pump] = [weir.pid, await weir.pump()];
  const { code, out, err } = runWeir('restart', '--data', weir.data);
  assert.equal(code, 0, err);
  assert.match(
    out,
    new RegExp(`^Weir \\(process ${pid}\\) has ended and its streams go on\\.[^\\n]+weir serve[^\\n]+\\n$`),
  );
  assert.deepEqual(await weir.exited(), { code: 0, signal: null });
  assert.equal(running(pump), true);
  await weir.start();
  assert.equal(await weir.pump(), pump);
});

test('weir restart without a running weir is one line, whatever process number the lock has', (t) => {
  const data = tempDir(t);
  const never = runWeir('restart', '--data', data);
  assert.equal(never.code, 1);
  assert.match(never.err, oneLine);
  writeFileSync(join(data, 'weir.lock'), `${process.pid}\n`);
  const stale = runWeir('restart', '--data', data);
  assert.equal(stale.code, 1);
  assert.equal(
    stale.err,
    `weir: No weir is running on ${data}. Start one with weir serve, or name another with --data.\n`,
  );
});

test('weir.service reloads by ending Node alone and starts it again', () => {
  const unit = readFileSync(packagePath('weir.service'), 'utf8').split('\n');
  for (const line of ['Type=exec', 'ExecReload=/bin/kill -USR2 $MAINPID', 'Restart=always', 'KillMode=process']) {
    assert.ok(unit.includes(line), line);
  }
});
