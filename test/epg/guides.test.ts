import assert from 'node:assert/strict';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { by } from '../store/fixture.js';
import { startGuideServer } from '../support/guide-server.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { evenly, home, xmltv } from './set-up.js';

/** Milliseconds for a pass on a machine that has other work. */
const slow = { within: 30_000 };
const twoDays = { 'a.de': evenly('A'), 'b.de': evenly('B'), 'c.de': evenly('C') };

test('a guide at an address is published: linked channels have programmes, all others are listed with what they would have', async (t) => {
  const server = await startGuideServer(t, gzipSync(xmltv(twoDays)));
  const house = await home(t, { guides: [server.url], linked: ['A.DE'] });
  const feed = await house.feed();
  assert.equal(feed?.state, 'published');
  const { channels, programmes, wanted, parsed, unchanged, problems } = feed.service?.counts ?? {};
  assert.deepEqual([channels, programmes, wanted, parsed, unchanged, problems], [3, 108, 36, 36, 0, {}]);
  assert.deepEqual(house.shown('a.de').slice(0, 2), ['A 0@0', 'A 1@1']);
  assert.equal(house.shown('a.de').length, 36);
  assert.deepEqual(house.shown('b.de'), []);
  const facts = [...house.guideStore.channels.facts(1)];
  assert.deepEqual(
    facts.map(({ guideId, names, programmes: count }) => [guideId, names[0]?.text, count]),
    [
      ['a.de', 'a.de TV', 36],
      ['b.de', 'b.de TV', 36],
      ['c.de', 'c.de TV', 36],
    ],
  );
  assert.ok(house.events.some(({ type }) => type === 'guide'));
});

test('a guide that the server says is the same is neither sent nor read', async (t) => {
  const server = await startGuideServer(t, '');
  server.answer = { body: xmltv(twoDays), headers: { ETag: '"1"' } };
  const house = await home(t, { guides: [server.url], linked: ['a.de'] });
  const before = house.whole();
  await house.guides.refreshAll();
  assert.deepEqual([server.requests, server.sent], [2, 1]);
  assert.deepEqual(house.whole(), before);
  assert.equal((await house.feed())?.state, 'published');
});

test('the same guide packed anew is not read again', async (t) => {
  const packed = gzipSync(xmltv(twoDays));
  const server = await startGuideServer(t, packed);
  const house = await home(t, { guides: [server.url], linked: ['a.de'] });
  const before = house.whole();
  const later = Buffer.from(packed);
  later.writeUInt32LE(1_700_000_000, 4);
  server.answer = { body: later };
  await house.guides.refreshAll();
  assert.equal(server.sent, 2);
  assert.deepEqual(house.whole(), before);
});

test('of a guide with one programme changed, that one is parsed and written; a rerun is written and not parsed', async (t) => {
  const server = await startGuideServer(t, xmltv(twoDays));
  const house = await home(t, { guides: [server.url], linked: ['a.de', 'b.de'] });
  const changed = evenly('A').map((one, n) => (n === 5 ? ['News', 5] : one) as [string, number]);
  server.answer = { body: xmltv({ ...twoDays, 'a.de': changed, 'b.de': [...evenly('B'), ['B 0', 36]] }) };
  await house.guides.refreshAll();
  const { wanted, unchanged, reused, parsed, removed } = (await house.feed())?.service?.counts ?? {};
  assert.deepEqual([wanted, unchanged, reused, parsed, removed], [73, 71, 1, 1, 1]);
  assert.deepEqual(house.shown('a.de').slice(4, 7), ['A 4@4', 'News@5', 'A 6@6']);
  assert.equal(house.shown('b.de').at(-1), 'B 0@36');
});

test('what lies before the first programme of a newer guide is history and stays', async (t) => {
  const server = await startGuideServer(
    t,
    xmltv({ 'a.de': evenly('A', 48).map(([, n]) => [`A ${n}`, Number(n) - 12]) }),
  );
  const house = await home(t, { guides: [server.url], linked: ['a.de'] });
  server.answer = { body: xmltv({ 'a.de': evenly('New', 48) }) };
  await house.guides.refreshAll();
  const shown = house.shown('a.de');
  assert.deepEqual([shown[0], shown[11], shown[12], shown.length], ['A 0@-12', 'A 11@-1', 'New 0@0', 60]);
});

