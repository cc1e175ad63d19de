import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { household, m3u, many } from './set-up.js';

test('a list is published in its order, with what the provider says of each channel', async (t) => {
  const home = await household(t, {
    list: m3u(
      ['News', 'udp://@239.1.0.1:5000', 'tvg-id="news.uk" tvg-logo="http://l/n.png" group-title="News;HD"'],
      ['Film', 'rtp://10.0.0.9@[ff3e::1]:5004'],
      ['Sport', 'rtp://10.0.0.9@232.1.0.3:5004'],
      ['', 'udp://239.1.0.4'],
    ),
  });
  const [news, sport, unnamed] = await home.channels();
  assert.deepEqual(
    { ...news, id: 0, key: '' },
    {
      id: 0,
      key: '',
      name: 'News',
      number: null,
      groups: ['News', 'HD'],
      logo: 'http://l/n.png',
      tvgId: 'news.uk',
      guideShift: null,
      radio: false,
      extras: null,
      direct: null,
      upstream: { kind: 'udp', address: '239.1.0.1', port: 5000, source: null, interface: null },
      membershipRefresh: null,
      archive: null,
    },
  );
  assert.deepEqual(sport?.upstream, {
    kind: 'rtp',
    address: '232.1.0.3',
    port: 5004,
    source: '10.0.0.9',
    interface: null,
  });
  assert.equal(unnamed?.name, 'udp://@239.1.0.4:1234');
  assert.match(news?.key ?? '', /^[2-9a-hjkmnp-z]{8}$/);
  assert.deepEqual(await home.store.channels.byKey(news?.key ?? ''), news);
  assert.deepEqual(await home.store.channels.byId(sport?.id ?? 0), sport);
  assert.equal(await home.store.channels.byKey('zzzzzzzz'), null);
});

test('entries that cannot be received are counted by scheme, and are not published', async (t) => {
  const home = await household(t, {
    list: m3u(
      ['A', 1],
      ['B', 'http://h/udp/239.1.1.1:5000'],
      ['C', 'rtmp://h/c'],
      ['D', 'https://h/d'],
      ['E', 'http://h/e'],
    ),
  });
  assert.deepEqual([...(await home.keys()).keys()], ['A']);
  const status = await home.status();
  assert.deepEqual([status?.entries, status?.channels, status?.skipped], [5, 5, { http: 2, rtmp: 1, https: 1 }]);
});

test('a list of more channels than are read in one go is whole and in order', async (t) => {
  const home = await household(t, { list: many(4500) });
  assert.deepEqual(
    (await home.channels()).map(({ name }) => name),
    Array.from({ length: 4500 }, (_, n) => `Channel ${n}`),
  );
});

test('M32: two channels of one id are both published', async (t) => {
  const home = await household(t, { list: m3u(['A', 1, 'tvg-id="same"'], ['B', 2, 'tvg-id="same"']) });
  const channels = await home.channels();
  assert.deepEqual(
    channels.map(({ name, tvgId }) => [name, tvgId]),
    [
      ['A', 'same'],
      ['B', 'same'],
    ],
  );
  assert.notEqual(channels[0]?.key, channels[1]?.key);
});

test('a key stays with its channel when the list is reordered, renamed, extended and readdressed around it', async (t) => {
  const home = await household(t, { list: m3u(['A', 1], ['B', 2], ['C', 3], ['D', 4, 'group-title="G"']) });
  const before = await home.keys();
  home.write(m3u(['New', 9], ['C', 2], ['B', 3], ['D', 40, 'group-title="G"'], ['A HD', 1]));
  await home.playlists.refreshAll();
  const after = await home.keys();
  assert.deepEqual(
    [after.get('A HD'), after.get('B'), after.get('C'), after.get('D')],
    [before.get('A'), before.get('B'), before.get('C'), before.get('D')],
  );
  assert.deepEqual([...after.keys()], ['New', 'C', 'B', 'D', 'A HD']);
  assert.ok(![...before.values()].includes(after.get('New') ?? ''));
});

