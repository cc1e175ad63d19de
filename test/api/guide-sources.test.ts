import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Change, Job } from '../../src/model/change.js';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import type { Page } from '../../src/model/page.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { guideIs, servedGuide, thisHour, xmltv } from './guide-source.js';
import { startHousehold } from './household.js';

type Problem = { readonly code: string; readonly detail: string; readonly errors?: readonly { path: string }[] };
type Refresh = {
  readonly outcome: string;
  readonly cause: string;
  readonly reason: string | null;
  readonly counts: object;
};

test('a guide that is added is taken over, shown, changed and removed, and comes back with an undo', async (t) => {
  const house = await startHousehold(t);
  const guide = await servedGuide(t, xmltv({ one: 'One', two: 'Two' }));
  const made = await house.ask<GuideSourceStatus>('POST', '/guide-sources', {
    body: { kind: 'url', location: guide.url, name: 'Mine', shift: -19_800, timeZone: 'Europe/Berlin' },
  });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), `/api/v1/guide-sources/${made.body.id}`);
  const source = await guideIs(house, made.body.id, 'published');
  const { counts } = source;
  assert.deepEqual(
    [source.name, source.origin, source.shift, counts?.channels, counts?.programmes],
    ['Mine', 'user', -19_800, 2, 96],
  );
  assert.equal(counts?.first, thisHour);
  const at = `/guide-sources/${source.id}`;
  const patched = await house.done<GuideSourceStatus>('PATCH', at, { body: { name: null, shift: 0, position: 7 } });
  assert.deepEqual([patched.name, patched.shift, patched.position, patched.timeZone], [null, 0, 7, 'Europe/Berlin']);
  assert.equal((await house.ask('DELETE', at)).status, 204);
  assert.equal((await house.ask('GET', at)).status, 404);
  assert.deepEqual((await house.get<Page<GuideSourceStatus>>('/guide-sources')).items, []);
  const [removal] = (await house.get<Page<Change>>('/changes')).items;
  assert.equal((await house.ask('POST', `/changes/${removal?.id}:undo`, { as: 'edit' })).status, 403);
  await house.done('POST', `/changes/${removal?.id}:undo`);
  assert.equal((await guideIs(house, source.id, 'published')).version, patched.version + 2);
});

test('a guide that lost half of its programmes waits until somebody accepts it', async (t) => {
  const house = await startHousehold(t);
  const guide = await servedGuide(t, xmltv({ one: 'One' }, 48));
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', {
    body: { kind: 'url', location: guide.url },
  });
  await guideIs(house, id, 'published');
  assert.equal((await house.ask<Problem>('POST', `/guide-sources/${id}:accept`)).body.code, 'conflict');
  guide.text = xmltv({ one: 'One' }, 20);
  await house.job(await house.ask<Job>('POST', `/guide-sources/${id}:refresh`, { as: 'edit' }));
  const kept = await guideIs(house, id, 'quarantined');
  assert.deepEqual([kept.counts?.programmes, kept.waiting?.reason], [48, kept.reason]);
  assert.match(kept.reason ?? '', /less than half/);
  assert.equal((await house.ask('POST', `/guide-sources/${id}:accept`, { as: 'edit' })).status, 403);
  const job = await house.job(await house.ask<Job>('POST', `/guide-sources/${id}:accept`));
  assert.deepEqual([job.kind, job.subject, job.state], ['guide-refresh', id, 'done']);
  const accepted = await guideIs(house, id, 'published');
  assert.deepEqual([accepted.counts?.programmes, accepted.waiting], [20, null]);
  const { items } = await house.get<Page<Refresh>>(`/guide-sources/${id}/refreshes?limit=2`);
  assert.deepEqual(
    items.map(({ outcome, cause }) => [outcome, cause]),
    [
      ['published', 'accept'],
      ['quarantined', 'user'],
    ],
  );
});

test('addresses, header fields and proxies of guides are for administrators alone', async (t) => {
  const house = await startHousehold(t);
  const body = {
    ...{ kind: 'url', location: 'http://a:SECRET@127.0.0.1:9/SECRET.xml?t=SECRET', headers: { Cookie: 'SECRET' } },
    ...{ proxy: 'http://a:SECRET@127.0.0.1:9', enabled: false },
  };
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', { body });
  await house.done('PATCH', `/guide-sources/${id}`, { body: { headers: { Cookie: 'SECRET2' } } });
  for (const path of ['/guide-sources', `/guide-sources/${id}`, '/changes', '/changes/1', '/changes/2']) {
    for (const as of ['read', 'edit'] as const) {
      assert.doesNotMatch(JSON.stringify(await house.get(path, { as })), /SECRET/, path);
    }
  }
  assert.match(JSON.stringify(await house.get(`/guide-sources/${id}`)), /t=SECRET.*SECRET2/);
});

