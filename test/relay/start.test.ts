import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { ask, Viewer, watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { joins } from '../support/proc.js';
import { startSource } from '../support/rtp-source.js';
import { pids } from '../support/ts.js';
import { TsReader } from '../support/ts-reader.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.2.1';
const path = `/rtp/${group}:5000`;
const source = { address: group, port: 5000 };

test('the answer of a live stream is 200 video/mp2t until the connection closes, the first bytes with it', {
  skip,
}, async (t) => {
  await startSource(t, source);
  const weir = await startWeir(t);
  const viewer = await (await watch(t, weir.url, path)).received(50);
  assert.equal(viewer.status, 200);
  assert.equal(viewer.headers.get('content-type'), 'video/mp2t');
  assert.equal(viewer.headers.get('connection')?.toLowerCase(), 'close');
  for (const name of ['content-length', 'transfer-encoding', 'accept-ranges'])
    assert.equal(viewer.headers.has(name), false, name);
  assert.deepEqual(
    [...viewer.headers.keys()].filter((name) => name.startsWith('icy-')),
    [],
  );
});

test('a stream that opens begins with PAT and PMT, within 300 ms where they come every 50 ms', { skip }, async (t) => {
  await startSource(t, source);
  const weir = await startWeir(t);
  const viewer = await (await watch(t, weir.url, path)).received(50);
  assert.deepEqual(viewer.ts.firstPids.slice(0, 3), [pids.pat, pids.pmt, pids.media]);
  assert.ok((viewer.firstByteAfter ?? 1e9) < 300, `${viewer.firstByteAfter} ms`);
});

test('a viewer of an open stream gets PAT, PMT and the newest random-access point at once', { skip }, async (t) => {
  await startSource(t, { ...source, mbit: 8 });
  const weir = await startWeir(t);
  // Two random-access points lie in the ring after 1.5 s at one every 0.5 s.
  const first = await (await watch(t, weir.url, path)).received(8000);
  const newest = first.ts.last;
  const second = await (await watch(t, weir.url, path)).received(50);
  assert.deepEqual(second.ts.firstPids.slice(0, 3), [pids.pat, pids.pmt, pids.media]);
  assert.equal(second.ts.beganWithPicture, true);
  const back = newest - (second.ts.ranges[0]?.from ?? 0);
  assert.ok(back < 0.5 * (8e6 / 8 / 188) + 300, `began ${back} packets before the newest: not at the newest picture`);
  await second.received(3000);
  assert.deepEqual([second.ts.missing, second.ts.damaged, second.ts.backwards], [[], 0, 0]);
});

test('128 kbit/s starts as fast as its tables come', { skip }, async (t) => {
  await startSource(t, { ...source, mbit: 0.128 });
  const weir = await startWeir(t);
  const viewer = await (await watch(t, weir.url, path)).received(20);
  assert.ok((viewer.firstByteAfter ?? 1e9) < 400, `${viewer.firstByteAfter} ms`);
  // A datagram of seven packets comes every 82 ms here; what is older than that was held.
  assert.ok(viewer.ts.oldest < 82 + 50, `${viewer.ts.oldest} ms`);
});

test('null packets before the PAT are not sent: the first bytes are PAT and PMT (H04)', { skip }, async (t) => {
  const encoder = await startSource(t, { ...source, nulls: true });
  const weir = await startWeir(t);
  const viewer = new Viewer(weir.url, path);
  t.after(() => viewer.close());
  await until('the join', () => joins(group) === 1);
  const { datagrams } = await encoder.report();
  // 100 datagrams are 0.5 s and a little of nulls.
  await until('null packets', async () => (await encoder.report()).datagrams > datagrams + 100);
  assert.equal(viewer.status, 0, 'something was sent before the PAT');
  encoder.begin();
  await viewer.received(50);
  assert.deepEqual(viewer.ts.firstPids.slice(0, 3), [pids.pat, pids.pmt, pids.media]);
});

test('a TS without PAT goes out as it comes after 500 ms, aligned', { skip }, async (t) => {
  await startSource(t, { ...source, tables: false });
  const weir = await startWeir(t);
  const viewer = await (await watch(t, weir.url, path)).received(200);
  const after = viewer.firstByteAfter ?? 1e9;
  assert.ok(after > 450 && after < 900, `${after} ms`);
  assert.deepEqual([viewer.ts.missing, viewer.ts.damaged], [[], 0]);
});

test('HEAD is answered within 1 s without a join and without a stream (H01)', { skip }, async (t) => {
  const weir = await startWeir(t);
  const began = performance.now();
  const answer = await ask(weir.url, path, { method: 'HEAD' });
  assert.ok(performance.now() - began < 1000);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'video/mp2t');
  assert.equal(answer.body, '');
  assert.equal(joins(group), 0);
  assert.deepEqual(await weir.streams(), []);
});

test('Range on a live stream is ignored: 200 from the live edge', { skip }, async (t) => {
  await startSource(t, source);
  const weir = await startWeir(t);
  const viewer = await (await watch(t, weir.url, path, { headers: { Range: 'bytes=0-' } })).received(50);
  assert.equal(viewer.status, 200);
  assert.equal(viewer.headers.has('content-range'), false);
});

test('a stream can be asked for on a connection that was used before', { skip }, async (t) => {
  await startSource(t, source);
  const weir = await startWeir(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const [list] = (await once(get(new URL('/playlist.m3u', weir.url), { agent }), 'response')) as [IncomingMessage];
  const port = list.socket.localPort;
  await once(list.resume(), 'end');
  const [stream] = (await once(get(new URL(path, weir.url), { agent }), 'response')) as [IncomingMessage];
  assert.equal(stream.socket.localPort, port);
  const ts = new TsReader();
  stream.on('data', (chunk) => ts.push(chunk));
  await until('media', () => ts.count > 200);
  assert.deepEqual([stream.statusCode, ts.missing, ts.damaged], [200, [], 0]);
});
