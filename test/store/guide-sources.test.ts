import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../src/store/open.js';
import { by, look, publish, setUp } from './fixture.js';

const page = { after: null, limit: 10 };
const shape = async ({ guideHouse }: Store) =>
  (await guideHouse.sources()).map(({ location, origin, missingSince }) => [location, origin, missingSince === null]);

test('guides stand in the order of flags, then of people, then of lists, whenever they came', async (t) => {
  const { store } = await setUp(t);
  const { guideHouse } = store;
  const { source } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  assert.equal(await guideHouse.nameByList(source, ['http://list.example/guide.xml']), true);
  await guideHouse.add({ kind: 'url', location: 'http://user.example/guide.xml' }, by);
  await guideHouse.give([{ location: '/given.xml', shift: -19_800 }]);
  assert.deepEqual(await shape(store), [
    ['/given.xml', 'given', true],
    ['http://user.example/guide.xml', 'user', true],
    ['http://list.example/guide.xml', 'list', true],
  ]);
  const [given, , listed] = await guideHouse.sources();
  assert.deepEqual([given?.kind, given?.shift, listed?.lists], ['file', -19_800, [source]]);
});

test('a guide that is given no more is missing, unless a list names it', async (t) => {
  const { store } = await setUp(t);
  const { guideHouse } = store;
  const { source } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  await guideHouse.give([{ location: 'http://one.example/g.xml' }, { location: 'http://two.example/' }]);
  assert.equal(
    await guideHouse.nameByList(source, ['http://two.example']),
    false,
    'the same address written otherwise',
  );
  await guideHouse.give([]);
  assert.deepEqual(await shape(store), [
    ['http://one.example/g.xml', 'user', false],
    ['http://two.example/', 'list', true],
  ]);
  assert.equal(await guideHouse.nameByList(source, []), true);
  assert.deepEqual((await shape(store))[1], ['http://two.example/', 'list', false]);
  assert.equal(await guideHouse.nameByList(source, ['http://two.example/']), true);
  assert.deepEqual((await shape(store))[1], ['http://two.example/', 'list', true]);
});

