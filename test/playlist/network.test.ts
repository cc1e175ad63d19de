import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { household, m3u } from './set-up.js';

test('what the configuration says of a list holds for its channels, and changes at a start without reading the list again', async (t) => {
  const first = await household(t, { list: m3u(['One', 1], ['Two', 2]) });
  const given = (network: { interface: string | null; membership_refresh: number | null }) => [
    { location: first.file, ...network },
    { location: join(first.dir, 'missing.m3u'), interface: 'eth9', membership_refresh: 9 },
  ];
  const received = async ({ channels }: typeof first) =>
    (await channels()).map(({ name, upstream, membershipRefresh }) => [name, upstream?.interface, membershipRefresh]);
  const before = await first.keys();
  assert.deepEqual(await received(first), [
    ['One', null, null],
    ['Two', null, null],
  ]);
  await first.stop();

  const second = await household(t, {
    dir: first.dir,
    sources: given({ interface: 'eth1,eth2', membership_refresh: 0.5 }),
  });
  assert.deepEqual(await received(second), [
    ['One', 'eth1,eth2', 0.5],
    ['Two', 'eth1,eth2', 0.5],
  ]);
  assert.deepEqual(await second.keys(), before);
  assert.equal((await second.status())?.interface, 'eth1,eth2');
  assert.ok(!second.lines.some(({ msg }) => msg === 'playlist published'), 'the list was not imported again');
  const [key = ''] = before.values();
  assert.deepEqual((await second.store.channels.byKey(key))?.upstream?.interface, 'eth1,eth2');
  await second.stop();

  const third = await household(t, { dir: first.dir, sources: given({ interface: null, membership_refresh: 0 }) });
  assert.deepEqual(await received(third), [
    ['One', null, 0],
    ['Two', null, 0],
  ]);
});

test('of a list that is given twice the last one counts', async (t) => {
  const { dir, stop, file } = await household(t, { list: m3u(['One', 1]) });
  await stop();
  const source = { location: file, interface: null, membership_refresh: null };
  const again = await household(t, { dir, sources: [source, { ...source, interface: 'eth1' }] });
  assert.deepEqual(
    (await again.channels()).map(({ upstream }) => upstream?.interface),
    ['eth1'],
  );
});
