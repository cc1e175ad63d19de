import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type GuideServer, startGuideServer } from '../support/guide-server.js';
import { until } from '../support/until.js';
import { day, evenly, home, hour, thisHour, time, type Written, xmltv } from './set-up.js';

const ids = ['a.de', 'b.de', 'c.de', 'd.de'];
const good = Object.fromEntries(ids.map((id) => [id, evenly(id, 48)]));
const text = xmltv(good);
const packed = gzipSync(text);
/** Programmes of all channels, an hour each, from an hour on. */
const from = (start: number, hours: number) =>
  xmltv(
    Object.fromEntries(
      ids.map((id) => [id, Array.from({ length: hours }, (_, n): Written => [`late ${n}`, start + n])]),
    ),
  );
const ends = new Date((thisHour + 6 * hour) * 1000).toISOString().slice(0, 16).replace('T', ' ');

type Fault = {
  readonly what: string;
  readonly answer: GuideServer['answer'];
  readonly reason: RegExp;
  readonly state?: 'failed';
};

const faults: readonly Fault[] = [
  { what: 'nothing (X11)', answer: { body: '' }, reason: /^It is empty\.$/ },
  { what: 'an HTML page', answer: { body: '<!doctype html><p>Hello' }, reason: /^It is an HTML page, not a guide\.$/ },
  { what: 'JSON', answer: { body: '{"error":"limit"}' }, reason: /^It is JSON, not a guide\.$/ },
  { what: 'no programmes', answer: { body: '<tv></tv>' }, reason: /^It holds no programmes\.$/ },
  {
    what: 'a gzip file that is cut off',
    answer: { body: packed.subarray(0, packed.length - 20) },
    reason: /^The gzip file is cut off: its end is missing\.$/,
  },
  { what: 'no </tv>', answer: { body: xmltv(good, '') }, reason: /^It is cut off: <\/tv> is missing\.$/ },
  {
    what: 'less than half as many programmes',
    answer: { body: xmltv(Object.fromEntries(ids.map((id) => [id, evenly(id, 20)]))) },
    reason: /^It has 80 programmes, the one in service 192: less than half\.$/,
  },
  {
    what: 'programmes of a year ago',
    answer: { body: from(-365 * 24, 48) },
    reason: /^Its programmes are around \d{4}-\d\d-\d\d: a year off\.$/,
  },
  {
    what: 'programmes that end within 12 hours',
    answer: { body: from(-26, 32) },
    reason: new RegExp(`^It ends ${ends} UTC, the one in service later\\.$`),
  },
  {
    what: 'nothing for most linked channels',
    answer: { body: xmltv({ 'a.de': evenly('A', 200) }) },
    reason: /^Only 1 of 4 linked channels have programmes, before 4\.$/,
  },
  {
    what: 'a connection that is cut before its length',
    answer: { body: text, headers: { 'Content-Length': String(text.length) }, cutAfter: 900 },
    ...{ reason: /the connection was cut off/, state: 'failed' },
  },
  {
    what: 'a connection that is cut between chunks',
    answer: { body: text, cutAfter: 900 },
    ...{ reason: /the connection was cut off/, state: 'failed' },
  },
  ...[403, 429, 500].map((status): Fault => {
    return { what: `status ${status}`, answer: { status }, reason: new RegExp(`answered ${status}`), state: 'failed' };
  }),
];

for (const { what, answer, reason, state = 'quarantined' } of faults) {
  test(`${what}: the guide in service stays as it is, the reason is shown, and a good one heals it`, async (t) => {
    const server = await startGuideServer(t, packed);
    const house = await home(t, { guides: [server.url], linked: ids });
    const before = house.whole();
    server.answer = answer;
    await house.guides.refreshAll();
    const feed = await house.feed();
    assert.equal(feed?.state, state);
    assert.match(feed?.reason ?? '', reason);
    assert.deepEqual(house.whole(), before);
    assert.match(house.lines.at(-1)?.reason ?? '', reason);
    server.answer = { body: xmltv({ ...good, 'a.de': evenly('healed', 48) }) };
    await house.guides.refreshAll();
    assert.deepEqual([(await house.feed())?.state, house.shown('a.de')[0]], ['published', 'healed 0@0']);
  });
}

