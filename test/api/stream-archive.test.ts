import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiOptions } from '../../src/api/options.js';
import { zoneClock } from '../../src/lib/zone-clock.js';
import type { ChannelCatchup } from '../../src/model/archive.js';
import type { Channel } from '../../src/model/channel.js';
import type { WatchRequest } from '../../src/relay/contract.js';
import { ask } from '../support/http.js';
import { news, oneChannel, realOptions, startApi } from './support.js';

const now = Math.floor(Date.now() / 1000);
/** Two hours ago, an hour long. */
const start = now - 7200;
const end = start + 3600;
/** `20240101120000` on a clock so many hours ahead of UTC. */
const digits = (instant: number, hours = 0) =>
  new Date((instant + hours * 3600) * 1000).toISOString().replace(/[-:T]|\.000Z/g, '');

function urlOf(watched: WatchRequest | undefined): string | null {
  return watched?.upstream.kind === 'rtsp' ? watched.upstream.url : null;
}

const playseek = `?playseek=\${(b)yyyyMMddHHmmss}-\${(e)yyyyMMddHHmmss}`;
const list = `#EXTM3U
#EXTINF:-1 catchup="append" catchup-days="3" catchup-source="${playseek}" user-agent="CTC RTSP 1.0",Ours
rtsp://tv.example/live/1.smil?k=1
#EXTINF:-1,By its address
rtsp://tv.example/PLTV/2.smil
#EXTINF:-1 catchup="default" catchup-source="http://web.example/3?utc={utc}",By the web
rtsp://tv.example/3
#EXTINF:-1,Without
rtp://@239.1.1.1:5000
#EXTINF:-1 catchup="vod",Nowhere
rtsp://tv.example/5
`;

/** An API over a list with archives of each kind, and the keys of its channels by name. */
async function startHouse(t: Parameters<typeof realOptions>[0], more: Partial<ApiOptions> = {}) {
  const { relay: _relay, store, playlists, ...options } = await realOptions(t);
  await store.sources.add(
    { kind: 'inline', content: list, timeZone: 'Asia/Shanghai' },
    { actor: { key: null, name: 'test' } },
  );
  await playlists.start();
  const api = await startApi(t, { ...options, playlists, ...more });
  const paths = new Map((await store.channels.list()).map(({ name, key }) => [name, `/stream/${key}.ts`]));
  return { ...api, path: (name: string) => paths.get(name) ?? '' };
}

test('a channel with a time is asked of its archive, exactly there, in the time of its provider', async (t) => {
  const { url, relay, path } = await startHouse(t);
  assert.equal((await ask(url, `${path('Ours')}?utc=${start}&utcend=${end}&lutc=${now}`)).status, 200);
  const [watched] = relay.watched;
  assert.equal(urlOf(watched), `rtsp://tv.example/live/1.smil?k=1&playseek=${digits(start, 8)}-${digits(end, 8)}`);
  assert.deepEqual(watched?.archive?.wish, { start, end });
  assert.deepEqual([watched.archive.range, watched.userAgent, watched.inner], [null, 'CTC RTSP 1.0', false]);
  assert.deepEqual([watched.note.archive, watched.note.asked], [watched.archive.wish, watched.archive.asked]);
  assert.equal(
    watched.archive.from(61).url,
    `rtsp://tv.example/live/1.smil?k=1&playseek=${digits(start + 61, 8)}-${digits(end, 8)}`,
  );
});

const spellings = (from: number, to: number) => [
  `utc=${from}&utcend=${to}&lutc=${now}`,
  `UTC=${from}000&end=${to}000`,
  `starttime=${from}&endtime=${to}`,
  `start=${from}&duration=${to - from}`,
  `playseek=${digits(from)}-${digits(to)}`,
  `playseek=${from}-${to}`,
  `tvdr=${digits(from)}GMT-${digits(to)}GMT`,
  `playbackbegin=${digits(from)}&playbackend=${digits(to)}`,
  `timeshift=${from}&timenow=${now}&stop=${to}`,
  `archive=${from}&archive_end=${to}`,
  `s=${from}&e=${to}&ifname=lo`,
];

test('every spelling of the same part of the past is the same wish', async (t) => {
  const { url, relay, path } = await startHouse(t);
  for (const query of spellings(start, end)) {
    assert.equal((await ask(url, `${path('By its address')}?${query}`)).status, 200, query);
    assert.deepEqual(relay.watched.at(-1)?.archive?.wish, { start, end }, query);
  }
  assert.equal(relay.watched.at(-1)?.upstream.interface, 'lo');
  const asked = `rtsp://tv.example/PLTV/2.smil?playseek=${digits(start, 8)}-${digits(end, 8)}`;
  assert.deepEqual(new Set(relay.watched.map(urlOf)), new Set([asked]));
});

