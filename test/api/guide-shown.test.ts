import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Coverage, GuideSourceStatus } from '../../src/model/guide.js';
import type { Page } from '../../src/model/page.js';
import { until } from '../support/until.js';
import { guideIs, servedGuide, thisHour, xmltv } from './guide-source.js';
import { m3u, startHousehold } from './household.js';

type Now = { readonly channel: number; readonly now: { readonly title: string; readonly start: number } | null };
type Found = { readonly channel: number; readonly title: string };

const text = async (url: string) => await (await fetch(url)).text();

test("a channel that is linked shows its programmes, under one id in lists and guide, and a placeholder id is nobody's", async (t) => {
  const house = await startHousehold(t);
  await house.addList(
    m3u(
      ['A', 'udp://@239.1.1.1:5000', 'tvg-id="ChA.UK"'],
      ['B', 'udp://@239.1.1.2:5000', 'tvg-id="0"'],
      ['C', 'udp://@239.1.1.3:5000', 'tvg-id="0"'],
      ['D', 'udp://@239.1.1.4:5000', 'tvg-id="0"'],
    ),
  );
  const guide = await servedGuide(t, xmltv({ 'cha.uk': 'Zoë', other: 'Other' }));
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', {
    body: { kind: 'url', location: guide.url },
  });
  await guideIs(house, id, 'published');
  const [a = 0, ...rest] = (await house.channels()).map((channel) => channel.id);
  const keys = (await house.channels()).slice(1).map(({ key }) => key);
  await house.done('PATCH', `/channels/${a}/guide`, { body: { links: [{ guideSource: id, guideId: 'cha.uk' }] } });
  const shown = await until(
    'what is linked to be read from the kept body',
    async () => {
      const { items } = await house.get<Page<Now>>(`/programmes/now?channels=${[a, ...rest].join(',')}`);
      return items[0]?.now === null ? null : items;
    },
    { within: 30_000 },
  );
  assert.deepEqual(
    shown.map(({ now }) => now && [now.title, now.start]),
    [['Zoë 0', thisHour], null, null, null],
  );
  const { items: found } = await house.get<Page<Found>>(`/programmes/search?q=ZOE&from=${thisHour}`);
  assert.deepEqual([found.length, found[0]?.channel], [48, a]);
  const { items: coverage } = await house.get<Page<Coverage>>('/guide-coverage');
  assert.deepEqual(
    coverage.map(({ links, day }) => [links, Math.round(day)]),
    [
      [1, 1],
      [0, 0],
      [0, 0],
      [0, 0],
    ],
  );
  const list = await until('the list with its ids', async () => {
    const written = await text(`${house.url}/playlist.m3u`);
    return written.includes('tvg-id="ChA.UK"') ? written : null;
  });
  const ids = ['ChA.UK', ...keys];
  assert.deepEqual(
    [...list.matchAll(/tvg-id="([^"]*)"/g)].map(([, tvgId]) => tvgId),
    ids,
  );
  const written = await until(
    'the guide with its programmes',
    async () => {
      const xml = await text(`${house.url}/epg.xml`);
      return xml.includes('Zoë 0') ? xml : null;
    },
    { within: 30_000 },
  );
  assert.deepEqual(
    [...written.matchAll(/<channel id="([^"]*)"/g)].map(([, channel]) => channel),
    ids,
  );
  assert.ok([...written.matchAll(/<programme [^>]*channel="([^"]*)"/g)].every(([, channel]) => channel === 'ChA.UK'));
});

test('a page of found programmes holds no more than asked for, though many channels show one airing', async (t) => {
  const house = await startHousehold(t);
  await house.addList(m3u(...[1, 2, 3, 4, 5].map((n) => [`C${n}`, `udp://@239.1.1.${n}:5000`] as const)));
  const guide = await servedGuide(t, xmltv({ one: 'Zoë', two: `Zoë ${'long '.repeat(300)}` }, 4));
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', {
    body: { kind: 'url', location: guide.url },
  });
  await guideIs(house, id, 'published');
  const channels = (await house.channels()).map((channel) => channel.id);
  for (const [index, channel] of channels.entries()) {
    const links = [{ guideSource: id, guideId: index < 3 ? 'one' : 'two' }];
    await house.done('PATCH', `/channels/${channel}/guide`, { body: { links } });
  }
  const find = async (query: string) =>
    await house.get<Page<Found>>(`/programmes/search?q=zoe&from=${thisHour}&${query}`);
  const all = await until(
    'all programmes to be found',
    async () => {
      const { items } = await find('limit=100');
      return items.length === 4 * channels.length ? items : null;
    },
    { within: 30_000 },
  );
  for (const limit of [1, 2, 4, 7]) {
    const found: Found[] = [];
    for (let after = ''; ; ) {
      const { items, next }: Page<Found> = await find(`limit=${limit}${after}`);
      assert.ok(items.length <= limit, `${items.length} items`);
      found.push(...items);
      if (next === null) break;
      after = `&after=${encodeURIComponent(next)}`;
    }
    assert.deepEqual(found, all, `pages of ${limit}`);
  }
});
