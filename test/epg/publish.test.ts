import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { by } from '../store/fixture.js';
import type { Said } from '../store/guide/fixture.js';
import { needs } from '../support/needs.js';
import { until } from '../support/until.js';
import { dtdProblems } from '../support/xmllint.js';
import { channelsOf, type GuideHouseholder, noon, setUpGuide, told, whole } from './out.js';

const skip = needs('xmllint', 'xmltv');
const hour = 3600;
/** Hours are those of the day of the tests. */
const airing = (key: string, title: string, from: number, to?: number): Said => {
  const start = noon + (from - 12) * hour;
  return { key, title, start, ...(to === undefined ? {} : { stop: start + (to - from) * hour }) };
};

/** One programme. */
async function shows(house: GuideHouseholder, channel: number): Promise<void> {
  const source = await house.source('/guides/a.xml');
  await house.says(source, [airing('a', 'Shown', 12, 13)]);
  await house.link(channel, [source, 'a']);
}

test('channels have their ids, names and numbers, and programmes of their guides with all shifts added', {
  skip,
}, async (t) => {
  const house = await setUpGuide(t);
  const [news = 0, film = 0] = await house.list([
    { name: 'News, HD', tvgId: 'ChA.UK', number: '7' },
    { name: 'Film & More' },
    { name: 'Bare', tvgId: 'bare' },
  ]);
  const early = await house.source('/guides/a.xml', -1800);
  const second = await house.source('/guides/b.xml');
  await house.says(early, [airing('cha.uk', 'A', 12, 13), airing('cha.uk', 'B', 14, 15)]);
  await house.says(second, [airing('film', 'F', 12), airing('film', 'G', 13), airing('news', 'N', 12.5, 13.5)]);
  await house.link(news, [early, 'cha.uk'], [second, 'news']);
  await house.link(film, [second, 'film', 3600]);
  await house.store.edits.editChannels({ ids: [film] }, { guideShift: 1800 }, by);
  const guide = await house.read();
  assert.equal(dtdProblems({ text: guide }), '');
  const key = (await house.store.channels.byId(film))?.key ?? '';
  assert.deepEqual(channelsOf(guide), [
    ['ChA.UK', 'News, HD', 'News，HD', '7'],
    [key, 'Film &amp; More'],
    ['bare', 'Bare'],
  ]);
  assert.deepEqual(told(guide), [
    ...['ChA.UK A 11.5-12.5', 'ChA.UK N 12.5-13.5', 'ChA.UK B 13.5-14.5'],
    ...[`${key} F 13.5-14.5`, `${key} G 14.5-15`],
  ]);
});

test('twins of one id and guide are one channel with both names; one that shows another guide has its key (M31, X26)', {
  skip,
}, async (t) => {
  const house = await setUpGuide(t);
  const [sd = 0, hd = 0, other = 0, none = 0] = await house.list([
    ...[
      { name: 'One', tvgId: 'One.uk' },
      { name: 'One HD', tvgId: 'one.UK', number: '1' },
    ],
    ...[
      { name: 'One North', tvgId: 'ONE.uk' },
      { name: 'Nothing', tvgId: '0' },
      { name: 'Nor this', tvgId: '0' },
    ],
  ]);
  const source = await house.source('/guides/a.xml');
  await house.says(source, [airing('one.uk', 'A', 12, 13), airing('north', 'N', 12, 13)]);
  for (const channel of [sd, hd]) await house.link(channel, [source, 'one.uk']);
  await house.link(other, [source, 'north']);
  const keyOf = async (channel: number) => (await house.store.channels.byId(channel))?.key ?? '';
  const guide = await house.read();
  assert.equal(dtdProblems({ text: guide }), '');
  assert.deepEqual(channelsOf(guide), [
    ['One.uk', 'One', 'One HD', '1'],
    [await keyOf(other), 'One North'],
    [await keyOf(none), 'Nothing'],
    [await keyOf(none + 1), 'Nor this'],
  ]);
  assert.deepEqual(told(guide), ['One.uk A 12-13', `${await keyOf(other)} N 12-13`]);
});

