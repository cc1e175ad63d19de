import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingOf } from '../../src/model/archive.js';
import type { Change, Suggestion } from '../../src/model/change.js';
import type { ChannelDetail, ChannelStatus } from '../../src/model/channel.js';
import type { Edited } from '../../src/model/edit.js';
import type { Page } from '../../src/model/page.js';
import { type Household, m3u, many, startHousehold } from './household.js';

type Problem = {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { path: string; message: string }[];
};

const list = m3u(
  ['BBC Two HD', 'udp://@239.1.1.1:5000', 'tvg-id="bbc2.uk" tvg-chno="7.10" group-title="UK;News"'],
  ['中央电视台 央视一套', 'udp://@239.1.1.2:5000', 'group-title="央视"'],
  ['Web', 'https://host.example/web.m3u8', 'group-title="News"'],
);

const names = (channels: readonly ChannelStatus[]) => channels.map(({ name }) => name);

test('channels are found by words, group, source and state, and an unknown filter is refused by name', async (t) => {
  const house = await startHousehold(t);
  const { id } = await house.addList(list);
  const q = async (text: string) => names(await house.channels(`?q=${encodeURIComponent(text)}`));
  assert.deepEqual(await q('bbc two'), ['BBC Two HD']);
  assert.deepEqual(await q('ＴＷＯ bbc'), ['BBC Two HD']);
  assert.deepEqual(await q('央视'), ['中央电视台 央视一套']);
  assert.deepEqual(await q('7.10'), ['BBC Two HD']);
  assert.deepEqual(await q('bbc2.uk'), ['BBC Two HD']);
  assert.deepEqual(await q('nothing'), []);
  assert.equal((await q('')).length, 3);
  assert.deepEqual(names(await house.channels('?group=News')), ['BBC Two HD', 'Web']);
  assert.deepEqual(names(await house.channels('?state=unplayable')), ['Web']);
  assert.deepEqual(names(await house.channels(`?source=${id}&state=listed&group=UK`)), ['BBC Two HD']);
  assert.deepEqual(await house.channels('?source=999'), []);
  const refused = await house.ask<Problem>('GET', '/channels?grup=News');
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.errors, [
    { path: '', message: 'Unknown field "grup". Known are q, group, state, source, limit, after.' },
  ]);
  assert.equal((await house.ask('GET', '/channels?group=a&group=b')).status, 400);
  const groups = (await house.get<Page<{ name: string; channels: number }>>('/groups', { as: 'read' })).items;
  const counts = Object.fromEntries(groups.map(({ name, channels }) => [name, channels]));
  assert.deepEqual(counts, { UK: 1, News: 2, 央视: 1 });
});

test('pages have 100 channels unless asked for up to 1000, follow one another without a gap, and say when they end', async (t) => {
  const house = await startHousehold(t);
  await house.addList(many(250));
  const page = (query: string) => house.get<Page<ChannelStatus>>(`/channels${query}`, { as: 'read' });
  const found: ChannelStatus[] = [];
  let after: string | null = '';
  for (let pages = 0; after !== null; pages += 1) {
    const { items, next }: Page<ChannelStatus> = await page(after === '' ? '' : `?after=${after}`);
    assert.equal(items.length, pages < 2 ? 100 : 50);
    found.push(...items);
    after = next;
  }
  assert.deepEqual(
    names(found),
    Array.from({ length: 250 }, (_, n) => `Channel ${n + 1}`),
  );
  assert.equal((await page('?limit=1000')).items.length, 250);
  for (const query of ['?limit=1001', '?limit=0', '?limit=x', '?limit=1.5', '?after=nonsense', '?after=%22%5B%5D%22']) {
    assert.equal((await house.ask('GET', `/channels${query}`)).status, 400, query);
  }
});