test('a guide of a file is read from the configured folder alone', async (t) => {
  const folder = tempDir(t);
  writeFileSync(join(folder, 'guide.xml'), xmltv({ one: 'One' }));
  const add = (location: string) => ({ body: { kind: 'file', location } });
  const closed = await startHousehold(t);
  assert.equal((await closed.ask<Problem>('POST', '/guide-sources', add('guide.xml'))).status, 403);
  const house = await startHousehold(t, { listFolder: folder });
  assert.equal(
    (await house.ask<Problem>('POST', '/guide-sources', add('/etc/passwd'))).body.errors?.[0]?.path,
    'location',
  );
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', add('guide.xml'));
  await guideIs(house, id, 'published');
  const moved = await house.ask<Problem>('PATCH', `/guide-sources/${id}`, { body: { location: '../x.xml' } });
  assert.equal(moved.body.errors?.[0]?.path, 'location');
  await house.done('PATCH', `/guide-sources/${id}`, { body: { location: 'guide.xml', schedule: '0 4 * * *' } });
  assert.equal((await house.ask<Problem>('POST', '/guide-sources', add('guide.xml'))).status, 409);
});

test('what a guide source cannot have is refused by name', async (t) => {
  const house = await startHousehold(t);
  const refused = async (field: string, value: unknown) => {
    const body = { kind: 'url', location: 'http://127.0.0.1:9/', enabled: false, [field]: value };
    const { status, body: problem } = await house.ask<Problem>('POST', '/guide-sources', { body });
    assert.deepEqual([status, problem.errors?.[0]?.path], [400, field]);
  };
  await refused('location', 'ftp://host/guide.xml');
  await refused('schedule', '10s');
  await refused('timeZone', 'Mars/Olympus');
  await refused('encoding', 'klingon');
  await refused('shift', 200_000);
  await refused('shift', 0.5);
});

test('a guide that flag or configuration give is refreshed here, and changed there', async (t) => {
  const house = await startHousehold(t);
  const guide = await servedGuide(t, xmltv({ one: 'One' }));
  await house.options.store.guideHouse.give([{ location: guide.url }]);
  await house.options.guides.sourcesChanged();
  const [given] = (await house.get<Page<GuideSourceStatus>>('/guide-sources')).items;
  const at = `/guide-sources/${given?.id}`;
  assert.deepEqual([given?.origin, (await guideIs(house, given?.id ?? 0, 'published')).state], ['given', 'published']);
  assert.equal((await house.ask('PATCH', at, { body: { name: 'A' } })).status, 409);
  assert.equal((await house.ask('DELETE', at)).status, 409);
  assert.equal((await house.job(await house.ask<Job>('POST', `${at}:refresh`))).state, 'done');
});

test('who changes what another one changed since is told so', async (t) => {
  const house = await startHousehold(t);
  const body = { kind: 'url', location: 'http://127.0.0.1:9/', enabled: false };
  const made = await house.ask<GuideSourceStatus>('POST', '/guide-sources', { body });
  const at = `/guide-sources/${made.body.id}`;
  const headers = { 'If-Match': made.headers.get('etag') ?? '' };
  assert.equal((await house.ask('PATCH', at, { body: { name: 'A' }, headers })).status, 200);
  assert.equal((await house.ask('PATCH', at, { body: { name: 'B' }, headers })).status, 412);
  assert.equal((await house.ask('DELETE', at, { headers })).status, 412);
  const { headers: shown } = await house.ask('GET', at);
  assert.equal((await house.ask('GET', at, { headers: { 'If-None-Match': shown.get('etag') ?? '' } })).status, 304);
});

test('whoever listens is told of guides as they come', async (t) => {
  const house = await startHousehold(t);
  const told: string[] = [];
  t.after(house.options.events.on(({ type }) => told.push(type)));
  const guide = await servedGuide(t, xmltv({ one: 'One' }));
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', {
    body: { kind: 'url', location: guide.url },
  });
  await guideIs(house, id, 'published');
  await until('the events', () => ['change', 'guide-source', 'guide'].every((type) => told.includes(type)));
});