test('days and past cut the guide at midnights, and programmes across them are whole', { skip }, async (t) => {
  const house = await setUpGuide(t);
  const [channel = 0] = await house.list([{ name: 'A', tvgId: 'a' }]);
  const source = await house.source('/guides/a.xml');
  const starts = [-49, -25, -2, -1, 12, 47, 71, 95];
  await house.says(
    source,
    starts.map((start) => airing('a', `at ${start}`, start, start + 2)),
  );
  await house.link(channel, [source, 'a']);
  const titles = async (days: number | null, past: number | null) =>
    [...(await house.read({ days, past })).matchAll(/<title>at ([^<]*)/g)].map(([, start]) => Number(start));
  assert.deepEqual(await titles(null, null), [-1, 12, 47, 71, 95]);
  assert.deepEqual(await titles(1, 0), [-1, 12, 47]);
  assert.deepEqual(await titles(2, 1), [-25, -2, -1, 12, 47, 71]);
  assert.deepEqual(await titles(30, 30), starts);
});

test('a channel that is to have no guide has no programmes, and placeholders fill a week where no guide speaks', {
  skip,
}, async (t) => {
  const house = await setUpGuide(t);
  const [none = 0, filled = 0] = await house.list([
    { name: 'None', tvgId: 'none.x' },
    { name: 'Filled', tvgId: 'f' },
  ]);
  const source = await house.source('/guides/a.xml');
  await house.says(source, [airing('a', 'A', 12, 13)]);
  for (const channel of [none, filled]) await house.link(channel, [source, 'a']);
  const placeholder = { minutes: 720, title: '{name}' };
  await house.store.guideHouse.setChannelGuide(none, { mode: 'none', placeholder }, by);
  await house.store.guideHouse.setChannelGuide(filled, { placeholder }, by);
  const guide = await house.read();
  assert.equal(dtdProblems({ text: guide }), '');
  const items = told(guide);
  assert.deepEqual(items.slice(0, 4), ['f Filled 0-12', 'f A 12-13', 'f Filled 13-24', 'f Filled 24-36']);
  assert.equal(items.at(-1), 'f Filled 180-192');
});

test('a line-up has its channels with its numbers, and their ids are those of the whole list', { skip }, async (t) => {
  const house = await setUpGuide(t);
  const [older = 0, younger = 0] = await house.list([
    { name: 'A', tvgId: 'x', number: '1' },
    { name: 'B', tvgId: 'x', number: '2' },
  ]);
  const source = await house.source('/guides/a.xml');
  await house.says(source, [airing('a', 'A', 12, 13)]);
  await house.link(older, [source, 'b']);
  await house.link(younger, [source, 'a']);
  await house.store.edits.createLineup({ slug: 'kids', name: 'Kids', filter: null }, by);
  const item = { channel: younger, order: null, number: '100', excluded: false };
  await house.store.edits.setLineupItems('kids', [item], by);
  const key = (await house.store.channels.byId(younger))?.key ?? '';
  assert.deepEqual(channelsOf(await house.read({ lineup: 'kids' })), [[key, 'B', '100']]);
  await assert.rejects(house.read({ lineup: 'other' }), { code: 'not-found' });
});

test('pictures are named where the public address is known', async (t) => {
  const house = await setUpGuide(t, 'https://tv.example.org');
  const [channel = 0] = await house.list([{ name: 'A', logo: 'http://secret/logo.png?token=1' }, { name: 'B' }]);
  const key = (await house.store.channels.byId(channel))?.key ?? '';
  assert.deepEqual(
    [...(await house.read()).matchAll(/<icon src="([^"]*)"/g)].map(([, src]) => src),
    [`https://tv.example.org/logos/${key}`],
  );
});

