import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { WeirError } from '../../src/lib/errors.js';
import type { WatchRequest } from '../../src/relay/contract.js';
import { ask } from '../support/http.js';
import { secrets, startApi } from './support.js';

const rtspHosts = { has: (host: string, port: number) => Promise.resolve(host === 'tv.example' && port === 554) };

/** What the relay was asked to receive by RTSP. */
function urlOf(watched: WatchRequest | undefined): string | null {
  return watched?.upstream.kind === 'rtsp' ? watched.upstream.url : null;
}

const now = Math.floor(Date.now() / 1000);
/** `20240101120000` at an instant, on a clock so many hours ahead of UTC. */
const digits = (instant: number, hours = 0) =>
  new Date((instant + hours * 3600) * 1000).toISOString().replace(/[-:T]|\.000Z/g, '');
const clock = (instant: number) => `clock=${digits(instant).slice(0, 8)}T${digits(instant).slice(8)}Z-`;
const recent = now - 600;

/** What stands behind `/rtsp/tv.example/`, what the server is asked behind `rtsp://tv.example/`, its `Range`, and the user agent. */
type Row = readonly [asked: string, url: string, range?: string | null, userAgent?: string];
const east = 'AptvPlayer/1.3.3 TZ/UTC+8';

const rows: readonly Row[] = [
  ['a/1.smil?playseek=20240101120000-20240101130000', 'a/1.smil?playseek=20240101120000-20240101130000'],
  ['a?playseek=20240101120000-', 'a?playseek=20240101120000-'],
  ['a?playseek=20240101120000', 'a?playseek=20240101120000'],
  ['a?PlaySeek=20240101120000-20240101130000', 'a?PlaySeek=20240101120000-20240101130000'],
  ['a?k=1&playseek=20240101120000-&z=%2F', 'a?k=1&playseek=20240101120000-&z=%2F'],
  ['a?tvdr=20240101120000GMT-20240101130000GMT', 'a?tvdr=20240101120000GMT-20240101130000GMT'],
  ['a?tvdr=1704110400-1704114000', 'a?tvdr=1704110400-1704114000', null, east],
  ['a?playseek=20240101200000-20240101210000', 'a?playseek=20240101120000-20240101130000', null, east],
  ['a?playseek=20240101120000-', 'a?playseek=20240101153000-', null, 'x TZ/UTC-3:30'],
  ['a?playseek=20240101120000-', 'a?playseek=20240101120000-', null, 'x TZ/UTC'],
  ['a?playseek=20240101120000-', 'a?playseek=20240101120000-', null, 'x TZ/UTC+15'],
  ['a?tvdr=20240101120000GMT-20240101130000GMT', 'a?tvdr=20240101120000GMT-20240101130000GMT', null, east],
  ['a?playseek=20240101T200000-20240101T210000', 'a?playseek=20240101T120000-20240101T130000', null, east],
  ['a?playseek=20240101T200000+08:00', 'a?playseek=20240101T200000+08:00', null, east],
  ['a?playseek=20240101T120000Z', 'a?playseek=20240101T120000Z', null, east],
  [
    'a?playseek=2024-01-01T20:00:00-2024-01-01T21:00:00',
    'a?playseek=2024-01-01T12:00:00-2024-01-01T13:00:00',
    null,
    east,
  ],
  ['a?playseek=2024-01-01T12:00:00.123Z&r2h-seek-offset=1', 'a?playseek=2024-01-01T12:00:01.123Z'],
  ['a?playseek=2024-01-01T20%3A00%3A00%2B08%3A00&r2h-seek-offset=60', 'a?playseek=2024-01-01T20%3A01%3A00%2B08%3A00'],
  ['a?playseek=20240101120000-20240101130000&r2h-seek-offset=3600', 'a?playseek=20240101130000-20240101140000'],
  ['a?playseek=20240101120000-20240101130000&r2h-seek-offset=12,-12', 'a?playseek=20240101120012-20240101125948'],
  ['a?playseek=20240101120000&r2h-seek-offset=-3600', 'a?playseek=20240101110000'],
  ['a?playseek=20240101200000&r2h-seek-offset=-60', 'a?playseek=20240101115900', null, east],
  ['a?playseek=20240101120000&r2h-seek-offset=999999999', 'a?playseek=20240101120000'],
  ['a?playseek=20240101120000&r2h-seek-offset=1h', 'a?playseek=20240101120000'],
  ['a?playseek=1704110400000&r2h-seek-offset=10', 'a?playseek=1704110410000'],
  ['a?seek=1704110400&r2h-seek-name=seek&r2h-seek-offset=10', 'a?seek=1704110410'],
  ['a?playseek=1704110400&r2h-seek-name=seek&r2h-seek-offset=10', 'a?playseek=1704110410'],
  ['a?tvdr=1&seek=1704110400&r2h-seek-name=seek&r2h-seek-offset=10', 'a?tvdr=1&seek=1704110410'],
  ['a?playseek=whenever', 'a?playseek=whenever'],
  ['a?r2h-token=x&playseek=1704110400&r2h-token=y&r2h-ifname=lo&snapshot=1', 'a?playseek=1704110400'],
  [
    'a?tvdr={GMT:YmdHMS}GMT-{GMTend:YmdHMS}GMT&playseek=1704110400-1704114000',
    'a?tvdr=20240101120000GMT-20240101130000GMT',
  ],
  [`a?b=\${(b)yyyyMMddHHmmss}&playseek=1704110400`, 'a?b=20240101200000', null, east],
  ['a?b=$%7B(b)yyyyMMddHHmmss%7CUTC%7D&playseek=1704110400', 'a?b=20240101120000', null, east],
  ['{Y}{m}{d}/1.ts?playseek=1704110400-1704114000&d={duration:60}&x={y}', '20240101/1.ts?d=60&x={y}'],
  ['a?b={utc}-{utcend}&playseek=1704110400-', 'a?b=1704110400-'],
  [`a?playseek=${digits(recent)}-&r2h-seek-mode=range`, 'a', clock(recent)],
  [`a?playseek=${digits(recent, 8)}-&r2h-seek-mode=range(UTC%2B8/3600)&k=1`, 'a?k=1', clock(recent)],
  [`a?playseek=${digits(recent, 8)}-&r2h-seek-mode=range`, 'a', clock(recent), east],
  [`a?playseek=${recent}-&r2h-seek-mode=range(300)`, `a?playseek=${recent}-`],
  [`a?playseek=${recent}-&r2h-seek-mode=range(/7200)&r2h-seek-offset=5`, 'a', clock(recent + 5)],
  [`a?playseek=${digits(now - 9000, 8)}-&r2h-seek-mode=range(UTC+8)`, `a?playseek=${digits(now - 9000, 8)}-`],
  [`a?playseek=${recent}-&r2h-seek-mode=passthrough`, `a?playseek=${recent}-`],
  [`a?playseek=${recent}-&r2h-seek-mode=range(99999)`, `a?playseek=${recent}-`],
  [`a?playseek=${recent}-&r2h-seek-mode=range&r2h-start=7`, 'a', clock(recent)],
  ['a?r2h-start=123.45', 'a', 'npt=123.45-'],
  ['a?playseek=1704110400&r2h-start=0', 'a?playseek=1704110400', 'npt=0-'],
];