test('a file that is written, or replaced by another one, is read again, and listeners are told', async (t) => {
  const home = await household(t, { list: m3u(['A', 1]) });
  let told = 0;
  const end = home.playlists.on(({ type }) => {
    told += Number(type === 'catalogue');
  });
  home.write(m3u(['A', 1], ['B', 2]));
  await until('B is published', async () => (await home.keys()).has('B'));
  await until('the listener was told', () => told === 1);
  end();
  const replacement = join(home.dir, 'list.new');
  writeFileSync(replacement, m3u(['A', 1], ['C', 3]));
  renameSync(replacement, home.file);
  await until('C is published', async () => (await home.keys()).has('C'));
  assert.equal(told, 1);
});

const bad: [what: string, list: string, state: string, reason: RegExp][] = [
  ['empty', '', 'quarantined', /^It is empty/],
  ['an HTML page', '<html><body>Pay now</body></html>', 'quarantined', /HTML/],
  ['JSON', '{"error":"expired"}', 'quarantined', /JSON/],
  ['an HLS playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nudp://239.1.0.1:1', 'quarantined', /HLS/],
  ['short of more than 30 %', many(69), 'quarantined', /^It would drop 31 of 100 entries, more than 30 %\.$/],
];

for (const [what, list, state, reason] of bad) {
  test(`a list that comes ${what} leaves the last good one in service and says why`, async (t) => {
    const home = await household(t, { list: many(100) });
    const before = await home.channels();
    const generation = await home.store.channels.generation();
    home.write(list);
    await home.playlists.refreshAll();
    const status = await home.status();
    assert.equal(status?.state, state);
    assert.match(status?.reason ?? '', reason);
    assert.deepEqual(await home.channels(), before);
    assert.equal(await home.store.channels.generation(), generation);
    const warnings = home.lines.filter(({ level }) => level === 40);
    assert.ok(warnings.length >= 1);
    assert.match(warnings[0]?.msg ?? '', /the last good one stays/);
    home.write(many(101));
    await home.playlists.refreshAll();
    const mended = await home.status();
    assert.deepEqual([mended?.state, mended?.reason, mended?.channels], ['published', null, 101]);
  });
}

test('a list that drops 30 %, or no more than 20 entries, is published', async (t) => {
  const home = await household(t, { list: many(100) });
  home.write(many(70));
  await home.playlists.refreshAll();
  assert.deepEqual([(await home.status())?.state, (await home.status())?.entries], ['published', 70]);
  home.write(many(50));
  await home.playlists.refreshAll();
  assert.deepEqual([(await home.status())?.state, (await home.status())?.entries], ['published', 50]);
});

test('a file that is not there fails with a reason, and is read once it is', async (t) => {
  const home = await household(t);
  const status = await home.status();
  assert.deepEqual([status?.state, status?.reason], ['failed', 'The file cannot be read: ENOENT.']);
  assert.deepEqual(await home.channels(), []);
  home.write(m3u(['A', 1]));
  await until('the file is read', async () => (await home.keys()).has('A'));
});

test('a list whose directory does not exist, or is a directory, does not keep others from starting', async (t) => {
  const dir = tempDir(t);
  mkdirSync(join(dir, 'folder'));
  writeFileSync(join(dir, 'good.m3u'), m3u(['A', 1]));
  const sources = [join(dir, 'nowhere', 'list.m3u'), join(dir, 'folder'), join(dir, 'good.m3u')];
  const home = await household(t, { dir, sources });
  const states = (await home.store.sources.list()).map(({ state, reason }) => [state, reason]);
  assert.deepEqual(states, [
    ['failed', 'The file cannot be read: ENOENT.'],
    ['failed', 'The file cannot be read: EISDIR.'],
    ['published', null],
  ]);
  assert.deepEqual([...(await home.keys()).keys()], ['A']);
});

