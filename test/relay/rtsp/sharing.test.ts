import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCarrier } from '../../support/carrier/server.js';
import { watch } from '../../support/http.js';
import { until } from '../../support/until.js';
import { pathOf, startFront } from './front.js';

test('8 viewers of one address make one session, byte for byte; TEARDOWN is said after the last has left', async (t) => {
  const carrier = await startCarrier(t);
  const front = await startFront(t);
  const path = pathOf(carrier.url('/PLTV/1.smil?a=b'));
  const viewers = await Promise.all(Array.from({ length: 8 }, () => watch(t, front.url, path)));
  await Promise.all(viewers.map((viewer) => viewer.received(200)));
  for (const { status, ts } of viewers) {
    assert.deepEqual({ status, missing: ts.missing, damaged: ts.damaged }, { status: 200, missing: [], damaged: 0 });
  }
  assert.equal(carrier.sessions.length, 1);
  const [stream] = await front.relay.streams();
  assert.equal(stream?.transport, 'tcp');
  assert.equal(stream?.viewers, 8);
  for (const viewer of viewers) viewer.close();
  await carrier.seen('the farewell', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
  await until('the stream to be gone', async () => (await front.relay.streams()).length === 0);
});
