import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCarrier } from '../../support/carrier/server.js';
import { ask, watch } from '../../support/http.js';
import { pathOf, startFront } from './front.js';

test('a session that falls silent is opened once more: TEARDOWN first, and its viewer stays', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q46', 'q32'] });
  const front = await startFront(t);
  const viewer = await (await watch(t, front.url, pathOf(carrier.url('/1')))).received(800);
  const second = await carrier.seen('a second session', ({ sessions }) => sessions[1]);
  assert.equal(carrier.sessions[0]?.end, 'teardown');
  await carrier.seen('its media', () => (second.sent > 500 ? true : undefined));
  await viewer.received(100);
  assert.deepEqual([viewer.ended, viewer.ts.damaged], [null, 0]);
});

test('a server that sends nothing by TCP is answered 503 with the reason, within 5 s', async (t) => {
  const carrier = await startCarrier(t, { fault: 'no-media', ways: ['tcp'] });
  const front = await startFront(t);
  const began = performance.now();
  const { status, body } = await ask(front.url, pathOf(carrier.url('/1')));
  assert.equal(status, 503);
  assert.match(body, /^No signal: .*sent no media/);
  assert.ok(performance.now() - began < 5000);
  await carrier.seen('the farewell', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
  assert.equal(carrier.sessions.length, 1);
});

test('a server that sends nothing by UDP is asked for TCP alone, once', async (t) => {
  const carrier = await startCarrier(t, { fault: 'no-media', ways: ['udp'] });
  const front = await startFront(t);
  const { status, body } = await ask(front.url, pathOf(carrier.url('/1')));
  assert.ok(status === 502 && /no transport/.test(body), `${status} ${body}`);
  const offers = carrier.requests
    .filter(({ method }) => method === 'SETUP')
    .map(({ headers: { transport } }) => transport ?? '');
  assert.match(offers[0] ?? '', /client_port/);
  assert.doesNotMatch(offers.at(-1) ?? '', /client_port/);
});

test('a live session that is cut twice within a minute is the end of it: the viewer is closed', async (t) => {
  const carrier = await startCarrier(t);
  const front = await startFront(t);
  const viewer = await (await watch(t, front.url, pathOf(carrier.url('/1')))).received(200);
  carrier.cut();
  await carrier.seen('a second session', ({ sessions }) => ((sessions[1]?.sent ?? 0) > 200 ? true : undefined));
  assert.equal(viewer.ended, null);
  carrier.cut();
  await viewer.closed();
  assert.equal(carrier.sessions.length, 2);
});
