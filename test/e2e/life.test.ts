import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Viewer, watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { joins, running } from '../support/proc.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';
import { makeWeir, runWeir, startWeir, type Weir } from '../support/weir.js';

const skip = privateNetwork();
const groups = ['239.1.9.1', '239.1.9.2'];
const paths = groups.map((group) => `/rtp/${group}:5000`);
const path = paths[0] ?? '';

type Owner = Parameters<typeof watch>[0] & Parameters<typeof startSource>[0];

/** Eight viewers of two streams, each of which has received something. */
async function eightViewers(owner: Owner, weir: Weir): Promise<Viewer[]> {
  for (const [index, address] of groups.entries())
    await startSource(owner, { address, port: 5000, mbit: 4, tag: index });
  const viewers = await Promise.all(
    [0, 1, 0, 1, 0, 1, 0, 1].map((index) => watch(owner, weir.url, paths[index] ?? '')),
  );
  await Promise.all(viewers.map((viewer) => viewer.received(300)));
  return viewers;
}

function assertUnharmed(viewers: readonly Viewer[]): void {
  for (const { ended, ts } of viewers) {
    const { missing, damaged, discontinuities, backwards } = ts;
    assert.deepEqual(
      { ended, missing, damaged, discontinuities, backwards },
      { ended: null, missing: [], damaged: 0, discontinuities: 0, backwards: 0 },
    );
  }
}

const restarts: { title: string; end: (weir: Weir) => Promise<unknown> }[] = [
  { title: 'kill -9 of Node', end: (weir) => weir.signal('SIGKILL') },
  { title: 'SIGUSR2', end: (weir) => weir.signal('SIGUSR2') },
  {
    title: 'weir restart',
    end: async (weir) => {
      const { code, err } = runWeir('restart', '--data', weir.data);
      assert.equal(code, 0, err);
      await weir.exited();
    },
  },
];

for (const { title, end } of restarts) {
  test(`${title} while 8 viewers watch: nobody loses a byte, the next weir serve lists them all`, {
    skip,
  }, async (t) => {
    const weir = await startWeir(t);
    const viewers = await eightViewers(t, weir);
    const before = await weir.viewers();
    const pump = await weir.pump();
    await end(weir);
    await Promise.all(viewers.map((viewer) => viewer.received(300)));
    assertUnharmed(viewers);
    assert.deepEqual(weir.pumps(), [pump]);

    await weir.start();
    const after = await weir.viewers();
    const known = ({ id, stream, note, upstream }: (typeof after)[number]) =>
      JSON.stringify({ id, stream, note, upstream });
    assert.deepEqual(after.map(known).sort(), before.map(known).sort());
    assert.equal((await weir.streams()).length, 2);
    assert.deepEqual(weir.pumps(), [pump]);
    const ninth = await (await watch(t, weir.url, path)).received(300);
    await Promise.all(viewers.map((viewer) => viewer.received(300)));
    assertUnharmed([...viewers, ninth]);
    for (const viewer of [...viewers, ninth]) viewer.close();
    await until('the groups to be left', () => groups.every((group) => joins(group) === 0));
  });
}

test('a viewer that waits for its first byte when Node is killed gets it from the pump', { skip }, async (t) => {
  const weir = await startWeir(t);
  const waiting = new Viewer(weir.url, path);
  t.after(() => waiting.close());
  await until('the viewer to wait', async () => (await weir.viewers()).length === 1);
  await weir.signal('SIGKILL');
  await startSource(t, { address: groups[0] ?? '', port: 5000 });
  await waiting.received(100);
  assert.deepEqual([waiting.status, waiting.ended, waiting.ts.missing], [200, null, []]);
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends Node and pump within 5 s with exit code 0, viewers or not`, { skip }, async (t) => {
    const weir = await startWeir(t);
    const viewers = await eightViewers(t, weir);
    const pump = await weir.pump();
    const began = performance.now();
    assert.deepEqual(await weir.signal(signal), { code: 0, signal: null });
    await until('the pump to end', () => !running(pump));
    assert.ok(performance.now() - began < 5000);
    await Promise.all(viewers.map((viewer) => viewer.closed()));
    assert.ok(groups.every((group) => joins(group) === 0));
  });
}

test('kill -9 of the pump: a new one within 1 s, each session logged closed once, new requests work', {
  skip,
}, async (t) => {
  const weir = await startWeir(t);
  const viewers = await eightViewers(t, weir);
  const ids = (await weir.viewers()).map(({ id }) => id);
  const pump = await weir.pump();
  const seen = weir.log.length;
  process.kill(pump, 'SIGKILL');
  await until('a new pump', () => weir.pumps().some((pid) => pid !== pump), { within: 1000 });
  await Promise.all(viewers.map((viewer) => viewer.closed()));
  for (const viewer of viewers) assert.deepEqual([viewer.ts.missing, viewer.ts.damaged], [[], 0]);
  const next = await until(
    'a new viewer to be let in',
    async () => {
      const viewer = await watch(t, weir.url, path);
      return viewer.status === 200 ? viewer : undefined;
    },
    { within: 1000 },
  );
  await next.received(300);
  const text = weir.log.slice(seen);
  for (const id of ids) {
    const closed = text.split('\n').filter((line) => /closed/.test(line) && line.includes(id));
    assert.equal(closed.length, 1, `${id}: ${closed.join('\n')}`);
  }
  assert.equal((await weir.viewers()).length, 1);
});

test('a viewer that waits for its first byte when the pump dies is answered 503', { skip }, async (t) => {
  const weir = await startWeir(t);
  const waiting = watch(t, weir.url, path);
  await until('the join', () => joins(groups[0] ?? '') === 1);
  process.kill(await weir.pump(), 'SIGKILL');
  const { status, body } = await (await waiting).closed();
  assert.equal(status, 503, body);
});

test('a second weir serve on the same data ends with one line and code 1, the first goes on', { skip }, async (t) => {
  const weir = await startWeir(t);
  const [viewer] = await eightViewers(t, weir);
  const second = makeWeir(t, { data: weir.data });
  second.spawn();
  assert.deepEqual(await second.exited(), { code: 1, signal: null });
  assert.match(second.log, /^[^\n]+\n$/);
  assert.ok(second.log.includes(weir.data), second.log);
  await viewer?.received(300);
  assertUnharmed(viewer === undefined ? [] : [viewer]);
  assert.equal((await weir.viewers()).length, 8);
});
