import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, Viewer, watch } from '../support/http.js';
import { buildStreet } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { joins } from '../support/proc.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.7.1';
const path = `/rtp/${group}:5000`;
/** Shorter than the defaults of 4 and 2 s, so that the tests are. */
const env = { WEIR_STREAMS_NO_SIGNAL: '1.5', WEIR_STREAMS_REJOIN: '0.5' };

test('a silent group is answered 503 with the reason, after a rejoin, and left', { skip }, async (t) => {
  const weir = await startWeir(t, { env });
  const began = performance.now();
  const asked = ask(weir.url, path);
  await until('the rejoin', async () => (await weir.stream()).rejoins === 1);
  const answer = await asked;
  const took = performance.now() - began;
  assert.equal(answer.status, 503);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(answer.body, /^[^\n]*nothing[^\n]*\n?$/i);
  assert.ok(took > 1400 && took < 2500, `${took} ms`);
  await until('the group to be left', () => joins(group) === 0);
});

test('a silent group is answered with problem+json to a client that asks for JSON', { skip }, async (t) => {
  const weir = await startWeir(t, { env });
  const answer = await ask(weir.url, path, { headers: { Accept: 'application/json' } });
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  const { status, code } = JSON.parse(answer.body);
  assert.deepEqual({ status, code }, { status: 503, code: 'no-signal' });
});

test('a client that breaks off while it waits is forgotten, the group left', { skip }, async (t) => {
  const weir = await startWeir(t, { env: { WEIR_STREAMS_NO_SIGNAL: '30' } });
  const waiting = new Viewer(weir.url, path);
  await until('the viewer to wait', async () => (await weir.viewers()).length === 1);
  waiting.reset();
  await until('the viewer to be gone', async () => (await weir.viewers()).length === 0);
  await until('the group to be left', () => joins(group) === 0);
});

test('a group that sends packets of another kind is answered 503 saying so', { skip }, async (t) => {
  await startSource(t, { address: group, port: 5000, framing: 'other' });
  const weir = await startWeir(t, { env });
  const answer = await ask(weir.url, path);
  assert.equal(answer.status, 503);
  assert.match(answer.body, /another kind/);
});

test('a group that is sent on another interface is answered 503 naming that interface', { skip }, async (t) => {
  const [asked, sent] = [buildStreet(1), buildStreet(2)];
  t.after(asked.close);
  t.after(sent.close);
  await startSource(t, {
    address: group,
    port: 5000,
    netns: sent.netns,
    from: sent.hosts[0],
    interface: sent.hosts[0],
  });
  const weir = await startWeir(t, { env });
  const answer = await ask(weir.url, `${path}?ifname=${asked.interface}`);
  assert.equal(answer.status, 503);
  assert.match(answer.body, new RegExp(`\\b${sent.interface}\\b`));
});

test('silence in mid-stream: joined again, then flowing on without a closed viewer', { skip }, async (t) => {
  const encoder = await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t, { env });
  const viewer = await (await watch(t, weir.url, path)).received(500);
  encoder.pause();
  await until('the rejoin', async () => (await weir.stream()).rejoins === 1);
  assert.equal((await weir.stream()).state, 'silent');
  assert.equal(joins(group), 1);
  encoder.resume();
  await viewer.received(500);
  assert.equal((await weir.stream()).state, 'live');
  assert.deepEqual([viewer.ended, viewer.ts.missing, viewer.ts.damaged], [null, [], 0]);
});

test('silence in mid-stream that lasts: the viewer is closed, the group left, the reason logged', {
  skip,
}, async (t) => {
  const encoder = await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t, { env });
  const viewer = await (await watch(t, weir.url, path)).received(500);
  encoder.pause();
  await viewer.closed(4000);
  await until('the group to be left', () => joins(group) === 0);
  await weir.logged(/no-signal/);
});
