import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ArchivePlan } from '../../../src/relay/contract.js';
import { startCarrier } from '../../support/carrier/server.js';
import { watch } from '../../support/http.js';
import { processes } from '../../support/proc.js';
import { makeTempDir } from '../../support/temp.js';
import { until } from '../../support/until.js';
import { pathOf, startFront } from './front.js';

const start = 1_704_110_400;

type Owner = { after(undo: () => void | Promise<void>): void };

function home(owner: Owner): { readonly dir: string } {
  const { path: dir, remove } = makeTempDir();
  owner.after(remove);
  return { dir };
}

for (const way of ['tcp', 'udp'] as const) {
  test(`a session by ${way} goes on without Node, and the next one ends it with its own farewell`, async (t) => {
    const carrier = await startCarrier(t, { ways: [way], quirks: ['q02', 'q03'] });
    const options = home(t);
    const first = await startFront(t, options);
    const viewer = await (await watch(t, first.url, pathOf(carrier.url('/1')))).received(200);
    first.relay.leave();
    await carrier.seen('two keepalives', ({ requests }) =>
      requests.filter(({ method }) => method === 'GET_PARAMETER').length >= 2 ? true : undefined,
    );
    const second = await startFront(t, options);
    await viewer.received(200);
    const other = await (await watch(t, second.url, pathOf(carrier.url('/1')))).received(200);
    assert.deepEqual([viewer.ts.missing, viewer.ended, carrier.sessions.length], [[], null, 1]);
    viewer.close();
    other.close();
    await carrier.seen('the farewell', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
    const numbers = carrier.requests.map(({ headers: { cseq } }) => Number(cseq));
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((one, next) => one - next),
    );
  });
}

test('an archive is planned again after a restart, when its server cuts it then', async (t) => {
  const position = ({ url }: { readonly url: string }) => Number(/at=(\d+)/.exec(url)?.[1] ?? start) - start;
  const carrier = await startCarrier(t, { position, speed: 10 });
  const from = (seconds: number) => ({ url: carrier.url(`/TVOD/1?at=${start + seconds}`), range: null });
  const plan: ArchivePlan = { wish: { start, end: null }, range: null, client: 'c', asked: 'a', from };
  const options = home(t);
  const first = await startFront(t, options, () => ({ archive: plan }));
  const viewer = await (await watch(t, first.url, pathOf(carrier.url(`/TVOD/1?at=${start}`)))).received(5000);
  first.relay.leave();
  const planned: number[] = [];
  const rtsp = {
    planAgain: (archive: { readonly start: number }) => {
      planned.push(archive.start);
      return Promise.resolve({ from });
    },
  };
  await startFront(t, { ...options, rtsp });
  carrier.cut();
  const again = await carrier.seen('a second session', ({ sessions }) =>
    (sessions[1]?.sent ?? 0) > 0 ? sessions[1] : undefined,
  );
  assert.ok(position(again) >= 9, again.url);
  await viewer.received(500);
  assert.deepEqual([planned, viewer.ended], [[start], null]);
});

test('a session that was being set up when Node ended is set up by the next', async (t) => {
  const carrier = await startCarrier(t, { delay: 700 });
  const options = home(t);
  const first = await startFront(t, options);
  const waiting = watch(t, first.url, pathOf(carrier.url('/1')));
  await carrier.seen('DESCRIBE', ({ requests }) => requests.find(({ method }) => method === 'DESCRIBE'));
  first.relay.leave();
  await startFront(t, options);
  const viewer = await waiting;
  await viewer.received(100);
  assert.equal(viewer.status, 200);
  await until('one session', () => carrier.sessions.filter(({ end }) => end === null).length === 1);
});

test('a pump that dies takes no session with it: the farewell is said over another connection', async (t) => {
  const carrier = await startCarrier(t, { ways: ['udp'] });
  const options = home(t);
  const front = await startFront(t, options);
  await (await watch(t, front.url, pathOf(carrier.url('/1')))).received(100);
  const [pump = 0] = processes('weir-pump', options.dir);
  process.kill(pump, 'SIGKILL');
  await carrier.seen('the farewell', ({ sessions }) => (sessions[0]?.end === 'teardown' ? true : undefined));
});
