import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Job } from '../../src/model/change.js';
import type { Entry } from '../../src/model/entry.js';
import type { Page } from '../../src/model/page.js';
import type { EntryChange, Refresh, Snapshot } from '../../src/model/refresh.js';
import type { SourceStatus } from '../../src/model/source.js';
import { serve } from '../support/server.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { m3u, many, startHousehold, writeList } from './household.js';

type Problem = { readonly code: string; readonly detail: string; readonly errors?: readonly { path: string }[] };

const one = m3u(['One', 'udp://@239.1.1.1:5000']);

/** A list at an address, which may become another one. */
async function served(t: TestContext, text: string) {
  const list = { url: '', status: 200, text };
  const server = await serve(t, (_request, response) => {
    response.writeHead(list.status).end(list.text);
  });
  list.url = `${server}/list.m3u`;
  return list;
}

test('a list that is added as text is published, shown, changed and removed', async (t) => {
  const house = await startHousehold(t);
  const made = await house.ask<SourceStatus>('POST', '/sources', {
    body: { kind: 'inline', content: one, name: 'Mine', schedule: '6h', publishDirect: true },
  });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), `/api/v1/sources/${made.body.id}`);
  const source = await house.settled(made.body.id);
  assert.deepEqual([source.name, source.kind, source.state, source.channels], ['Mine', 'inline', 'published', 1]);
  const patched = await house.done<SourceStatus>('PATCH', `/sources/${source.id}`, {
    body: {
      name: null,
      schedule: null,
      content: m3u(['One', 'udp://@239.1.1.1:5000'], ['Two', 'udp://@239.1.1.2:5000']),
    },
  });
  assert.deepEqual([patched.name, patched.schedule, patched.publishDirect], [null, null, true]);
  await house.settled(source.id);
  assert.equal((await house.ask('DELETE', `/sources/${source.id}`)).status, 204);
  assert.equal((await house.ask('GET', `/sources/${source.id}`)).status, 404);
  assert.deepEqual((await house.get<Page<SourceStatus>>('/sources')).items, []);
  assert.deepEqual(await house.channels(), []);
});

test('a source that is removed while it is fetched stays away, whatever comes of that', async (t) => {
  const house = await startHousehold(t);
  const asked: (() => void)[] = [];
  const server = await serve(t, (_request, response) => {
    asked.push(() => void response.writeHead(asked.length > 1 ? 500 : 200).end(one));
  });
  for (const path of ['/list.m3u', '/broken.m3u']) {
    const before = asked.length;
    const body = { kind: 'url', location: `${server}${path}` };
    const { id } = await house.done<SourceStatus>('POST', '/sources', { body });
    await until('the list to be fetched', () => asked.length > before);
    const removed = house.ask('DELETE', `/sources/${id}`);
    await until('the source to be gone', async () => (await house.ask('GET', `/sources/${id}`)).status === 404);
    asked.at(-1)?.();
    assert.equal((await removed).status, 204);
    assert.equal((await house.ask('GET', `/sources/${id}`)).status, 404);
    assert.deepEqual((await house.get<Page<SourceStatus>>('/sources')).items, []);
  }
});

test('a schedule that comes due more than once a minute is refused', async (t) => {
  const house = await startHousehold(t);
  for (const schedule of ['* * * * * *', '0,30 0 4 * * *', '30s']) {
    const body = { kind: 'inline', content: one, schedule };
    const { status, body: problem } = await house.ask<Problem>('POST', '/sources', { body });
    assert.deepEqual([status, problem.errors?.[0]?.path], [400, 'schedule'], schedule);
  }
  await house.addList(one, { schedule: '* * * * *' });
});

const secretAddress = 'http://anna:secret@192.0.2.1:81/get/u1/p1.m3u?password=p2#p3';
const secretEntry = m3u(
  ['Web', 'http://host.example/live/u3/p4/1.m3u8?token=p5|Cookie=p6', 'catchup="append" catchup-source="?token=p7"'],
  ['Group', 'udp://@239.1.1.1:5000'],
);

