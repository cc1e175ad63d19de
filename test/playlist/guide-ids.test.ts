import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createPublishedLists, type ListRequest } from '../../src/playlist/publish.js';
import { channelsOf, type GuideHouseholder, noon, setUpGuide, told } from '../epg/out.js';
import { by } from '../store/fixture.js';
import { until } from '../support/until.js';

const request: ListRequest = { format: 'm3u', profile: 'generic', lineup: null, base: 'http://tv.lan' };

async function setUp(t: TestContext) {
  const house = await setUpGuide(t);
  const lists = createPublishedLists({ store: house.store });
  t.after(() => lists.close());
  const list = async (asked: Partial<ListRequest> = {}) =>
    readFileSync((await lists.get({ ...request, ...asked })).path, 'utf8');
  return { house, list };
}

/** Ids of the list, once the guide has the same. */
async function idsOf(house: GuideHouseholder, text: string, lineup: string | null = null): Promise<string[]> {
  const ids = [...text.matchAll(/ tvg-id="([^"]*)"/g)].map(([, id = '']) => id);
  const all = [...new Set(ids)].join();
  await until(
    `a guide with ${all}`,
    async () =>
      channelsOf(await house.read({ lineup }))
        .map(([id]) => id)
        .join() === all,
  );
  return ids;
}

test('a channel has one id in list, line-up and guide, written as the list writes it (M31)', async (t) => {
  const { house, list } = await setUp(t);
  const [linked = 0, twin = 0, other = 0] = await house.list([
    ...[
      { name: 'A', tvgId: 'ChA.UK' },
      { name: 'A HD', tvgId: 'CHA.uk' },
      { name: 'Not A', tvgId: 'cha.uk' },
    ],
    ...[{ name: 'None', tvgId: '0' }, { name: 'Bare' }],
  ]);
  const source = await house.source('/guides/a.xml');
  await house.says(source, [{ key: 'cha.uk', title: 'P', start: noon, stop: noon + 3600 }]);
  for (const channel of [linked, twin]) await house.link(channel, [source, 'cha.uk']);
  const keys = await Promise.all([other, other + 1, other + 2].map((id) => house.store.channels.byId(id)));
  const [third = '', ...rest] = keys.map((channel) => channel?.key ?? '');
  assert.deepEqual(await idsOf(house, await list()), ['ChA.UK', 'ChA.UK', third, ...rest]);
  assert.deepEqual(told(await house.read()), ['ChA.UK P 12-13']);
  await house.store.edits.createLineup({ slug: 'kids', name: 'Kids', filter: null }, by);
  const items = [twin, other].map((channel) => ({ channel, order: null, number: null, excluded: false }));
  await house.store.edits.setLineupItems('kids', items, by);
  assert.deepEqual(await idsOf(house, await list({ lineup: 'kids' }), 'kids'), ['ChA.UK', third]);
});

test('a link that comes or goes changes the ids of the list that was written before', async (t) => {
  const { house, list } = await setUp(t);
  const [one = 0, other = 0] = await house.list([
    { name: 'A', tvgId: 'x' },
    { name: 'B', tvgId: 'x' },
  ]);
  assert.deepEqual(await idsOf(house, await list()), ['x', 'x']);
  const source = await house.source('/guides/a.xml');
  await house.link(other, [source, 'b']);
  const key = (await house.store.channels.byId(one))?.key ?? '';
  assert.deepEqual(await idsOf(house, await list()), [key, 'x']);
  await house.link(one, [source, 'b']);
  assert.deepEqual(await idsOf(house, await list()), ['x', 'x']);
});

test('the shift of a channel stands in the guide when it is linked, and else in the list', async (t) => {
  const { house, list } = await setUp(t);
  const [linked = 0, bare = 0] = await house.list([
    { name: 'Linked', tvgId: 'a' },
    { name: 'Bare', tvgId: 'b' },
  ]);
  const source = await house.source('/guides/a.xml');
  await house.says(source, [{ key: 'a', title: 'P', start: noon, stop: noon + 3600 }]);
  await house.link(linked, [source, 'a']);
  await house.store.edits.editChannels({ ids: [linked, bare] }, { guideShift: 10_800 }, by);
  const shifts = [...(await list()).matchAll(/tvg-id="([^"]*)".*? tvg-shift="([^"]*)"/g)].map(([, id, hours]) => [
    id,
    hours,
  ]);
  assert.deepEqual(shifts, [['b', '3']]);
  assert.deepEqual(told(await house.read()), ['a P 15-16']);
});

test('a list names the guide of its line-up', async (t) => {
  const { house, list } = await setUp(t);
  await house.store.edits.createLineup({ slug: 'kids', name: 'Kids', filter: null }, by);
  const guideOf = (text: string) => /^#EXTM3U x-tvg-url="([^"]*)" url-tvg="\1"$/m.exec(text)?.[1];
  assert.equal(guideOf(await list()), 'http://tv.lan/epg.xml');
  assert.equal(guideOf(await list({ lineup: 'kids' })), 'http://tv.lan/lineups/kids/epg.xml');
});