test('an edit wins over the provider until it is set to null; each is logged and can be undone', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const { id, etag } = await house.channel('BBC Two HD');
  const body = {
    name: 'Two',
    number: '102',
    logo: 'https://logos.example/two.png',
    groups: ['Mine', 'Also mine'],
    tvgId: 'two.example',
    guideShift: -3600,
    hidden: false,
    order: 1,
    catchup: settingOf({ mode: 'append', source: '?utc={utc}', days: 7 }),
    hints: { kodi: ['#KODIPROP:inputstream=inputstream.ffmpegdirect'] },
  };
  const edited = await house.done<ChannelDetail>('PATCH', `/channels/${id}`, { body });
  const { name, number, logo, groups, tvgId, guideShift, order } = edited;
  const shown = { name, number, logo, groups, tvgId, guideShift, order };
  const { hidden, catchup, hints, ...rest } = body;
  assert.deepEqual(shown, rest);
  assert.deepEqual(edited.override, { ...body });
  assert.deepEqual([edited.said.name, edited.said.number], ['BBC Two HD', '7.10']);
  assert.notEqual(edited.etag, etag);
  const back = await house.done<ChannelDetail>('PATCH', `/channels/${id}`, {
    body: { name: null, number: null },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  assert.deepEqual([back.name, back.number, back.tvgId], ['BBC Two HD', '7.10', 'two.example']);
  const [second, first] = (await house.get<Page<Change>>('/changes?limit=2')).items;
  assert.equal(first?.actor, 'configured key');
  const undone = await house.done<Edited>('POST', `/changes/${second?.id}:undo`, { as: 'edit' });
  assert.equal(undone.change?.actor, 'edit key');
  assert.equal((await house.get<ChannelDetail>(`/channels/${id}`)).name, 'Two');
  const again = await house.ask<Problem>('POST', `/changes/${second?.id}:undo`);
  assert.deepEqual([again.status, again.body.code], [409, 'conflict']);
  assert.equal((await house.ask('POST', '/changes/999:undo')).status, 404);
});

test('what an edit cannot be is refused by name of the field, and nothing is changed', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const { id } = await house.channel('Web');
  const cases = [
    [{ nmae: 'x' }, ''],
    [{ name: '' }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ name: ' \u3000' }, 'name'],
    [{ name: 'A\ud83d' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ number: 7.1 }, 'number'],
    [{ number: '7 1' }, 'number'],
    [{ logo: 'file:///etc/passwd' }, 'logo'],
    [{ groups: ['a', ''] }, 'groups.1'],
    [{ groups: [' '] }, 'groups.0'],
    [{ groups: ['a', 'a'] }, 'groups'],
    [{ guideShift: 1.5 }, 'guideShift'],
    [{ hidden: 'yes' }, 'hidden'],
    [{ order: '1' }, 'order'],
    [{ catchup: { mode: 'magic', source: null, days: 1, correction: null } }, 'catchup.mode'],
    [{ catchup: { mode: 'append', source: null, days: 1 } }, 'catchup.source'],
    [{ catchup: { source: '?utc={utc}' } }, 'catchup.mode'],
    [{ catchup: { correction: 25 } }, 'catchup.correction'],
    [{ catchup: { zone: 'Mars/Base' } }, 'catchup.zone'],
    [{ hints: { winamp: [] } }, 'hints'],
    [{ hints: { vlc: ['no hash'] } }, 'hints.vlc.0'],
    [[], ''],
  ] as const;
  for (const [body, path] of cases) {
    const answer = await house.ask<Problem>('PATCH', `/channels/${id}`, { body });
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.deepEqual(
      answer.body.errors?.map((error) => error.path),
      [path],
      JSON.stringify(answer.body),
    );
  }
  const { body } = await house.ask<Problem>('PATCH', `/channels/${id}`, { body: { nmae: 'x' } });
  assert.match(body.detail, /^Unknown field "nmae"\. Known are name, number, logo, /);
  assert.deepEqual((await house.get<ChannelDetail>(`/channels/${id}`)).override.name, null);
});

test('two who edit one channel do not overwrite each other: the second is told 412', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const { id } = await house.channel('Web');
  const read = await house.ask<ChannelDetail>('GET', `/channels/${id}`);
  const etag = read.headers.get('etag') ?? '';
  assert.match(etag, /^"[\w.-]+"$/);
  const known = await house.ask('GET', `/channels/${id}`, { headers: { 'If-None-Match': etag } });
  assert.deepEqual([known.status, known.body, known.headers.get('etag')], [304, null, etag]);
  const edit = (name: string, ifMatch: string) =>
    house.ask<Problem>('PATCH', `/channels/${id}`, { body: { name }, headers: { 'If-Match': ifMatch } });
  assert.equal((await edit('First', etag)).status, 200);
  const refused = await edit('Second', etag);
  assert.deepEqual([refused.status, refused.body.code], [412, 'precondition-failed']);
  assert.equal((await edit('Second', `W/${etag}`)).status, 412);
  assert.equal((await edit('Second', '"nonsense"')).status, 412);
  assert.equal((await house.channel('First')).id, id);
  assert.equal((await house.ask('GET', `/channels/${id}`, { headers: { 'If-None-Match': etag } })).status, 200);
  assert.equal((await edit('Third', '*')).status, 200);
  const now = (await house.ask('GET', `/channels/${id}`)).headers.get('etag') ?? '';
  assert.equal((await edit('Fourth', `"other", ${now}`)).status, 200);
});

test('signs that are no words are found where they stand, and a batch of them takes no other channel', async (t) => {
  const house = await startHousehold(t);
  await house.addList(m3u(['★ Star', 'udp://@239.1.1.1:5000'], ['Two', 'udp://@239.1.1.2:5000']));
  assert.deepEqual(names(await house.channels(`?q=${encodeURIComponent('★')}`)), ['★ Star']);
  for (const [q, rows] of Object.entries({ '★': 1, '☆': 0, '*': 0, ' ': 2 })) {
    const body = { filter: { q }, patch: { hidden: true }, dryRun: true };
    assert.equal((await house.done<Edited>('POST', '/channels:batch', { body })).rows, rows, q);
  }
});

