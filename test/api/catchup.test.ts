import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingOf } from '../../src/model/archive.js';
import type { Change } from '../../src/model/change.js';
import type { ChannelDetail } from '../../src/model/channel.js';
import type { Page } from '../../src/model/page.js';
import type { TimelineItem } from '../../src/model/programme.js';
import type { SourceStatus } from '../../src/model/source.js';
import { serve } from '../support/server.js';
import { until } from '../support/until.js';
import { ScriptedReads } from './guide-parts.js';
import { m3u, startHousehold } from './household.js';

type Shown = {
  readonly mode: string;
  readonly url: string | null;
  readonly range: string | null;
  readonly headers: readonly string[];
  readonly unknown: readonly string[];
  readonly problem: string | null;
  readonly wish: { readonly start: number; readonly end: number | null } | null;
  readonly said: { readonly mode: string };
  readonly programme: { readonly title: string } | null;
};
type Problem = { readonly code: string; readonly errors?: readonly { path: string }[] };

const seek = `?playseek=\${(b)yyyyMMddHHmmss}-\${(e)yyyyMMddHHmmss}`;
const list = m3u(
  ['Seek', 'rtsp://host.example/PLTV/1.smil|X-Key=SECRET', `catchup="append" catchup-source="${seek}"`],
  ['Live', 'udp://@239.1.1.1:5000'],
  ['Groups', 'udp://@239.1.1.2:5000', 'catchup="append" catchup-source="?a={utc}&b={c}"'],
);
const [start, end, now] = [1_704_110_400, 1_704_114_000, 1_704_196_800];
const asked = `start=${start}&end=${end}&now=${now}`;

test('a channel’s archive is shown with the address that would be asked for, to administrators alone', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const { id } = await house.channel('Seek');
  const path = `/channels/${id}/catchup`;
  const shown = await house.get<Shown>(`${path}?${asked}`);
  const address = 'rtsp://host.example/PLTV/1.smil?playseek=20240101120000-20240101130000';
  assert.deepEqual(
    [shown.mode, shown.url, shown.range, shown.headers, shown.unknown, shown.problem],
    ['append', address, null, ['X-Key'], [], null],
  );
  assert.deepEqual([shown.wish, shown.said.mode], [{ start, end }, 'entry']);
  assert.ok(!JSON.stringify(shown).includes('SECRET'));
  const open = await house.get<Shown>(`${path}?start=${start + 7}&now=${now}`);
  assert.equal(open.url, 'rtsp://host.example/PLTV/1.smil?playseek=20240101120007-');
  const bare = await house.get<Shown>(path);
  assert.deepEqual([bare.mode, bare.url, bare.wish, bare.problem], ['append', null, null, null]);
  for (const as of ['read', 'edit'] as const)
    assert.equal((await house.ask('GET', `${path}?${asked}`, { as })).status, 403);
});

test('what cannot be asked for is refused by name, and a template that gives no address says why', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const [seekId, live, groups] = [
    (await house.channel('Seek')).id,
    (await house.channel('Live')).id,
    (await house.channel('Groups')).id,
  ];
  for (const [query, field] of [
    [`start=${now + 1}&now=${now}`, 'start'],
    [`start=${start}&end=${start}&now=${now}`, 'end'],
    [`end=${end}`, 'end'],
    ['start=soon', 'start'],
  ] as const) {
    const { status, body } = await house.ask<Problem>('GET', `/channels/${seekId}/catchup?${query}`);
    assert.deepEqual([status, body.errors?.map(({ path }) => path)], [400, [field]], query);
  }
  assert.equal((await house.ask('GET', `/channels/${live}/catchup?${asked}`)).status, 404);
  const { url, problem } = await house.get<Shown>(`/channels/${groups}/catchup?${asked}`);
  assert.deepEqual([url, problem], [null, 'Mode append needs an address of the live channel, by rtsp or http.']);
});