test('a first guide that is cut off is better than none, and says so; one of another year is not', async (t) => {
  const server = await startGuideServer(t, packed.subarray(0, packed.length - 20));
  const house = await home(t, { guides: [server.url], linked: ids });
  const feed = await house.feed();
  assert.equal(feed?.state, 'published');
  const { truncated } = feed?.service?.counts.problems ?? {};
  assert.equal(truncated, 1);
  assert.ok(house.shown('a.de').length > 40);

  const late = await startGuideServer(t, from(365 * 24, 48));
  const other = await home(t, { guides: [late.url], linked: ids });
  assert.match((await other.feed())?.reason ?? '', /^Its programmes are around .*: a year off\.$/);
  assert.deepEqual(other.shown('a.de'), []);
});

test('a refused guide that is accepted is put in service, guards off, without asking the server', async (t) => {
  const server = await startGuideServer(t, packed);
  const house = await home(t, { guides: [server.url], linked: ids });
  server.answer = { body: xmltv({ 'a.de': evenly('few', 20) }) };
  await house.guides.refreshAll();
  const { waiting } = (await house.feed()) ?? {};
  assert.equal(waiting?.reason, 'It has 20 programmes, the one in service 192: less than half.');
  const { requests } = server;
  const job = await house.ended(await house.guides.accept(1, waiting.snapshot));
  assert.deepEqual([job.kind, job.state, server.requests], ['guide-refresh', 'done', requests]);
  assert.equal(house.shown('a.de').length, 20);
  assert.equal((await house.feed())?.waiting, null);
  await assert.rejects(house.guides.accept(1, waiting.snapshot), { code: 'not-found' });
});

test('a page that is no guide is not kept to be accepted', async (t) => {
  const server = await startGuideServer(t, '<html></html>');
  const house = await home(t, { guides: [server.url], linked: ids });
  const { waiting } = (await house.feed()) ?? {};
  assert.equal(waiting?.body.file ?? null, null);
  await assert.rejects(house.guides.accept(1, waiting?.snapshot ?? 0), { code: 'not-found' });
});

test('one programme that cannot be read costs itself alone, and is counted', async (t) => {
  const [start, stop] = [time(thisHour + 2 * day), time(thisHour + 2 * day + hour)];
  const broken = `<programme start="${start}" stop="${stop}" channel="a.de"><title>X</title><date>2024</programme>\n`;
  const server = await startGuideServer(t, xmltv({ ...good, 'a.de': [...evenly('A', 48), broken] }));
  const house = await home(t, { guides: [server.url], linked: ids });
  const { counts } = (await house.feed())?.service ?? {};
  assert.deepEqual([counts?.wanted, counts?.parsed, counts?.lost, counts?.problems['bad-nesting']], [193, 192, 1, 1]);
  assert.equal(house.shown('a.de').length, 48);
});

test('after a failure the server is asked again soon, and after Retry-After', async (t) => {
  const server = await startGuideServer(t, packed);
  const house = await home(t, { guides: [server.url], linked: ids });
  const wait = async () => ((await house.feed())?.nextRefreshAt ?? 0) - Date.now() / 1000;
  assert.ok((await wait()) > 5 * hour && (await wait()) < 7 * hour, 'every six hours');
  server.answer = { status: 503 };
  await house.guides.refreshAll();
  await until('it is planned', async () => (await wait()) < 90);
  server.answer = { status: 429, headers: { 'Retry-After': '7200' } };
  await house.guides.refreshAll();
  await until('it is planned', async () => (await wait()) > 7000);
  assert.equal((await house.feed())?.failures, 2);
});
