import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Counted, whoGoes } from '../../../src/relay/rtsp/limits.js';
import { startCarrier } from '../../support/carrier/server.js';
import { ask, watch } from '../../support/http.js';
import { pathOf, startFront } from './front.js';

const client = (userAgent: string) => ({
  channel: null,
  token: 1,
  userAgent,
  peer: '10.0.0.1',
  archive: null,
  asked: null,
});
const one = (stream: string, since: number, viewers: string[], account = 'a'): Counted => ({
  ...{ stream, account, since },
  viewers: viewers.map(client),
});

for (const { title, sessions, goes } of [
  { title: 'none: nobody', sessions: [], goes: null },
  { title: 'those of others: nobody', sessions: [one('x', 1, ['other'])], goes: null },
  { title: 'one that others share: nobody', sessions: [one('x', 1, ['me', 'other'])], goes: null },
  { title: 'one of another account: nobody', sessions: [one('x', 1, ['me'], 'b')], goes: null },
  { title: 'two of its own: the older', sessions: [one('x', 2, ['me']), one('y', 1, ['me'])], goes: 'y' },
  { title: 'one that nobody watches before its own', sessions: [one('x', 1, ['me']), one('y', 2, [])], goes: 'y' },
] as const) {
  test(`at the limit, of ${title}`, () => {
    assert.equal(whoGoes([...sessions], 'a', client('me'))?.stream ?? null, goes);
  });
}

test('where one session is allowed, a client takes the place of its own, and of nobody else', async (t) => {
  const carrier = await startCarrier(t, { most: 1 });
  const front = await startFront(t);
  const headers = { 'User-Agent': 'one' };
  const first = await (await watch(t, front.url, pathOf(carrier.url('/1')), { headers })).received(100);
  const other = await ask(front.url, pathOf(carrier.url('/2')), { headers: { 'User-Agent': 'two' } });
  assert.equal(other.status, 503);
  assert.match(other.body, /allows no more sessions \(453\): 1 in use here/);
  assert.equal(first.ended, null);
  const second = await watch(t, front.url, pathOf(carrier.url('/2')), { headers });
  await second.received(100);
  await first.closed();
  assert.deepEqual(
    carrier.sessions.map(({ end }) => end),
    ['teardown', null],
  );
});

test('a number of sessions that the household set is kept without asking the server', async (t) => {
  const carrier = await startCarrier(t);
  const front = await startFront(t, {}, () => ({ sessions: 1 }));
  await (await watch(t, front.url, pathOf(carrier.url('/1')), { headers: { 'User-Agent': 'one' } })).received(100);
  const before = carrier.requests.length;
  const other = await ask(front.url, pathOf(carrier.url('/2')), { headers: { 'User-Agent': 'two' } });
  assert.deepEqual([other.status, carrier.requests.length], [503, before]);
});