test('a setting of a source holds at once without a download, is told to administrators alone, and is undone', async (t) => {
  const house = await startHousehold(t);
  let downloads = 0;
  const server = await serve(t, (_request, response) => {
    downloads += 1;
    response.end(list);
  });
  const { id } = await house.done<SourceStatus>('POST', '/sources', {
    body: { kind: 'url', location: `${server}/list.m3u` },
  });
  await house.settled(id);
  const seekId = (await house.channel('Seek')).id;
  const liveId = (await house.channel('Live')).id;
  const url = async (channel: number) => (await house.get<Shown>(`/channels/${channel}/catchup?${asked}`)).url;
  const catchup = {
    mode: 'default',
    source: 'rtsp://vod.example/SECRET?{utc:YmdHMS}',
    formatted: 'zone',
    zone: 'UTC+8',
  };
  const changed = await house.done<SourceStatus>('PATCH', `/sources/${id}`, { body: { catchup } });
  assert.deepEqual(changed.catchup, settingOf(catchup as Parameters<typeof settingOf>[0]));
  assert.equal(await url(liveId), 'rtsp://vod.example/SECRET?20240101200000');
  const archive = async () => (await house.get<ChannelDetail>(`/channels/${liveId}`)).archive;
  await until('the list to be listed anew', async () => (await archive()) !== null);
  assert.deepEqual(await archive(), { days: 7, scheme: 'rtsp' });
  const zoned = { catchup: { ...catchup, zone: 'Europe/Vienna' } };
  await house.done('PATCH', `/sources/${id}`, { body: zoned });
  assert.equal(await url(seekId), 'rtsp://vod.example/SECRET?20240101130000');
  for (const path of [`/sources/${id}`, '/sources', '/changes/2', '/changes/3'])
    assert.ok(!JSON.stringify(await house.get(path, { as: 'read' })).includes('SECRET'), path);
  assert.ok(JSON.stringify(await house.get(`/sources/${id}`)).includes('SECRET'));
  for (const change of (await house.get<Page<Change>>('/changes?limit=2')).items)
    await house.done('POST', `/changes/${change.id}:undo`);
  await until('the archive to be gone', async () => (await archive()) === null);
  assert.match((await url(seekId)) ?? '', /playseek=20240101120000-/);
  assert.equal((await house.ask('GET', `/channels/${liveId}/catchup`)).status, 404);
  assert.equal(downloads, 1);
});

test('a setting of a channel that is no archive takes it from the list, and null gives it back', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const { id } = await house.channel('Seek');
  const set = async (catchup: object | null) =>
    (await house.done<ChannelDetail>('PATCH', `/channels/${id}`, { as: 'edit', body: { catchup } })).archive;
  assert.equal(await set({ mode: 'none' }), null);
  assert.deepEqual(await set({ days: 2 }), { days: 2, scheme: 'rtsp' });
  assert.deepEqual(await set(null), { days: 7, scheme: 'rtsp' });
});

test('the programme is that which a start means, and the address has the start as it was asked for', async (t) => {
  const guideReads = new ScriptedReads();
  const house = await startHousehold(t, { guideReads });
  await house.addList(list);
  const { id } = await house.channel('Seek');
  const on = (title: string, from: number, stop: number): TimelineItem => {
    return {
      start: from,
      stop,
      content: { titles: [{ text: title, lang: null }] },
      from: { guideSource: 1, guideId: 'a' },
    };
  };
  guideReads.shown.set(id, [on('A', start - 3600, start), on('B', start, end), on('C', now - 60, now + 900)]);
  const shown = async (at: number) => {
    const { url, programme } = await house.get<Shown>(`/channels/${id}/catchup?start=${at}&end=${end}&now=${now}`);
    return [programme?.title ?? null, url?.slice(-29)];
  };
  assert.deepEqual(await shown(start - 301), ['A', '20240101115459-20240101130000']);
  assert.deepEqual(await shown(start - 300), ['B', '20240101115500-20240101130000']);
  assert.deepEqual(await shown(start + 60), ['B', '20240101120100-20240101130000']);
  assert.deepEqual(await shown(start - 7200), [null, '20240101100000-20240101130000']);
});

test('an end that is open is that of what is on now where the template cannot leave it out', async (t) => {
  const guideReads = new ScriptedReads();
  const house = await startHousehold(t, { guideReads });
  await house.addList(m3u(['One', 'rtsp://h/1', 'catchup="append" catchup-source="?a={utc}&b={utcend}"']));
  const { id } = await house.channel('One');
  const url = async () => (await house.get<Shown>(`/channels/${id}/catchup?start=${start}&now=${now}`)).url;
  assert.equal(await url(), `rtsp://h/1?a=${start}&b=${now}`);
  const content = { titles: [{ text: 'C', lang: null }] };
  guideReads.shown.set(id, [{ start: now - 60, stop: now + 900, content, from: { guideSource: 1, guideId: 'a' } }]);
  assert.equal(await url(), `rtsp://h/1?a=${start}&b=${now + 900}`);
});