test("times without a zone are the player's, else the household's", async (t) => {
  const { url, relay, path } = await startHouse(t, { clock: zoneClock('Asia/Kathmandu') });
  for (const [hours, userAgent] of [
    [5.75, 'okhttp/4.12.0'],
    [-3, 'okhttp/4.12.0 TZ/UTC-3'],
  ] as const) {
    const query = `playseek=${digits(start, hours)}-${digits(end, hours)}`;
    await ask(url, `${path('Ours')}?${query}`, { headers: { 'User-Agent': userAgent } });
    assert.deepEqual(relay.watched.at(-1)?.archive?.wish, { start, end }, userAgent);
  }
});

test('without a time, with one that means live, or with one that is only a clock, a channel is live', async (t) => {
  const { url, relay, path } = await startHouse(t);
  const queries = ['', '?utc=', '?utc=0', '?utc=-1', `?lutc=${now}`, `?utc=${now + 60}`, '?x=%7e'];
  for (const query of queries) assert.equal((await ask(url, `${path('Ours')}${query}`)).status, 200, query);
  assert.equal(relay.watched.length, queries.length);
  for (const watched of relay.watched) {
    assert.equal(urlOf(watched), 'rtsp://tv.example/live/1.smil?k=1');
    assert.deepEqual([watched.archive, watched.note.archive, watched.userAgent], [null, null, 'CTC RTSP 1.0']);
  }
});

const refused = [
  ['Ours', `utc=\${start}&utcend=1`, 400, /placeholder was left in utc/],
  ['Ours', 'utc={utc}&lutc={lutc}', 400, /placeholder/],
  ['Ours', 'utc=%7Butc%7D', 400, /placeholder/],
  ['Without', 'token={x}', 400, /placeholder was left in token/],
  ['Ours', 'utc=yesterday', 400, /no time/],
  ['Ours', `utc=${now + 900}`, 400, /has not happened yet/],
  ['Ours', `utc=${start}&utcend=${start - 1}`, 400, /the end is before/],
  ['Without', `utc=${start}`, 404, /has no archive/],
  ['By the web', `utc=${start}`, 503, /reached by http, which Weir cannot carry yet/],
  ['Nowhere', `utc=${start}`, 503, /cannot be asked for\. Mode vod needs a template/],
] as const;

test('what cannot be asked for is refused with the reason, by HEAD alike', async (t) => {
  const { url, relay, path } = await startHouse(t);
  for (const [name, query, status, sentence] of refused) {
    const { status: got, body } = await ask(url, `${path(name)}?${query}`);
    assert.deepEqual([got, sentence.test(body)], [status, true], `${name} ${query}: ${body}`);
    assert.equal((await ask(url, `${path(name)}?${query}`, { method: 'HEAD' })).status, status, query);
  }
  assert.equal(relay.watched.length, 0);
});

test('a player that leaves its placeholders in is reported once', async (t) => {
  const { url, path, log } = await startHouse(t);
  for (let times = 0; times < 3; times += 1) {
    await ask(url, `${path('Ours')}?utc={utc}`, { headers: { 'User-Agent': 'Odd/1' } });
  }
  await ask(url, `${path('Ours')}?utc={utc}`, { headers: { 'User-Agent': 'Odd/2' } });
  const lines = log()
    .split('\n')
    .filter((line) => line.includes('no time of an archive'));
  assert.equal(lines.length, 2);
  assert.match(lines[0] ?? '', /Odd\/1.*placeholder was left in utc/);
});