for (const [asked, url, range = null, userAgent = 'x'] of rows) {
  test(`/rtsp/ …${asked}${userAgent === 'x' ? '' : ` by ${userAgent}`} asks the server for what is past`, async (t) => {
    const { url: api, relay } = await startApi(t, { rtspHosts });
    const { status } = await ask(api, `/rtsp/tv.example/${asked}`, { headers: { 'User-Agent': userAgent } });
    assert.equal(status, 200);
    const [watched] = relay.watched;
    assert.deepEqual([urlOf(watched), watched?.archive?.range], [`rtsp://tv.example/${url}`, range]);
    assert.deepEqual(watched?.archive?.from(0), { url: `rtsp://tv.example/${url}`, range });
  });
}

test('an address without a time is live, and everything that is not ours stays as it was written', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  const paths = [
    ['/rtsp/tv.example:554/a%2Fb/1.sdp?x=%7e&y&&z=a+b&r2h-seek-offset=9', 'tv.example:554/a%2Fb/1.sdp?x=%7e&y&&z=a+b'],
    ['//rtsp/TV.example:554', 'TV.example:554'],
    ['/rtsp/me:s3:cret@tv.example/a?playseek=', 'me:s3:cret@tv.example/a?playseek='],
    ['/rtsp/tv.example/a?r2h-start=soon', 'tv.example/a'],
  ] as const;
  const known = { has: (host: string) => Promise.resolve(/^tv\.example$/i.test(host)) };
  const other = await startApi(t, { rtspHosts: known });
  for (const [path] of paths) assert.equal((await ask(other.url, path)).status, 200, path);
  assert.deepEqual(
    other.relay.watched.map((one) => [urlOf(one), one.archive]),
    paths.map(([, upstream]) => [`rtsp://${upstream}`, null]),
  );
  assert.equal((await ask(url, '/rtsp/tv.example/a?{lutc}')).status, 200);
  const [signed] = relay.watched;
  assert.match(urlOf(signed) ?? '', /^rtsp:\/\/tv\.example\/a\?\d{10}$/);
});

test('what a player goes on with begins later, in the form that it was asked for in', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  const cases = [
    ['a?playseek=20240101120000-20240101130000', 'a?playseek=20240101120130-20240101130000', null],
    ['a?playseek=1704110400', 'a?playseek=1704110490', null],
    ['a?b={utc:YmdHMS}&playseek=1704110400', 'a?b=20240101120130', null],
    [`a?playseek=${recent}&r2h-seek-mode=range`, 'a', clock(recent + 90)],
    ['a?playseek=1704110400&r2h-start=10.5', 'a?playseek=1704110400', 'npt=100.5-'],
  ] as const;
  for (const [path, later, range] of cases) {
    await ask(url, `/rtsp/tv.example/${path}`);
    assert.deepEqual(relay.watched.at(-1)?.archive?.from(90), { url: `rtsp://tv.example/${later}`, range });
  }
});

