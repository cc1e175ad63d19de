import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { channels } from '../../demo/channels.js';
import { startCarrier } from '../support/carrier/server.js';
import { startGstRtsp } from '../support/gst-rtsp.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { longRecording } from '../support/recording.js';
import { startRtspHousehold } from '../support/rtsp-household.js';
import { until } from '../support/until.js';

const skip = privateNetwork();

const ways = ['tcp', 'udp'] as const;

test('Node is killed', { skip, timeout: 180_000, concurrency: 4 }, async (t) => {
  const played = ways.flatMap((way) => [
    t.test(
      `while a session of 6 s plays by ${way.toUpperCase()}, and comes back after 8 s: no byte is lost, it stays one session`,
      async (t) => await withCarrier(t, way),
    ),
    t.test(
      `while gst-rtsp-server plays by ${way.toUpperCase()}, and comes back after 5 s: the same stream goes on without an error`,
      { skip: needs('gst-rtsp') },
      async (t) => await withGst(t, way),
    ),
  ]);
  await Promise.all(played);
});

async function withCarrier(t: TestContext, way: 'tcp' | 'udp'): Promise<void> {
  const carrier = await startCarrier(t, { ways: [way], quirks: ['q02', 'q03'] });
  const household = await startRtspHousehold(t, [{ name: 'One', url: carrier.url('/live') }]);
  const viewer = await household.watch(t, 'One');
  await viewer.received(500);
  await household.weir.signal('SIGKILL');
  await viewer.received(4_000, 20_000);
  await household.weir.start();
  await viewer.received(4_000, 20_000);
  const { missing, damaged, discontinuities, backwards } = viewer.ts;
  assert.deepEqual(
    { missing, damaged, discontinuities, backwards },
    { missing: [], damaged: 0, discontinuities: 0, backwards: 0 },
  );
  assert.equal(viewer.ended, null);
  assert.deepEqual(
    carrier.sessions.map(({ end }) => end),
    [null],
  );
  const numbers = carrier.requests.map(({ headers: { cseq } }) => Number(cseq));
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].sort((one, other) => one - other),
  );
  viewer.close();
  await carrier.seen('TEARDOWN', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
}

async function withGst(t: TestContext, way: 'tcp' | 'udp'): Promise<void> {
  const server = await startGstRtsp(t, longRecording(t, channels[2]?.file ?? '', 120), way);
  const household = await startRtspHousehold(t, [{ name: 'One', url: server.url }]);
  const viewer = await household.watch(t, 'One');
  await grown(viewer.ts, 200_000);
  await household.weir.signal('SIGKILL');
  await grown(viewer.ts, 400_000);
  await household.weir.start();
  await grown(viewer.ts, 200_000);
  const { continuityErrors, state } = await household.weir.stream();
  assert.deepEqual(
    { continuityErrors, state, ended: viewer.ended },
    { continuityErrors: 0, state: 'live', ended: null },
  );
  assert.equal(server.count('setup-request'), 1, server.facts.join(' · '));
  viewer.close();
  await until('TEARDOWN', () => server.count('teardown-request') === 1);
}

async function grown(ts: { readonly bytes: number }, by: number): Promise<void> {
  const wanted = ts.bytes + by;
  await until(`${by} bytes more`, () => ts.bytes >= wanted, { within: 30_000 });
}