test('addresses, header fields and proxies are shown to administrators alone', async (t) => {
  const house = await startHousehold(t);
  const body = {
    kind: 'url',
    location: secretAddress,
    headers: { Referer: 'http://host/p8' },
    proxy: 'http://anna:p9@proxy.example:3128',
    enabled: false,
  };
  const { id } = await house.done<SourceStatus>('POST', '/sources', { body });
  const whole = await house.get<SourceStatus>(`/sources/${id}`);
  assert.deepEqual([whole.location, whole.headers, whole.proxy], [body.location, body.headers, body.proxy]);
  for (const as of ['read', 'edit'] as const) {
    const shown = await house.get<SourceStatus>(`/sources/${id}`, { as });
    assert.equal(shown.location, 'http://192.0.2.1:81/…');
    assert.deepEqual([shown.headers, shown.proxy], [{ Referer: '…' }, 'http://proxy.example:3128']);
    assert.deepEqual((await house.get<Page<SourceStatus>>('/sources', { as })).items, [shown]);
  }
  await house.addList(
    `${secretEntry}#EXTINF:-1,Hints\n#EXTVLCOPT:http-referrer=http://h/p10\n#EXTHTTP:{"Cookie":"p11"}\nhttp://h/p12\n`,
  );
  const full = JSON.stringify(await house.get('/entries'));
  for (const secret of ['u3', 'p4', 'p5', 'p6', 'p7', 'p10', 'p11', 'p12']) assert.ok(full.includes(secret), secret);
  const { items } = await house.get<Page<Entry>>('/entries', { as: 'edit' });
  assert.doesNotMatch(JSON.stringify(items), /[pu]\d/);
  assert.deepEqual(
    items.map(({ urls }) => urls[0]?.url),
    ['http://host.example/…', 'udp://239.1.1.1:5000', 'http://h/…'],
  );
  assert.doesNotMatch(JSON.stringify(await house.get('/changes', { as: 'edit' })), /p\d/);
  assert.doesNotMatch(JSON.stringify(await house.get(`/changes/1`, { as: 'edit' })), /p\d/);
});

test('an address that cannot be fetched fails with its reason and keeps the last good list', async (t) => {
  const house = await startHousehold(t);
  const list = await served(t, one);
  const { id } = await house.done<SourceStatus>('POST', '/sources', { body: { kind: 'url', location: list.url } });
  assert.equal((await house.settled(id)).state, 'published');
  list.status = 500;
  const job = await house.job(await house.ask<Job>('POST', `/sources/${id}:refresh`, { as: 'edit' }));
  assert.equal(job.state, 'failed');
  const source = await house.get<SourceStatus>(`/sources/${id}`);
  assert.deepEqual([source.state, source.channels, source.failures], ['failed', 1, 1]);
  assert.match(source.reason ?? '', /500/);
  const [refresh] = (await house.get<Page<Refresh>>(`/sources/${id}/refreshes`)).items;
  assert.deepEqual([refresh?.cause, refresh?.outcome], ['user', 'failed']);
});

