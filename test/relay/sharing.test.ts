import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { joins, udpSockets } from '../support/proc.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.1.1';
const port = 5000;
const path = `/rtp/${group}:${port}`;

test('50 viewers of one group share one membership and one socket; it is left after the linger', {
  skip,
}, async (t) => {
  await startSource(t, { address: group, port });
  const weir = await startWeir(t);
  const viewers = await Promise.all(Array.from({ length: 50 }, () => watch(t, weir.url, path)));
  await Promise.all(viewers.map((viewer) => viewer.received(200)));
  assert.equal(joins(group), 1);
  assert.equal(udpSockets(port), 1);
  assert.equal((await weir.viewers()).length, 50);
  for (const viewer of viewers)
    assert.deepEqual({ status: viewer.status, missing: viewer.ts.missing }, { status: 200, missing: [] });

  for (const viewer of viewers.slice(1)) viewer.close();
  await until('one viewer to be left', async () => (await weir.viewers()).length === 1);
  await viewers[0]?.received(100);
  assert.equal(joins(group), 1);

  viewers[0]?.close();
  const closed = performance.now();
  await until('no viewer to be left', async () => (await weir.viewers()).length === 0);
  assert.equal(joins(group), 1, 'left before the linger of 0.5 s was over');
  await until('the group to be left', () => joins(group) === 0);
  const lingered = performance.now() - closed;
  assert.ok(lingered > 400 && lingered < 1500, `left after ${lingered} ms`);
  assert.equal(udpSockets(port), 0);
  assert.deepEqual(await weir.streams(), []);
});

test('a viewer that comes in the linger is on the open stream: no second join', { skip }, async (t) => {
  await startSource(t, { address: group, port });
  const weir = await startWeir(t, { env: { WEIR_STREAMS_LINGER: '2' } });
  const first = await (await watch(t, weir.url, path)).received(200);
  first.close();
  await until('the stream to linger', async () => (await weir.stream()).state === 'lingering');
  const before = await weir.stream();
  const second = await (await watch(t, weir.url, path)).received(200);
  const after = await weir.stream();
  assert.equal(after.id, before.id);
  assert.ok(after.uptime >= before.uptime, 'it was opened anew');
  assert.equal(after.state, 'live');
  assert.deepEqual(second.ts.missing, []);
});

test('DELETE of a viewer disconnects that viewer, DELETE of a stream all of its viewers', { skip }, async (t) => {
  await startSource(t, { address: group, port });
  const weir = await startWeir(t);
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => watch(t, weir.url, path)));
  const { id } = (await weir.viewers())[0] ?? { id: '' };
  assert.equal(await weir.delete(`/api/v1/viewers/${encodeURIComponent(id)}`), 204);
  await until('one to be disconnected', () => [one, two, three].filter((viewer) => viewer?.ended != null).length === 1);
  assert.equal((await weir.viewers()).length, 2);
  const stream = await weir.stream();
  assert.equal(await weir.delete(`/api/v1/streams/${encodeURIComponent(stream.id)}`), 204);
  await Promise.all([one, two, three].map((viewer) => viewer?.closed()));
  await until('the group to be left', () => joins(group) === 0);
  assert.equal(await weir.delete(`/api/v1/viewers/${encodeURIComponent(id)}`), 404);
});