test('HEAD of an archive is answered at once, with the type of a stream, and watches nothing', async (t) => {
  const { url, relay, path } = await startHouse(t);
  const head = await ask(url, `${path('Ours')}?utc=${start}&utcend=${end}`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-type'), head.body], [200, 'video/mp2t', '']);
  for (const name of ['content-length', 'accept-ranges']) assert.equal(head.headers.get(name), undefined);
  assert.equal(relay.watched.length, 0);
});

test('the same wish of the same player is told from others, its clock set aside', async (t) => {
  const { url, relay, path } = await startHouse(t);
  const ways = [
    ['Ours', `utc=${start}&lutc=${now}`, 'a'],
    ['Ours', `utc=${start}&lutc=${now + 30}`, 'a'],
    ['Ours', `utc=${start + 1}&lutc=${now}`, 'a'],
    ['By its address', `utc=${start}&lutc=${now}`, 'a'],
    ['Ours', `utc=${start}&lutc=${now}`, 'b'],
  ] as const;
  for (const [name, query, userAgent] of ways) {
    await ask(url, `${path(name)}?${query}`, { headers: { 'User-Agent': userAgent, Range: 'bytes=0-' } });
  }
  const plans = relay.watched.map(({ archive }) => archive);
  assert.deepEqual(
    plans.map((plan) => [plan?.client === plans[0]?.client, plan?.asked === plans[0]?.asked]),
    [
      [true, true],
      [true, true],
      [true, false],
      [true, false],
      [false, true],
    ],
  );
});

const catchup: ChannelCatchup = {
  ...{ channel: news.id, mode: 'append', template: `?s=\${start}&e=\${end}`, days: 7, correction: 0, zone: null },
  ...{ formatted: 'utc', nearLive: 0, sessions: null, urls: ['rtsp://tv.example/1'], headers: {}, interface: 'eth1' },
  said: { mode: 'override', days: 'default', correction: 'default', zone: 'default' },
};

/** An API whose channel has this archive. */
async function startWith(
  t: Parameters<typeof startApi>[0],
  given: Partial<ChannelCatchup>,
  stop: number | null = null,
) {
  const { guideReads } = await oneChannel();
  const onAir = stop === null ? null : { start: now - 600, stop, content: { titles: [] }, from: null };
  return await startApi(t, {
    catchups: { of: () => Promise.resolve({ ...catchup, ...given }) },
    guideReads: { ...guideReads, now: ([channel = 0]) => Promise.resolve([{ channel, now: onAir, next: [] }]) },
    innerUpstreams: true,
  });
}

test('for an end that is open the end of what is on now is written, where the provider needs one (C01)', async (t) => {
  const { url, relay } = await startWith(t, { sessions: 2 }, now + 1234);
  await ask(url, `/stream/${news.key}?utc=${start}`);
  await ask(url, `/stream/${news.key}?utc=${start}&utcend=${now}`);
  for (const watched of relay.watched) {
    assert.equal(urlOf(watched), `rtsp://tv.example/1?s=${start}&e=${now + 1234}`);
    assert.deepEqual(watched.archive?.wish, { start, end: null });
    assert.deepEqual([watched.sessions, watched.inner, watched.upstream.interface], [2, true, 'eth1']);
  }
});

test('what is hardly past is asked of the live address by Range, and gone on with there', async (t) => {
  const { url, relay } = await startWith(t, { nearLive: 10_800 });
  await ask(url, `/stream/${news.key}?utc=${start}&utcend=${end}`);
  const [watched] = relay.watched;
  const clock = (instant: number) => `clock=${digits(instant).replace(/^.{8}/, '$&T')}Z-`;
  assert.deepEqual([urlOf(watched), watched?.archive?.range], ['rtsp://tv.example/1', clock(start)]);
  assert.equal(watched?.archive?.from(90).range, clock(start + 90));
});

test('a template that names a user agent is asked with it; one that gives no address is refused', async (t) => {
  const named = await startWith(t, { mode: 'default', template: 'rtsp://tv.example/2?t={utc}|User-Agent=Box%201' });
  await ask(named.url, `/stream/${news.key}?utc=${start}`);
  assert.deepEqual(
    [urlOf(named.relay.watched[0]), named.relay.watched[0]?.userAgent],
    [`rtsp://tv.example/2?t=${start}`, 'Box 1'],
  );
  const broken = await startWith(t, { mode: 'default', template: 'rtsp://tv.example:99999/2?t={utc}' });
  const answer = await ask(broken.url, `/stream/${news.key}?utc=${start}`);
  assert.deepEqual([answer.status, /no address of RTSP/.test(answer.body)], [503, true]);
});

test('a live address that is signed by the time is filled when it is opened', async (t) => {
  const { channels } = await oneChannel();
  const upstream = { kind: 'rtsp', url: `rtsp://tv.example/1?sign=\${timestamp}`, interface: null } as const;
  const channel: Channel = { ...news, upstream };
  const { url, relay } = await startApi(t, { channels: { ...channels, byKey: () => Promise.resolve(channel) } });
  await ask(url, `/stream/${news.key}`);
  const [, second = ''] = /^rtsp:\/\/tv\.example\/1\?sign=(\d+)$/.exec(urlOf(relay.watched[0]) ?? '') ?? [];
  assert.ok(Math.abs(Number(second) - Date.now() / 1000) < 60, second);
});