test('the packed file is the same guide, each with an ETag of its own that changes with the content alone', async (t) => {
  const house = await setUpGuide(t);
  const [channel = 0] = await house.list([{ name: 'A', tvgId: 'a' }]);
  await shows(house, channel);
  const plain = await house.files.get(whole);
  const packed = await house.files.get({ ...whole, gzip: true });
  assert.deepEqual(gunzipSync(readFileSync(packed.path)), readFileSync(plain.path));
  assert.equal(packed.etag, `${plain.etag}-gz`);
  assert.deepEqual(
    [plain.bytes, packed.bytes],
    [plain, packed].map(({ path }) => readFileSync(path).length),
  );
  await house.store.edits.editChannels({ ids: [channel] }, { groups: ['Other'] }, by);
  const next = async () => {
    const before = (await house.files.get(whole)).path;
    await until('another file', async () => (await house.files.get(whole)).path !== before);
    return (await house.files.get(whole)).etag;
  };
  await house.files.get(whole);
  await until('another file', async () => (await house.files.get(whole)).path !== plain.path);
  assert.equal((await house.files.get(whole)).etag, plain.etag);
  await house.store.edits.editChannels({ ids: [channel] }, { name: 'B' }, by);
  assert.notEqual(await next(), plain.etag);
});

test('a guide without programmes is given to nobody while one with programmes is made', async (t) => {
  const house = await setUpGuide(t);
  const [channel = 0] = await house.list([{ name: 'A' }]);
  assert.deepEqual(told(await house.read()), []);
  await shows(house, channel);
  assert.equal(told(await house.read()).length, 1);
});

test('while another guide is made, the one before it is given, and it can be opened for a while longer', async (t) => {
  const house = await setUpGuide(t);
  const [channel = 0] = await house.list([{ name: 'Before' }]);
  await shows(house, channel);
  const before = await house.files.get(whole);
  await house.store.edits.editChannels({ ids: [channel] }, { name: 'Behind' }, by);
  assert.equal((await house.files.get(whole)).path, before.path);
  await until('the other guide', async () => (await house.files.get(whole)).path !== before.path);
  assert.match(await house.read(), /Behind/);
  assert.ok(existsSync(before.path));
});

test('a renewal makes the guides that were asked for within a day, and the usual one once there is a guide', async (t) => {
  const house = await setUpGuide(t);
  const [channel = 0] = await house.list([{ name: 'A', tvgId: 'a' }]);
  const source = await house.source('/guides/a.xml');
  await house.files.get({ ...whole, days: 2 });
  await house.says(source, [airing('a', 'Programme', 12, 13)]);
  await house.link(channel, [source, 'a']);
  house.files.renew();
  const files = () => [1, 2, 3].filter((file) => existsSync(`${house.store.dir}/published-guide/${file}.xml.gz`));
  await until('two more guides', () => files().length === 3, { within: 8000 });
  for (const days of [2, null]) {
    await until('the guide', async () => /Programme/.test(await house.read({ days })), { within: 8000 });
  }
  assert.deepEqual(files(), [1, 2, 3], 'none was made anew when it was asked for');
});

test('a day later the guide is another one, although nothing changed', async (t) => {
  const house = await setUpGuide(t);
  const [channel = 0] = await house.list([{ name: 'A', tvgId: 'a' }]);
  const source = await house.source('/guides/a.xml');
  await house.says(source, [airing('a', 'Today', 12, 13), airing('a', 'Tomorrow', 36, 37)]);
  await house.link(channel, [source, 'a']);
  assert.deepEqual(told(await house.read()), ['a Today 12-13', 'a Tomorrow 36-37']);
  house.time += 24 * hour * 1000;
  await until('the next day', async () => !/Today/.test(await house.read()));
  assert.deepEqual(told(await house.read()), ['a Tomorrow 36-37']);
});

test('what is left of an earlier run is removed, and closing removes all', async (t) => {
  const house = await setUpGuide(t);
  await house.list([{ name: 'A' }]);
  const { path } = await house.files.get(whole);
  house.files.close();
  assert.equal(existsSync(path), false);
  await assert.rejects(house.files.get(whole), { code: 'unavailable' });
});
