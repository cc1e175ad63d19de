import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openLog } from '../../src/lib/log.js';
import { settingOf } from '../../src/model/archive.js';
import { createPlaylists } from '../../src/playlist/playlists.js';
import type { Store } from '../../src/store/open.js';
import { by, setUp } from './fixture.js';

type Owner = Parameters<typeof setUp>[0];

/** A list in service, read as lists are. Resolves with its id, and the ids of its channels in its order. */
async function imported(t: Owner, content: string, more: object = {}) {
  const { store } = await setUp(t);
  const playlists = createPlaylists({ store, log: openLog('error'), sources: [] });
  t.after(() => playlists.stop());
  const { id } = await store.sources.add({ kind: 'inline', content, publishDirect: true, ...more }, by);
  await playlists.start();
  return { store, playlists, source: id, channels: (await store.channels.list()).map((channel) => channel.id) };
}

const list = `#EXTM3U catchup="shift" catchup-days="5" catchup-correction="-2"
#EXTINF:-1,Lists
rtsp://a:b@host.example/1
#EXTINF:-1 catchup="append" catchup-source="?a={utc}" catchup-correction="1",Own
udp://@239.1.1.1:5000
#EXTINF:-1 catchup-days="3",Days
http://web.example/1.ts|Cookie=c
#EXTINF:-1 catchup="shift" catchup-days="0",None
rtsp://host.example/4
`;

test('what holds of an archive is told with who says it, channel by channel', async (t) => {
  const { store, channels } = await imported(t, list, { timeZone: 'Asia/Tokyo', interface: 'eth1', userAgent: 'box' });
  const [lists, own, days, none] = await Promise.all(channels.map((id) => store.catchups.of(id)));
  assert.deepEqual(lists, {
    ...{ channel: channels[0], mode: 'shift', template: null, days: 5, correction: -2, zone: 'Asia/Tokyo' },
    ...{ formatted: 'utc', nearLive: 0, sessions: null, urls: ['rtsp://a:b@host.example/1'] },
    ...{ headers: { 'User-Agent': 'box' }, interface: 'eth1' },
    said: { mode: 'list', days: 'list', correction: 'list', zone: 'source' },
  });
  assert.deepEqual([own?.mode, own?.template, own?.urls], ['append', '?a={utc}', []]);
  assert.deepEqual(own?.said, { mode: 'entry', days: 'list', correction: 'entry', zone: 'source' });
  assert.deepEqual([days?.said.mode, days?.said.days, days?.days], ['list', 'entry', 3]);
  assert.deepEqual(days?.headers, { 'User-Agent': 'box', Cookie: 'c' });
  assert.equal(none, null);
  assert.equal(await store.catchups.of(999), null);
});

test('archives are listed as they hold: with the list, with edits of channels, and when a list is read again', async (t) => {
  const { store, playlists, source, channels } = await imported(t, list);
  const [first = 0, second = 0, third = 0] = channels;
  const archives = async () => (await store.channels.list()).map(({ archive }) => archive);
  const direct = { mode: 'shift', source: null, days: 3, correction: -2 } as const;
  assert.deepEqual(await archives(), [
    { days: 5, scheme: 'rtsp' },
    { days: 5, scheme: 'other' },
    { days: 3, scheme: 'http', said: direct },
    null,
  ]);
  await store.edits.editChannels({ ids: [first] }, { catchup: settingOf({ mode: 'none' }) }, by);
  await store.edits.editChannels(
    { ids: [second] },
    { catchup: settingOf({ mode: 'default', source: 'rtsp://vod.example:555/{utc}' }) },
    by,
  );
  const edited = [null, { days: 5, scheme: 'rtsp' }, { days: 3, scheme: 'http', said: direct }, null];
  assert.deepEqual(await archives(), edited);
  const content = `${list}#EXTINF:-1,New\nudp://@239.1.1.9:5000\n`;
  await store.sources.update(source, { content }, by);
  await playlists.sourcesChanged();
  await playlists.refreshAll();
  assert.deepEqual((await archives()).slice(0, 4), edited);
  await store.edits.editChannels({ ids: [first, third] }, { catchup: null }, by);
  assert.deepEqual((await archives())[0], { days: 5, scheme: 'rtsp' });
});

test('servers of RTSP are known by the addresses and templates of lists in service, and by settings', async (t) => {
  const content = `#EXTM3U
#EXTINF:-1,A
RTSP://user:p@ss@One.example/1?b=c
#EXTINF:-1 catchup="default" catchup-source="rtsp://two.example:8554/{utc}|X=y",B
http://web.example/1
#EXTINF:-1,C
udp://@239.1.1.1:5000
rtsp://[2001:db8::1]:555/a
`;
  const { store, source, channels } = await imported(t, content);
  const known = (host: string, port: number) => store.rtspHosts.has(host, port);
  assert.ok(await known('one.EXAMPLE', 554));
  assert.ok(await known('two.example', 8554));
  for (const [host, port] of [
    ['one.example', 555],
    ['two.example', 554],
    ['web.example', 554],
    ['user', 554],
    ['', 554],
  ] as const)
    assert.equal(await known(host, port), false, `${host}:${port}`);
  const template = (host: string) => settingOf({ mode: 'default', source: `rtsp://${host}/{utc}` });
  await store.edits.editChannels({ ids: channels.slice(0, 1) }, { catchup: template('three.example') }, by);
  assert.ok(await known('three.example', 554));
  await store.sources.update(source, { catchup: template('four.example:1') }, by);
  assert.ok(await known('four.example', 1));
  await store.sources.remove(source, by);
  assert.deepEqual([await known('one.example', 554), await known('four.example', 1)], [false, false]);
});

test('a list of many pages is looked through for servers once, however often it is edited', async (t) => {
  const lines = Array.from({ length: 1000 }, (_, n) => `#EXTINF:-1,C ${n}\nrtsp://h${n}.example/1\n`);
  const { store, channels } = await imported(t, `#EXTM3U\n${lines.join('')}`);
  assert.ok(await store.rtspHosts.has('h999.example', 554));
  await store.edits.editChannels({ ids: channels.slice(0, 1) }, { name: 'Mine' }, by);
  assert.deepEqual([await has(store, 0), await has(store, 999), await has(store, 1000)], [true, true, false]);
});

async function has(store: Store, n: number): Promise<boolean> {
  return await store.rtspHosts.has(`h${n}.example`, 554);
}