test('the part of the past that is asked for is known, an end that is now is open', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  const wish = async (query: string) => {
    await ask(url, `/rtsp/tv.example/a?${query}`);
    return relay.watched.at(-1)?.archive?.wish;
  };
  assert.deepEqual(await wish('playseek=20240101120000-20240101130000'), { start: 1704110400, end: 1704114000 });
  assert.deepEqual(await wish(`playseek=1704110400-${now}&r2h-seek-offset=60`), { start: 1704110460, end: null });
  assert.deepEqual(await wish('playseek=1704110400-1704110400'), { start: 1704110400, end: null });
  assert.equal(relay.watched.at(-1)?.note.archive?.start, 1704110400);
});

const refused = [
  ['/rtsp/tv.example/a?playseek={utc}-{utcend}', 400, /placeholder was left in playseek/],
  ['/rtsp/tv.example/a?b={utc}', 400, /has placeholders\. Say playseek=BEGIN-END/],
  ['/rtsp/tv.example/a?b={utc}&e={utcend}&playseek=1704110400', 400, /needs an end/],
  ['/rtsp/tv.example:0/a', 400, /not a port/],
  ['/rtsp/', 400, /not a host/],
  ['/rtsp', 404, /nothing under this path/],
  ['/rtsp/tv.example:8554/a', 404, /No list names this host/],
  ['/rtsp/192.168.0.1/a', 404, /No list names this host/],
  ['/rtsp/tv.example/a?ifname=a/b', 400, /ifname/],
] as const;

test('what cannot be asked for is refused with the reason, by HEAD too', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  for (const [path, status, sentence] of refused) {
    const { status: got, body } = await ask(url, path);
    assert.deepEqual([got, sentence.test(body)], [status, true], `${path}: ${body}`);
    assert.equal((await ask(url, path, { method: 'HEAD' })).status, status, path);
  }
  assert.deepEqual([relay.watched, relay.described], [[], []]);
});

test('HEAD is answered from what is known, and no server is asked', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  const stream = await ask(url, '/rtsp/tv.example/a?playseek=1704110400', { method: 'HEAD' });
  assert.deepEqual([stream.status, stream.headers.get('content-type')], [200, 'video/mp2t']);
  const length = await ask(url, '/rtsp/tv.example/a?r2h-duration=1', { method: 'HEAD' });
  assert.deepEqual([length.status, length.headers.get('content-type')], [200, 'application/json; charset=utf-8']);
  assert.deepEqual([relay.watched, relay.described], [[], []]);
});

test('r2h-duration tells how long an address is, and plays nothing', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  const path = '/rtsp/me:s3cret@tv.example/a?x=1&r2h-duration=1';
  assert.equal((await ask(url, path)).body, '{"duration":null}');
  relay.description = { duration: 5400.5, clock: null };
  assert.equal((await ask(url, path)).body, '{"duration":"5400.500"}');
  assert.equal(relay.described[1]?.url, 'rtsp://me:s3cret@tv.example/a?x=1');
  relay.refusal = new WeirError('upstream-timeout', 'tv.example:554 did not answer DESCRIBE within 3 s.');
  assert.equal((await ask(url, path)).status, 504);
  assert.equal(relay.watched.length, 0);
});

test('the same request of the same player finds its session again, whatever its clock shows', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  const ways = [
    ['playseek=1704110400&lutc=1', 'a'],
    ['playseek=1704110400&lutc=2', 'a'],
    ['playseek=1704110401&lutc=2', 'a'],
    ['playseek=1704110400&lutc=2', 'b'],
  ] as const;
  for (const [query, agent] of ways) {
    await ask(url, `/rtsp/tv.example/a?${query}`, { headers: { 'User-Agent': agent } });
  }
  await ask(url, `/t/${secrets.token}/rtsp/tv.example/a?playseek=1704110400`, { headers: { 'User-Agent': 'a' } });
  const [first, again, other, somebody, withToken] = relay.watched.map(({ archive }) => archive);
  assert.deepEqual([again?.client, again?.asked], [first?.client, first?.asked]);
  assert.equal(other?.client, first?.client);
  assert.notEqual(other?.asked, first?.asked);
  assert.notEqual(somebody?.client, first?.client);
  assert.notEqual(withToken?.client, first?.client);
  assert.equal(withToken?.asked, first?.asked);
  assert.equal(relay.watched[0]?.note.asked, first?.asked);
});

test('a path that was never encoded reaches the server as the client wrote it', async (t) => {
  const { url, relay } = await startApi(t, { rtspHosts });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  t.after(() => socket.destroy());
  socket.end('GET /rtsp/tv.example/a/../b//c;x=1?y=%zz&q="1"&t=a|b HTTP/1.1\r\nHost: weir\r\n\r\n');
  for await (const _ of socket);
  const [watched] = relay.watched;
  assert.equal(urlOf(watched), 'rtsp://tv.example/a/../b//c;x=1?y=%zz&q="1"&t=a|b');
});