test('a file is read when it changes; over-written with rubbish, the last good guide stays and is linked from', async (t) => {
  const dir = tempDir(t);
  const file = join(dir, 'guide.xml');
  writeFileSync(file, xmltv(twoDays));
  const house = await home(t, { dir, guides: [file], linked: ['a.de'] });
  assert.equal(house.shown('a.de').length, 36);
  writeFileSync(`${file}.new`, '<html><body>404</body></html>');
  renameSync(`${file}.new`, file);
  await until('the file is refused', async () => (await house.feed())?.state === 'quarantined', slow);
  assert.equal((await house.feed())?.reason, 'It is an HTML page, not a guide.');
  await house.link({ 1: 'b.de' });
  house.guides.linksChanged();
  await until('the new link is read', () => house.shown('b.de').length === 36, slow);
  assert.equal(house.shown('a.de').length, 36);
});

test('fifty new links are read in one pass over the kept body, without asking the server', async (t) => {
  const ids = Array.from({ length: 60 }, (_, n) => `ch${n}.de`);
  const guide = Object.fromEntries(ids.map((id) => [id, evenly(id, 14)]));
  const server = await startGuideServer(t, gzipSync(xmltv(guide)));
  const lines = ids.map((name) => ({ name }));
  const house = await home(t, { guides: [server.url], lines, linked: ids.slice(0, 10) });
  const asked = server.requests;
  const parsed = (await house.feed())?.service?.counts.parsed;
  assert.equal(parsed, 140);
  await house.link(Object.fromEntries(ids.slice(10).map((id, n) => [n + 10, id])));
  house.guides.linksChanged();
  await until('all are read', () => house.shown('ch59.de').length === 14, slow);
  for (const id of ids) assert.equal(house.shown(id).length, 14, id);
  assert.equal(server.requests, asked);
  const refreshes = (await house.guideStore.feeds.refreshes(1, { after: null, limit: 10 })).items;
  assert.deepEqual(
    refreshes.map(({ cause, outcome, counts }) => [cause, outcome, counts.parsed, counts.wanted]),
    [
      ['links', 'published', 700, 840],
      ['start', 'published', 140, 140],
    ],
  );
  await house.guides.refreshAll();
  assert.equal(house.shown('ch0.de').length, 14);
});

test('another zone of a guide source is another reading of the same bytes', async (t) => {
  const body = xmltv({ 'a.de': evenly('A') }).replaceAll(' +0000', '');
  const server = await startGuideServer(t, '');
  server.answer = { body, headers: { ETag: '"1"' } };
  const house = await home(t, { guides: [], start: false });
  const source = await house.store.guideHouse.add({ kind: 'url', location: server.url }, by);
  await house.link({ 0: 'a.de' }, source.id);
  await house.guides.start();
  assert.equal(house.shown('a.de', source.id)[1], 'A 1@1');
  await house.store.guideHouse.update(source.id, { timeZone: 'Asia/Tokyo' }, by);
  await house.guides.sourcesChanged();
  await until('it is read again', () => house.shown('a.de', source.id).includes('A 10@1'), slow);
});

test('a guide source that is removed in the middle of its pass stays removed, and all of it goes', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`ch${n}.de`, evenly(`${n}`, 48)]));
  const server = await startGuideServer(t, xmltv(many));
  const lines = Object.keys(many).map((name) => ({ name }));
  const house = await home(t, { lines, start: false });
  const source = await house.store.guideHouse.add({ kind: 'url', location: server.url }, by);
  await house.link(Object.fromEntries(lines.map(({ name }, n) => [n, name])), source.id);
  const started = house.guides.start();
  await until('it is staged', async () => (await house.feed(source.id))?.state === 'staging', slow);
  await house.store.guideHouse.remove(source.id, by);
  await house.guides.sourcesChanged();
  await started;
  assert.equal(await house.feed(source.id), null);
  assert.deepEqual(house.shown('ch0.de', source.id), []);
  await assert.rejects(house.guides.refresh(source.id), { code: 'not-found' });
});