test('a list that loses too much is quarantined until it is accepted, and the one before can be gone back to', async (t) => {
  const house = await startHousehold(t);
  const list = await served(t, many(60));
  const { id } = await house.done<SourceStatus>('POST', '/sources', { body: { kind: 'url', location: list.url } });
  assert.equal((await house.settled(id)).channels, 60);
  list.text = many(20);
  await house.job(await house.ask<Job>('POST', `/sources/${id}:refresh`));
  const held = await house.get<SourceStatus>(`/sources/${id}`);
  assert.deepEqual([held.state, held.channels], ['quarantined', 60]);
  const { items: snapshots } = await house.get<Page<Snapshot>>(`/sources/${id}/snapshots`);
  const waiting = snapshots.find(({ state }) => state === 'quarantined');
  assert.match(waiting?.reason ?? '', /40/);
  const accept = await house.ask<Job>('POST', `/sources/${id}/snapshots/${waiting?.id}:restore`, { as: 'edit' });
  assert.equal((await house.job(accept)).state, 'done');
  assert.equal((await house.get<SourceStatus>(`/sources/${id}`)).channels, 20);
  const before = snapshots.find(({ inService }) => inService);
  await house.job(await house.ask<Job>('POST', `/sources/${id}/snapshots/${before?.id}:restore`));
  assert.equal((await house.get<SourceStatus>(`/sources/${id}`)).channels, 60);
  const { items: refreshes } = await house.get<Page<Refresh>>(`/sources/${id}/refreshes?limit=2`);
  assert.deepEqual(
    refreshes.map(({ cause, outcome }) => [cause, outcome]),
    [
      ['rollback', 'published'],
      ['accept', 'published'],
    ],
  );
  assert.equal((await house.ask('POST', `/sources/${id}/snapshots/999:restore`)).status, 404);
  assert.equal((await house.ask('GET', '/sources/999/snapshots')).status, 404);
});

test('a dry run changes nothing and says what would change; a refresh leaves a diff that is read in pages', async (t) => {
  const house = await startHousehold(t);
  const list = await served(t, many(10));
  const { id } = await house.done<SourceStatus>('POST', '/sources', { body: { kind: 'url', location: list.url } });
  await house.settled(id);
  list.text = many(13);
  const plan = await house.job(await house.ask<Job>('POST', `/sources/${id}:refresh`, { body: { dryRun: true } }));
  const { counts } = plan.result as { counts: { added: number } };
  assert.equal(counts.added, 3);
  assert.equal((await house.channels()).length, 10);
  await house.job(await house.ask<Job>('POST', `/sources/${id}:refresh`));
  const [refresh] = (await house.get<Page<Refresh>>(`/sources/${id}/refreshes`)).items;
  const at = `/sources/${id}/refreshes/${refresh?.id}`;
  assert.equal((await house.get<Refresh>(at)).counts.added, 3);
  const first = await house.get<Page<EntryChange>>(`${at}/changes?limit=2`, { as: 'read' });
  const rest = await house.get<Page<EntryChange>>(`${at}/changes?limit=2&after=${first.next}`);
  const names = [...first.items, ...rest.items].map(({ kind, name }) => `${kind} ${name}`);
  assert.deepEqual(names.sort(), ['added Channel 11', 'added Channel 12', 'added Channel 13']);
  assert.equal(rest.next, null);
  const other = await house.addList(one);
  assert.equal((await house.ask('GET', `/sources/${other.id}/refreshes/${refresh?.id}`)).status, 404);
});

test('a file is taken from the configured folder alone, links followed, and from none where none is configured', async (t) => {
  const folder = tempDir(t);
  mkdirSync(join(folder, 'lists'));
  const outside = writeList(folder, 'outside.m3u', one);
  symlinkSync(outside, join(folder, 'lists', 'link.m3u'));
  writeList(join(folder, 'lists'), 'inside.m3u', one);
  const house = await startHousehold(t, { listFolder: join(folder, 'lists') });
  const add = (location: string) =>
    house.ask<Problem & SourceStatus>('POST', '/sources', { body: { kind: 'file', location } });
  for (const location of ['link.m3u', '../outside.m3u', outside, '/etc/passwd', 'none.m3u', '.', '/']) {
    const { status, body } = await add(location);
    assert.equal(status, 400, location);
    assert.deepEqual(body.errors, [{ path: 'location', message: 'There is no such file in the folder for lists.' }]);
  }
  const { status, body: source } = await add('inside.m3u');
  assert.equal(status, 201);
  const moved = await house.ask<Problem>('PATCH', `/sources/${source.id}`, { body: { location: outside } });
  assert.equal(moved.status, 400);
  assert.equal((await house.ask('PATCH', `/sources/${source.id}`, { body: { name: 'x' } })).status, 200);
  const without = await startHousehold(t);
  const refused = await without.ask<Problem>('POST', '/sources', { body: { kind: 'file', location: outside } });
  assert.equal(refused.status, 403);
  assert.match(refused.body.detail, /list_folder/);
});