test('exactly the same list again writes no entry and changes nothing that is published', async (t) => {
  const home = await household(t, { list: many(50) });
  const generation = await home.store.channels.generation();
  const before = await home.store.snapshots.inService(1);
  home.write(many(50));
  await home.playlists.refreshAll();
  assert.equal(await home.store.channels.generation(), generation);
  assert.deepEqual(await home.store.snapshots.inService(1), before);
});

test('an entry that is gone stays for 24 h and 3 refreshes, leaves, and comes back with its key', async (t) => {
  const home = await household(t, { list: m3u(['A', 1], ['B', 2]) });
  const before = await home.keys();
  home.write(m3u(['A', 1]));
  await home.playlists.refreshAll();
  await home.playlists.refreshAll();
  await home.playlists.refreshAll();
  await home.playlists.refreshAll();
  assert.deepEqual(await home.keys(), before, 'three refreshes, but no day');
  home.alter('UPDATE missing_entry SET since = since - 86400');
  const generation = await home.store.channels.generation();
  await home.playlists.refreshAll();
  assert.deepEqual(await home.keys(), new Map([['A', before.get('A')]]));
  assert.notEqual(await home.store.channels.generation(), generation);
  assert.equal(await home.store.channels.byKey(before.get('B') ?? ''), null);
  home.write(m3u(['B', 2], ['A', 1]));
  await home.playlists.refreshAll();
  assert.deepEqual(await home.keys(), before);
});

test('an entry that is gone for a day but for fewer than 3 refreshes stays', async (t) => {
  const home = await household(t, { list: m3u(['A', 1], ['B', 2]) });
  home.write(m3u(['A', 1]));
  await home.playlists.refreshAll();
  home.alter('UPDATE missing_entry SET since = since - 86400');
  await home.playlists.refreshAll();
  assert.deepEqual([...(await home.keys()).keys()], ['A', 'B']);
});

test('what the user set is shown in place of what the provider says, and no refresh touches it', async (t) => {
  const home = await household(t, { list: m3u(['A', 1], ['B', 2], ['C', 3]) });
  const [first, second] = await home.channels();
  home.alter(`INSERT INTO channel_override (channel, name, logo) VALUES (${first?.id}, 'Mine', 'http://l/mine.png');
    INSERT INTO channel_override (channel, hidden) VALUES (${second?.id}, 1)`);
  home.write(m3u(['A+', 1], ['B', 2], ['C', 4]));
  await home.playlists.refreshAll();
  const after = await home.channels();
  assert.deepEqual(
    after.map(({ name, logo }) => [name, logo]),
    [
      ['Mine', 'http://l/mine.png'],
      ['C', null],
    ],
  );
  assert.equal(after[0]?.key, first?.key);
});

test('a source that is not given any more is missing, its channels stay for a day, and given again it is as before', async (t) => {
  const dir = tempDir(t);
  const [a, b] = [join(dir, 'a.m3u'), join(dir, 'b.m3u')];
  writeFileSync(a, m3u(['A', 1]));
  writeFileSync(b, m3u(['B', 2]));
  const first = await household(t, { dir, sources: [b, a] });
  const before = await first.keys();
  assert.deepEqual([...before.keys()], ['B', 'A']);
  await first.stop();

  const second = await household(t, { dir, sources: [a] });
  assert.deepEqual(
    (await second.store.sources.list()).map(({ location, state }) => [location, state]),
    [
      [a, 'published'],
      [b, 'missing'],
    ],
  );
  assert.deepEqual(await second.keys(), before);
  second.alter('UPDATE source SET missing_since = missing_since - 86400 WHERE given = 0');
  await second.playlists.refreshAll();
  assert.deepEqual(await second.keys(), new Map([['A', before.get('A')]]));
  await second.stop();

  rmSync(b);
  const third = await household(t, { dir, sources: [a, b] });
  assert.deepEqual(await third.keys(), before, 'its last good list is back in service although its file is gone');
});
