import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Coverage } from '../../src/model/guide.js';
import type { Page } from '../../src/model/page.js';
import type { TimelineItem } from '../../src/model/programme.js';
import { ScriptedReads } from './guide-parts.js';
import { hour, thisHour } from './guide-source.js';
import { startHousehold } from './household.js';

type Programme = {
  readonly channel: number;
  readonly start: number;
  readonly title: string;
  readonly guideId: string | null;
};
type Now = { readonly channel: number; readonly now: Programme | null; readonly next: readonly Programme[] };
type Problem = { readonly code: string; readonly errors?: readonly { readonly path: string }[] };

function item(title: string, at: number, from: TimelineItem['from'] = { guideSource: 3, guideId: 'a' }): TimelineItem {
  const content = {
    titles: [{ text: title, lang: null }],
    subTitles: [{ text: 'Sub', lang: 'en' }],
    episodes: [{ system: 'onscreen', value: 'S1E2' }],
    icons: [{ src: 'http://pictures.example/a.png', width: null, height: null }],
    isNew: true as const,
  };
  return { start: thisHour + at * hour, stop: thisHour + (at + 1) * hour, content, from };
}

/** Channels 1 and 2 with three programmes each, the last of channel 2 a placeholder; 3 has none. */
async function setUp(t: TestContext) {
  const guideReads = new ScriptedReads();
  const house = await startHousehold(t, { guideReads });
  guideReads.shown.set(1, [item('A', 0), item('B', 1), item('C', 30)]);
  guideReads.shown.set(2, [item('D', 0), item('E', 1), item('F', 2, null)]);
  return { house, guideReads };
}

test('programmes of channels come channel by channel as asked for, a page at a time, a day from now unless said', async (t) => {
  const { house } = await setUp(t);
  const titles = async (query: string) => {
    const found: string[] = [];
    for (let after = ''; ; ) {
      const page: Page<Programme> = await house.get<Page<Programme>>(`/programmes?${query}${after}`);
      found.push(...page.items.map(({ title }) => title));
      if (page.next === null) return found.join('');
      after = `&after=${page.next}`;
    }
  };
  for (const limit of [1, 2, 3, 100]) assert.equal(await titles(`channel=2,3,1&limit=${limit}`), 'DEFAB');
  assert.equal(await titles(`channel=1&from=${thisHour}&to=${thisHour + 40 * hour}`), 'ABC');
  assert.equal(await titles(`channel=1,2&from=${thisHour + hour}&to=${thisHour + 2 * hour}`), 'BE');
  const { items } = await house.get<Page<Programme>>('/programmes?channel=2');
  assert.deepEqual(items[0], {
    channel: 2,
    ...{ start: thisHour, stop: thisHour + hour, title: 'D', subtitle: 'Sub', description: null, categories: [] },
    ...{
      episodes: [{ system: 'onscreen', value: 'S1E2' }],
      icon: 'http://pictures.example/a.png',
      date: null,
      isNew: true,
    },
    ...{ guideSource: 3, guideId: 'a' },
  });
  assert.deepEqual([items[2]?.title, items[2]?.guideId], ['F', null], 'a placeholder is of no guide');
});

test('what is on now and next is told of many channels at once, in the order asked for', async (t) => {
  const { house } = await setUp(t);
  const brief = ({ items }: Page<Now>) =>
    items.map(({ channel, now, next }) => `${channel} ${now?.title ?? '-'} ${next.map(({ title }) => title).join('')}`);
  assert.deepEqual(brief(await house.get('/programmes/now?channels=3,2,1')), ['3 - ', '2 D E', '1 A B']);
  const later = thisHour + hour;
  assert.deepEqual(brief(await house.get(`/programmes/now?channels=1,2&at=${later}&next=2`)), ['1 B C', '2 E F']);
  assert.deepEqual(brief(await house.get('/programmes/now?channels=1,1&next=0')), ['1 A ']);
});

test('programmes are found by words of their titles', async (t) => {
  const { house } = await setUp(t);
  const { items } = await house.get<Page<Programme>>(`/programmes/search?q=c&from=${thisHour}`);
  assert.deepEqual(
    items.map(({ channel, title }) => [channel, title]),
    [[1, 'C']],
  );
});

test('coverage is told by state', async (t) => {
  const { house, guideReads } = await setUp(t);
  const covered: Coverage = {
    ...{ channel: 1, name: 'A', links: 1, day: 1, week: 0.5, until: thisHour, refreshedAt: null, state: 'covered' },
  };
  guideReads.coverages = [covered, { ...covered, channel: 2, state: 'empty' }];
  assert.deepEqual((await house.get<Page<Coverage>>('/guide-coverage')).items.length, 2);
  assert.deepEqual((await house.get<Page<Coverage>>('/guide-coverage?state=covered')).items, [covered]);
});

test('times and channels that cannot be asked for are refused by name', async (t) => {
  const { house } = await setUp(t);
  const many = (count: number) => Array.from({ length: count }, (_, n) => n + 1).join(',');
  const refused: readonly (readonly [path: string, field: string])[] = [
    ['/programmes', 'channel'],
    ['/programmes?channel=a', 'channel'],
    [`/programmes?channel=${many(51)}`, 'channel'],
    [`/programmes?channel=1&from=${thisHour}&to=${thisHour}`, 'to'],
    [`/programmes?channel=1&from=0&to=${32 * 24 * hour}`, 'to'],
    [`/programmes/now?channels=${many(501)}`, 'channels'],
    ['/programmes/now?channels=1&next=11', 'next'],
    ['/programmes/search?q=', 'q'],
    ['/guide-coverage?state=good', 'state'],
  ];
  for (const [path, field] of refused) {
    const { status, body } = await house.ask<Problem>('GET', path);
    assert.deepEqual([status, body.errors?.[0]?.path], [400, field], path);
  }
  assert.equal((await house.ask('GET', `/programmes/now?channels=${many(500)}`)).status, 200);
  assert.equal((await house.ask('GET', '/programmes?channel=1&after=x')).status, 400);
});
