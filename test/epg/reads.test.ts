import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createGuideReads } from '../../src/epg/reads.js';
import type { TimelineItem } from '../../src/model/programme.js';
import { by } from '../store/fixture.js';
import { startGuideServer } from '../support/guide-server.js';
import { evenly, home, hour, thisHour, type Written, xmltv } from './set-up.js';

const now = thisHour + hour / 2;
const first = { after: null, limit: 10 };
const titled = (items: readonly (TimelineItem | null)[]) =>
  items.map((item) => item && `${item.content.titles[0]?.text}@${(item.start - thisHour) / hour}`);

/** A has a day and a half; B two hours and an hour's shift; C an empty guide; D none. */
async function setUp(t: TestContext) {
  const two: Written[] = [
    ['Zoë', -2, 2],
    ['A 3', 0, 2],
  ];
  const server = await startGuideServer(t, xmltv({ 'a.de': evenly('A'), 'b.de': two }));
  const house = await home(t, { guides: [server.url], linked: ['a.de', 'b.de', 'c.de'] });
  const [a = 0, b = 0, c = 0, d = 0] = house.channels;
  const links = [{ guideSource: 1, guideId: 'b.de', shift: hour }];
  await house.store.guideHouse.setChannelGuide(b, { links }, by);
  const reads = createGuideReads({ house: house.store.guideHouse, guide: house.guideStore, now: () => now });
  return { house, reads, a, b, c, d };
}

test('now and next of many channels come in the order asked for, with the shift of a link, empty without a guide', async (t) => {
  const { reads, a, b, c } = await setUp(t);
  const shown = await reads.now([b, c, a, 999], now, 2);
  assert.deepEqual(
    shown.map(({ channel, now: item, next }) => [channel, titled([item])[0], titled(next)]),
    [
      [b, 'Zoë@-1', ['A 3@1']],
      [c, null, []],
      [a, 'A 0@0', ['A 1@1', 'A 2@2']],
      [999, null, []],
    ],
  );
});

test('a search finds each airing once for each channel that shows it, at the time at which it does', async (t) => {
  const { reads, a, b } = await setUp(t);
  const find = async (q: string, from = now, to = now + 30 * hour) => {
    const { items } = await reads.search(q, from, to, first);
    return items.map(({ channel, item }) => [channel, titled([item])[0]]);
  };
  assert.deepEqual(await find('zoe', now - 3 * hour), [[b, 'Zoë@-1']]);
  const thirds = (await find('a 3')).filter(([, title]) => String(title).startsWith('A 3@'));
  assert.deepEqual(thirds, [
    [b, 'A 3@1'],
    [a, 'A 3@3'],
  ]);
  assert.deepEqual(await find('zoe'), [], 'it began before');
});

test('coverage says of each channel how far its guides reach, filtered and page by page', async (t) => {
  const { house, reads, a, b, c, d } = await setUp(t);
  const { items } = await reads.coverage({}, first);
  assert.deepEqual(
    items.map(({ channel, links, state, until }) => [channel, links, state, until && (until - thisHour) / hour]),
    [
      [a, 1, 'covered', 36],
      [b, 1, 'ending', 3],
      [c, 1, 'empty', null],
      [d, 0, 'unlinked', null],
    ],
  );
  assert.deepEqual([items[0]?.day, items[0]?.week], [1, 0.211]);
  assert.equal(items[0]?.refreshedAt, (await house.feed())?.publishedAt);
  const { next } = await reads.coverage({}, { after: null, limit: 3 });
  const rest = await reads.coverage({}, { after: next, limit: 3 });
  assert.deepEqual([rest.items.map(({ channel }) => channel), rest.next], [[d], null]);
  const ending = await reads.coverage({ state: 'ending' }, first);
  assert.deepEqual([ending.items.map(({ channel }) => channel), ending.next], [[b], null]);
});