test('what a source cannot be is refused by name of the field', async (t) => {
  const house = await startHousehold(t);
  const url = { kind: 'url', location: 'http://192.0.2.1/l.m3u', enabled: false };
  const cases = [
    [{ ...url, location: 'ftp://192.0.2.1/l.m3u' }, 'location'],
    [{ ...url, schedule: 'sometimes' }, 'schedule'],
    [{ ...url, schedule: '0 4 * * *', timeZone: 'Europe/Nowhere' }, 'timeZone'],
    [{ ...url, proxy: 'gopher://proxy' }, 'proxy'],
    [{ ...url, headers: { Referer: 'a\r\nX: b' } }, 'headers.Referer'],
    [{ ...url, headers: { 'a b': 'c' } }, 'headers.a b'],
    [{ ...url, encoding: 'utf-8' }, 'encoding'],
    [{ ...url, interface: 'a/b' }, 'interface'],
    [{ ...url, name: 'a\nb' }, 'name'],
    [{ ...url, content: one }, ''],
    [{ kind: 'inline' }, 'content'],
    [{ kind: 'ftp' }, 'kind'],
  ] as const;
  for (const [body, path] of cases) {
    const answer = await house.ask<Problem>('POST', '/sources', { body });
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.code, 'invalid');
    assert.deepEqual(
      answer.body.errors?.map((error) => error.path),
      [path],
      JSON.stringify(answer.body),
    );
  }
  const { id } = await house.done<SourceStatus>('POST', '/sources', { body: url });
  const twice = await house.ask<Problem>('POST', '/sources', { body: url });
  assert.deepEqual([twice.status, twice.body.code], [409, 'conflict']);
  assert.equal((await house.ask('PATCH', `/sources/${id}`, { body: { content: one } })).status, 400);
  assert.equal((await house.ask('POST', `/sources/${id}:refresh`, { as: 'edit' })).status, 404);
});

test('sources are changed by administrators, refreshed by editors, and only read by readers', async (t) => {
  const house = await startHousehold(t);
  const { id } = await house.addList(one);
  const body = { publishDirect: true };
  for (const as of ['read', 'edit'] as const) {
    assert.equal((await house.ask('PATCH', `/sources/${id}`, { as, body })).status, 403);
    assert.equal((await house.ask('DELETE', `/sources/${id}`, { as })).status, 403);
    assert.equal((await house.ask('POST', '/sources', { as, body: { kind: 'inline', content: one } })).status, 403);
  }
  assert.equal((await house.ask('POST', `/sources/${id}:refresh`, { as: 'read' })).status, 403);
  assert.equal((await house.ask('POST', `/sources/${id}:refresh`, { as: 'edit' })).status, 202);
  await house.done('PATCH', `/sources/${id}`, { body });
  const [change] = (await house.get<Page<{ id: number }>>('/changes')).items;
  assert.equal((await house.ask('POST', `/changes/${change?.id}:undo`, { as: 'edit' })).status, 403);
  await house.done('POST', `/changes/${change?.id}:undo`);
  assert.equal((await house.get<SourceStatus>(`/sources/${id}`)).publishDirect, false);
});

test('a list that the configuration gives cannot be changed here', async (t) => {
  const house = await startHousehold(t);
  const given = { location: '/lists/a.m3u', interface: null, membership_refresh: null };
  const [id] = await house.options.store.sources.give([given]);
  for (const [method, body] of [
    ['PATCH', { name: 'x' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await house.ask<Problem>(method, `/sources/${id}`, body === undefined ? {} : { body });
    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict']);
  }
});
