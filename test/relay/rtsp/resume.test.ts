import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArchivePlan } from '../../../src/relay/contract.js';
import { type Carrier, startCarrier } from '../../support/carrier/server.js';
import { watch } from '../../support/http.js';
import { until } from '../../support/until.js';
import { type Asked, pathOf, startFront } from './front.js';

const start = 1_704_110_400;
/** Seconds of the programme that are sent in one. */
const speed = 10;

/** The programme as its addresses have it: `?at=` is where it begins. */
function archive(carrier: Carrier, asked = 'one', end: number | null = start + 7200): ArchivePlan {
  const from = (seconds: number) => ({ url: carrier.url(`/TVOD/1?at=${start + seconds}`), range: null });
  return { wish: { start, end }, range: null, client: 'c1', asked, from };
}

function position({ url }: { readonly url: string }): number {
  return Number(/at=(\d+)/.exec(url)?.[1] ?? start) - start;
}

/** Asked for what stands behind `asked=`. */
function asking(carrier: () => Carrier): (path: string) => Asked {
  return (path) => ({ archive: archive(carrier(), new URLSearchParams(path.split('?')[1]).get('asked') ?? 'one') });
}

async function set(t: Parameters<typeof startCarrier>[0]) {
  const carrier = await startCarrier(t, { position, speed });
  const front = await startFront(
    t,
    {},
    asking(() => carrier),
  );
  const path = (asked = 'one') => pathOf(carrier.url(`/TVOD/1?at=${start}`), `&asked=${asked}`);
  return { carrier, front, path };
}

test('a look at the first bytes and then the whole programme make one session, which begins at its first byte', async (t) => {
  const { carrier, front, path } = await set(t);
  const probe = await watch(t, front.url, path());
  const first = probe.firstBytes.subarray(0, 188);
  probe.close();
  await until('the stream to linger', async () => (await front.relay.streams())[0]?.viewers === 0);
  const viewer = await (await watch(t, front.url, path())).received(500);
  assert.equal(carrier.sessions.length, 1);
  assert.deepEqual(viewer.firstBytes.subarray(0, 188), first);
  assert.deepEqual([viewer.ts.missing, viewer.ts.ranges[0]?.from], [[], 0]);
});

test('an archive whose server cuts it is opened again where it was, its viewer stays', async (t) => {
  const { carrier, front, path } = await set(t);
  const viewer = await (await watch(t, front.url, path())).received(10_000);
  const media = (await front.relay.streams())[0]?.media ?? 0;
  carrier.cut();
  const again = await carrier.seen('a second session', ({ sessions }) => sessions[1]);
  const at = position(again);
  assert.ok(at >= Math.floor(media) && at <= media + 2 * speed, `${at} after ${media}`);
  await viewer.received(1000);
  assert.equal(viewer.ended, null);
  assert.equal((await front.relay.streams()).length, 1);
});

test('an archive that ended with its viewer goes on where that one was, for the same client and request', async (t) => {
  const { carrier, front, path } = await set(t);
  const viewer = await (await watch(t, front.url, path())).received(10_000);
  // The second time within a minute is the last.
  carrier.cut();
  await carrier.seen('a second session', ({ sessions }) => (sessions[1]?.sent === 0 ? undefined : sessions[1]));
  await viewer.received(500);
  const before = position(carrier.sessions[1] ?? { url: '' });
  carrier.cut();
  await viewer.closed();
  await watch(t, front.url, path());
  const third = await carrier.seen('a third session', ({ sessions }) => sessions[2]);
  const last = viewer.ts.last / 500;
  assert.ok(position(third) >= before, `${position(third)} after ${before}`);
  assert.ok(position(third) <= last && position(third) >= last - 2, `${position(third)} of ${last}`);
});

test('seeking: what the client left behind is torn down before the server is asked for the next', async (t) => {
  const { carrier, front, path } = await set(t);
  const viewer = await (await watch(t, front.url, path())).received(500);
  viewer.close();
  await until('the stream to linger', async () => (await front.relay.streams())[0]?.viewers === 0);
  await (await watch(t, front.url, path('two'))).received(100);
  const order = carrier.requests.map(({ method }) => method).filter((method) => /TEARDOWN|DESCRIBE/.test(method));
  assert.deepEqual(order, ['DESCRIBE', 'TEARDOWN', 'DESCRIBE']);
});

test('a programme that has ended is sent whole, then its viewer is closed', async (t) => {
  const carrier = await startCarrier(t, { speed: 20, length: 20, position });
  const plan = archive(carrier, 'one', start + 20);
  const front = await startFront(t, {}, () => ({ archive: plan }));
  const viewer = await watch(t, front.url, pathOf(carrier.url(`/TVOD/1?at=${start}`)));
  await viewer.closed();
  assert.deepEqual([viewer.ended, viewer.ts.missing], ['end', []]);
  const sent = carrier.sessions[0]?.sent ?? 0;
  assert.ok(sent >= 10_000 && viewer.ts.packets >= sent, `${viewer.ts.packets} of ${sent}`);
  assert.equal(carrier.sessions.length, 1);
});
