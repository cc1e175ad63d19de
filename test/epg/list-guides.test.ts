import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mannersOf } from '../../src/epg/manners.js';
import type { GuideSource } from '../../src/model/guide.js';
import type { SourceRow } from '../../src/store/sources.js';
import { publish } from '../store/fixture.js';
import { startGuideServer } from '../support/guide-server.js';
import { until } from '../support/until.js';
import { evenly, home, xmltv } from './set-up.js';

const listed: GuideSource = {
  ...{ id: 1, kind: 'url', location: 'http://tv.example:8080/epg.xml.gz', name: null, origin: 'list', position: 0 },
  ...{ enabled: true, missingSince: null, lists: [7], version: 1, schedule: null, headers: {}, userAgent: null },
  ...{ proxy: null, timeZone: null, encoding: null, shift: 0 },
};
const list = {
  ...{ kind: 'url', location: 'http://tv.example:8080/get.php?u=me', headers: '{"X-Secret":"s"}' },
  ...{ user_agent: 'Box/1', proxy: 'socks5://localhost:1080' },
} as SourceRow;
const lists = { byId: (id: number) => Promise.resolve(id === 7 ? list : null) };

test('a guide on the own host of the list that names it is asked for as the list is, on another as anybody asks', async () => {
  assert.deepEqual(await mannersOf(listed, lists), {
    ...{ headers: { 'X-Secret': 's' }, userAgent: 'Box/1', proxy: 'socks5://localhost:1080', strict: true },
  });
  for (const location of ['http://tv.example/epg.xml', 'http://other.example:8080/epg.xml'])
    assert.deepEqual(await mannersOf({ ...listed, location }, lists), {
      ...{ headers: {}, userAgent: null, proxy: null, strict: true },
    });
  const given: GuideSource = { ...listed, origin: 'given', userAgent: 'Mine/1' };
  assert.deepEqual(await mannersOf(given, lists), {
    ...{ headers: {}, userAgent: 'Mine/1', proxy: null, strict: false },
  });
});

test('a guide that a list names never leads to this machine; one that the owner gives may', async (t) => {
  const server = await startGuideServer(t, xmltv({ 'a.de': evenly('A') }));
  const house = await home(t, { header: [['url-tvg', server.url]] });
  const feed = await house.feed();
  assert.equal(feed?.state, 'failed');
  assert.equal(feed?.reason, 'It leads to an address of this machine or its links, which is refused.');
  assert.equal(server.requests, 0);

  const other = await home(t, { header: [['url-tvg', server.url]], guides: [server.url] });
  assert.deepEqual(
    (await other.store.guideHouse.sources()).map(({ origin, lists }) => [origin, lists]),
    [['given', [1]]],
  );
  assert.equal((await other.feed())?.state, 'published');
});

test('guides of lists come and go with what the lists say, and none comes where they are not wanted', async (t) => {
  const header = (url: string) => [['x-tvg-url', url]] as const;
  const house = await home(t, { header: header('http://127.0.0.1:1/one.xml') });
  const named = async () =>
    (await house.store.guideHouse.sources()).map(({ location, missingSince }) => [location, missingSince === null]);
  assert.deepEqual(await named(), [['http://127.0.0.1:1/one.xml', true]]);
  await publish(house.store, '/list.m3u', [{ name: 'A' }], header('http://127.0.0.1:1/two.xml'));
  house.guides.listsChanged();
  await until('the other is known', async () => (await named()).length === 2);
  assert.deepEqual(await named(), [
    ['http://127.0.0.1:1/one.xml', false],
    ['http://127.0.0.1:1/two.xml', true],
  ]);
  await until('the other is asked for', async () => (await house.feed(2))?.state === 'failed');

  const without = await home(t, { header: header('http://127.0.0.1:1/one.xml'), fromLists: false });
  assert.deepEqual(await without.store.guideHouse.sources(), []);
});