test('a guide that the user removed is not brought back by the list that names it, but by adding it', async (t) => {
  const { store } = await setUp(t);
  const { guideHouse } = store;
  const { source, channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const url = 'http://list.example/guide.xml';
  await guideHouse.nameByList(source, [url]);
  const [guide] = await guideHouse.sources();
  const id = guide?.id ?? 0;
  const channel = channels[0] ?? 0;
  await guideHouse.setChannelGuide(channel, { links: [{ guideSource: id, guideId: 'a.de' }] }, by);
  await guideHouse.remove(id, by);
  assert.equal(await guideHouse.nameByList(source, [url]), false);
  assert.deepEqual([await shape(store), await guideHouse.source(id), [...guideHouse.links()]], [[], null, []]);
  const added = await guideHouse.add({ kind: 'url', location: url, name: 'Mine' }, by);
  assert.deepEqual([added.id, added.origin, added.name], [id, 'user', 'Mine']);
  assert.deepEqual(
    [...guideHouse.links()].map(({ guideId }) => guideId),
    ['a.de'],
  );
});

test('a removal of a guide that is undone brings it and its links back as they were', async (t) => {
  const { store } = await setUp(t);
  const { guideHouse } = store;
  const { channels } = await publish(store, '/a.m3u', [{ name: 'A' }]);
  const { id, version } = await guideHouse.add({ kind: 'file', location: '/guide.xml', enabled: false }, by);
  await guideHouse.setChannelGuide(channels[0] ?? 0, { links: [{ guideSource: id, guideId: 'a.de' }] }, by);
  await guideHouse.remove(id, by);
  const [removal] = (await store.editReads.changes(page)).items;
  assert.equal(removal?.summary, `remove guide source ${id}`);
  const { tables } = await store.edits.undo(removal.id, by);
  assert.deepEqual(tables, ['guide_source']);
  const back = await guideHouse.source(id);
  assert.deepEqual([back?.enabled, back?.origin, back?.version], [false, 'user', version + 2]);
  assert.equal([...guideHouse.links()].length, 1);
});

test('a guide that flag or configuration give is changed there alone, and one of each location is enough', async (t) => {
  const { store } = await setUp(t);
  const { guideHouse } = store;
  await guideHouse.give([{ location: '/given.xml' }]);
  const [given] = await guideHouse.sources();
  const id = given?.id ?? 0;
  await assert.rejects(guideHouse.update(id, { name: 'Mine' }, by), { code: 'conflict' });
  await assert.rejects(guideHouse.remove(id, by), { code: 'conflict' });
  await assert.rejects(guideHouse.add({ kind: 'file', location: '/given.xml' }, by), {
    code: 'conflict',
    message: `There is a guide source of that location: guide source ${id}.`,
  });
  const other = await guideHouse.add({ kind: 'file', location: '/own.xml' }, by);
  await assert.rejects(guideHouse.update(other.id, { location: '/given.xml' }, by), { code: 'conflict' });
  await assert.rejects(guideHouse.update(other.id, { location: 'http://x/' }, by), { code: 'invalid' });
  await assert.rejects(guideHouse.update(other.id, { name: 'B' }, { ...by, ifMatch: '9' }), {
    code: 'precondition-failed',
  });
});

test('a change of a guide source shows neither credentials nor header fields, and is undone with them', async (t) => {
  const { store } = await setUp(t);
  const location = 'http://user:s3cret@host/guide.xml?token=s3cret';
  const { guideHouse } = store;
  const { id } = await guideHouse.add({ kind: 'url', location, headers: { Authorization: 's3cret' } }, by);
  const moved = { location: 'http://u:t0p@host/g.xml', headers: {}, name: 'Two', proxy: 'http://u:s3cret@proxy:1' };
  await guideHouse.update(id, { ...moved, shift: 3600 }, by);
  const [update, addition] = (await store.editReads.changes(page)).items;
  const shown = [await store.editReads.change(update?.id ?? 0), await store.editReads.change(addition?.id ?? 0)];
  assert.doesNotMatch(JSON.stringify(shown), /s3cret|t0p/);
  assert.match(JSON.stringify(shown), /"name":"Two"/);
  await store.edits.undo(update?.id ?? 0, by);
  const back = await guideHouse.source(id);
  assert.deepEqual(
    [back?.location, back?.headers, back?.proxy, back?.shift],
    [location, { Authorization: 's3cret' }, null, 0],
  );
});

test('what lists name is read from their first lines: several, relative ones, web addresses only', async (t) => {
  const { store } = await setUp(t);
  const named = async (location: string, header: readonly (readonly [string, string])[]) => {
    const { source } = await publish(store, location, [{ name: location }], header);
    return store.guideHouse.guideUrls().find((list) => list.source === source)?.urls;
  };
  assert.deepEqual(
    await named('http://host.example/tv/list.m3u', [
      ['url-tvg', 'guide.xml.gz, /all.xml'],
      [
        'X-TVG-URL',
        'http://other.example/g.xml?ids=1,2,https://third.example/g.xml , http://other.example/g.xml?ids=1,2',
      ],
      ['refresh', '3600'],
    ]),
    [
      'http://host.example/tv/guide.xml.gz',
      'http://host.example/all.xml',
      'http://other.example/g.xml?ids=1,2',
      'https://third.example/g.xml',
    ],
  );
  assert.deepEqual(await named('/folder/list.m3u', [['url-tvg', 'guide.xml,file:///etc/passwd,ftp://x/y']]), []);
});

test('a list that is out of service, and named guides before, names none', async (t) => {
  const { store, dir } = await setUp(t);
  const { guideHouse } = store;
  const { id } = await store.sources.add({ kind: 'url', location: 'http://host.example/l.m3u' }, by);
  await publish(store, 'http://host.example/l.m3u', [{ name: 'A' }], [['url-tvg', 'g.xml']]);
  const [list] = guideHouse.guideUrls();
  assert.deepEqual(list, { source: id, urls: ['http://host.example/g.xml'] });
  await guideHouse.nameByList(id, list?.urls ?? []);
  await store.sources.remove(id, by);
  assert.deepEqual(guideHouse.guideUrls(), [{ source: id, urls: [] }]);
  assert.equal(await guideHouse.nameByList(id, list?.urls ?? []), true, 'a removed list names nothing');
  assert.deepEqual(look(dir, 'SELECT * FROM guide_source_list'), []);
});
