import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Carrier, startCarrier } from '../../support/carrier/server.js';
import { ask, Viewer, watch } from '../../support/http.js';
import { pathOf, startFront } from './front.js';

const kept = (carrier: Carrier, method: string) => carrier.requests.filter((one) => one.method === method).length;

for (const { what, quirks, method } of [
  { what: 'GET_PARAMETER', quirks: [], method: 'GET_PARAMETER' },
  { what: 'OPTIONS where GET_PARAMETER is not known', quirks: ['q29'], method: 'OPTIONS' },
  { what: 'OPTIONS where GET_PARAMETER is refused', quirks: ['q30'], method: 'OPTIONS' },
  { what: 'another nonce where the first is stale', quirks: ['q25'], method: 'GET_PARAMETER' },
  { what: 'a new count where uses of a nonce are counted', quirks: ['q24'], method: 'GET_PARAMETER' },
] as const) {
  test(`a session of 6 s is kept up for longer with ${what}`, async (t) => {
    const carrier = await startCarrier(t, { quirks: ['q02', 'q03', ...quirks] });
    const front = await startFront(t);
    const viewer = await (await watch(t, front.url, pathOf(carrier.url('/1')))).received(100);
    const before = kept(carrier, method);
    await carrier.seen('four keepalives', () => (kept(carrier, method) >= before + 4 ? true : undefined), 16_000);
    await viewer.received(100);
    assert.deepEqual([viewer.ended, viewer.ts.missing, carrier.sessions.length], [null, [], 1]);
    viewer.close();
    await carrier.seen('the farewell', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
  });
}

test('what a server asks itself is answered, and media goes on', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q38'] });
  const front = await startFront(t);
  const viewer = await (await watch(t, front.url, pathOf(carrier.url('/1')))).received(100);
  await carrier.seen('two answers', ({ answers }) => (answers.length === 2 ? true : undefined));
  await viewer.received(100);
  assert.ok(
    carrier.answers.every((answer) => answer === 'RTSP/1.0 200 OK'),
    carrier.answers.join(),
  );
});

test('the end of a live session that is announced makes a new one', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q37'] });
  const front = await startFront(t);
  const viewer = await watch(t, front.url, pathOf(carrier.url('/1')));
  await carrier.seen('a second session', ({ sessions }) => ((sessions[1]?.sent ?? 0) > 0 ? true : undefined));
  assert.equal(carrier.sessions[0]?.end, 'teardown');
  assert.equal(viewer.ended, null);
});

test('PLAY is led on, with the account, to an edge that asks for a password too', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q20', 'q24'] });
  const front = await startFront(t);
  await (await watch(t, front.url, pathOf(carrier.url('/1?a=b')))).received(100);
  const plays = carrier.requests.filter(({ method }) => method === 'PLAY');
  assert.match(plays.at(-1)?.url ?? '', /edge=play/);
  assert.deepEqual(
    carrier.sessions.map(({ end }) => end),
    ['teardown', null],
  );
  assert.doesNotMatch(front.log.join(''), /s3cret|a=b/);
});

test('an address of this machine is refused unless the household allows it', async (t) => {
  const carrier = await startCarrier(t);
  const front = await startFront(t, {}, () => ({ inner: false }));
  const { status, body } = await ask(front.url, pathOf(carrier.url('/1')));
  assert.equal(status, 502);
  assert.match(body, /this machine or its links/);
  assert.equal(carrier.requests.length, 0);
});

test('an address that fits into no message is refused in one line', async (t) => {
  const carrier = await startCarrier(t);
  const front = await startFront(t);
  const { status, body } = await ask(front.url, pathOf(carrier.url(`/${'x'.repeat(3000)}`)));
  assert.ok(status === 503 && /The address is too long/.test(body), `${status} ${body}`);
  await carrier.seen('the farewell', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
});

test('a client that breaks off while a session is opened: the session is ended with the linger', async (t) => {
  const carrier = await startCarrier(t, { delay: 300 });
  const front = await startFront(t);
  const viewer = new Viewer(front.url, pathOf(carrier.url('/1')));
  await carrier.seen('SETUP', ({ requests }) => requests.find(({ method }) => method === 'SETUP'));
  viewer.close();
  await carrier.seen('the farewell', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
});