test('a batch changes channels by ids or by filter, or says how many it would change', async (t) => {
  const house = await startHousehold(t);
  await house.addList(many(30));
  const batch = <T = Edited>(body: unknown) => house.ask<T>('POST', '/channels:batch', { as: 'edit', body });
  const patch = { hidden: true };
  const planned = await batch({ filter: { group: 'Group 3' }, patch, dryRun: true });
  assert.deepEqual([planned.status, planned.body], [200, { change: null, rows: 3 }]);
  assert.equal((await house.channels('?state=hidden')).length, 0);
  const done = await batch({ filter: { group: 'Group 3' }, patch });
  assert.equal(done.body.rows, 3);
  assert.deepEqual(names(await house.channels('?state=hidden')), ['Channel 4', 'Channel 14', 'Channel 24']);
  const [one, two] = await house.channels();
  assert.equal((await batch({ ids: [one?.id, two?.id], patch: { groups: ['New'] } })).body.rows, 2);
  assert.equal((await house.channels('?group=New')).length, 2);
  await house.done('POST', `/changes/${done.body.change?.id}:undo`);
  assert.equal((await house.channels('?state=hidden')).length, 0);
  for (const body of [
    { patch },
    { ids: [1], filter: {}, patch },
    { ids: [], patch },
    { filter: { grup: 'x' }, patch },
  ]) {
    assert.equal((await batch(body)).status, 400, JSON.stringify(body));
  }
  const missing = await batch<Problem>({ ids: [one?.id, 999_999], patch: { name: 'x' } });
  assert.equal(missing.status, 404);
  assert.equal((await house.channels('?q=x')).length, 0);
});

async function alternatives(house: Household): Promise<[ChannelDetail, ChannelDetail]> {
  await house.addList(m3u(['News', 'udp://@239.1.1.1:5000', 'tvg-id="news"']));
  await house.addList(m3u(['News HD', 'udp://@239.1.1.2:5000', 'tvg-id="news"']));
  return [await house.channel('News'), await house.channel('News HD')];
}

test('channels are merged, their entries ranked, and split again', async (t) => {
  const house = await startHousehold(t);
  const [news, other] = await alternatives(house);
  const at = `/channels/${news.id}`;
  const stale = { headers: { 'If-Match': '"0.0"' } };
  assert.equal((await house.ask('POST', `${at}:merge`, { body: { channels: [other.id] }, ...stale })).status, 412);
  await house.done<Edited>('POST', `${at}:merge`, { as: 'edit', body: { channels: [other.id] } });
  const merged = await house.get<ChannelDetail>(at);
  assert.deepEqual(merged.entries, [...news.entries, ...other.entries]);
  assert.deepEqual(names(await house.channels()), ['News']);
  const entries = [...merged.entries].reverse();
  await house.done('POST', `${at}:rank`, { body: { entries } });
  assert.deepEqual((await house.get<ChannelDetail>(at)).entries, entries);
  assert.equal((await house.ask('POST', `${at}:rank`, { body: { entries: entries.slice(1) } })).status, 400);
  const split = await house.ask<Edited & { channel: number }>('POST', `${at}:split`, {
    body: { entry: other.entries[0] },
  });
  assert.equal(split.status, 201);
  assert.equal(split.headers.get('location'), `/api/v1/channels/${split.body.channel}`);
  assert.deepEqual((await house.get<ChannelDetail>(`/channels/${split.body.channel}`)).entries, other.entries);
  assert.equal((await house.ask('POST', `${at}:split`, { body: { entry: news.entries[0] } })).status, 409);
});

test('channels that may be one are suggested, and merged or kept apart as the user says', async (t) => {
  const house = await startHousehold(t);
  const [news] = await alternatives(house);
  const [suggestion] = (await house.get<Page<Suggestion>>('/suggestions')).items;
  assert.deepEqual([suggestion?.channel, suggestion?.state], [news.id, 'open']);
  await house.done('POST', `/suggestions/${suggestion?.id}:reject`, { as: 'edit' });
  assert.deepEqual((await house.get<Page<Suggestion>>('/suggestions')).items, []);
  assert.equal((await house.get<Page<Suggestion>>('/suggestions?state=rejected')).items.length, 1);
  await house.done('POST', `/suggestions/${suggestion?.id}:accept`);
  assert.deepEqual(names(await house.channels()), ['News']);
  const { status } = await house.ask('POST', `/suggestions/${suggestion?.id}:reject`);
  assert.equal(status, 409);
  assert.equal((await house.ask('POST', '/suggestions/999:accept')).status, 404);
});
