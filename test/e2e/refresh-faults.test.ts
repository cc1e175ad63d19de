import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import type { Job } from '../../src/model/change.js';
import type { SourceStatus } from '../../src/model/source.js';
import { startGarbageServer } from '../support/garbage-server.js';
import { ask } from '../support/http.js';
import { type ListServer, startListServer, withList } from '../support/list-server.js';
import { refresh, send, sourceOf } from '../support/rest.js';
import type { Handler } from '../support/server.js';
import { startWeir, type Weir } from '../support/weir.js';

const minute = 60;
/** Seconds between two refreshes of the list here. */
const plan = 6 * 60 * minute;

const good = listOf(200);

function listOf(count: number): string {
  const entries = Array.from({ length: count }, (_, n) => `#EXTINF:-1,Channel ${n}\nudp://@239.1.0.${n}:5000\n`);
  return `#EXTM3U\n${entries.join('')}`;
}

/** A list that is in service, and the server that it came from. */
async function serving(t: TestContext): Promise<{ weir: Weir; server: ListServer }> {
  const server = await startListServer(t, good);
  const weir = await startWeir(t);
  const source = { kind: 'url', location: server.url, schedule: '6h' };
  await send(weir, 'POST', '/sources', source);
  assert.equal((await refresh(weir)).state, 'done');
  assert.deepEqual([(await sourceOf(weir)).state, (await sourceOf(weir)).entries], ['published', 200]);
  return { weir, server };
}

const html =
  '<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>';
const isBrowser = /^Mozilla\//;

const answer =
  (status: number, headers: Record<string, string>, body: string): Handler =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** Sends the first half, and ends the connection as a server does that crashed. */
const cut =
  (headers: Record<string, string | number>): Handler =>
  (_, response) => {
    response.writeHead(200, headers);
    response.write(good.slice(0, good.length / 2), () => response.destroy());
  };

type Fault = {
  readonly what: string;
  readonly answer: Handler;
  /** What is wrong with the reply is kept apart from there being none. */
  readonly state: 'quarantined' | 'failed';
  readonly reason: string;
  /** Seconds that the server asks for. */
  readonly retryAfter?: number;
};

const faults: Fault[] = [
  { what: 'an empty reply', answer: answer(200, {}, ''), state: 'quarantined', reason: 'It is empty.' },
  {
    what: 'a page of HTML',
    answer: answer(200, { 'Content-Type': 'audio/x-mpegurl' }, html),
    state: 'quarantined',
    reason: 'It is an HTML page, not a list.',
  },
  {
    what: 'JSON',
    answer: answer(200, {}, '{"user_info":{"auth":0}}'),
    state: 'quarantined',
    reason: 'It is JSON, not an M3U or TXT list.',
  },
  {
    what: 'the HLS playlist of one stream',
    answer: answer(200, {}, '#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6.0,\nsegment1.ts\n'),
    state: 'quarantined',
    reason: 'It is the HLS playlist of one stream, not a list of channels.',
  },
  {
    what: 'half a list',
    answer: withList(listOf(100)),
    state: 'quarantined',
    reason: 'It would drop 100 of 200 entries, more than 30 %.',
  },
  { what: '500', answer: answer(500, {}, 'oops'), state: 'failed', reason: 'The server answered 500.' },
  { what: '403', answer: answer(403, {}, html), state: 'failed', reason: 'The server answered 403.' },
  {
    what: '429 with Retry-After',
    answer: answer(429, { 'Retry-After': '7200' }, ''),
    state: 'failed',
    reason: 'The server answered 429.',
    retryAfter: 7200,
  },
  {
    what: 'a connection cut in mid-body',
    answer: cut({ 'Content-Length': good.length }),
    state: 'failed',
    reason: 'The download failed: the connection was cut off (UND_ERR_SOCKET).',
  },
  {
    what: 'the same of a body in chunks',
    answer: cut({ 'Transfer-Encoding': 'chunked' }),
    state: 'failed',
    reason: 'The download failed: the connection was cut off (UND_ERR_SOCKET).',
  },
];

test('whatever comes instead of a list, the last good one stays, the API says why and when it is tried again, and a good one heals it', async (t) => {
  const { weir, server } = await serving(t);
  const before = await playlist(weir);
  let failures = 0;
  for (const { what, answer: reply, state, reason, retryAfter } of faults) {
    server.answer = reply;
    await refreshed(weir, what);
    const source = await sourceOf(weir);
    assert.deepEqual([source.state, source.reason], [state, reason], what);
    failures = state === 'failed' ? failures + 1 : 0;
    assert.equal(source.failures, failures, what);
    const wait = state === 'failed' ? (retryAfter ?? minute * 2 ** (failures - 1)) : plan;
    assertPlanned(source, wait, retryAfter === undefined ? 0.1 : 0, what);
    assert.equal(source.entries, 200);
    assert.equal(await playlist(weir), before, what);
  }
  server.answer = withList(listOf(201));
  await refreshed(weir, 'a good list');
  const healed = await sourceOf(weir);
  assert.deepEqual([healed.state, healed.reason, healed.failures, healed.entries], ['published', null, 0, 201]);
  assertPlanned(healed, plan, 0.1, 'a good list');
});

test('H10: a page for browsers with 403 comes to who says to be one, and the list to who says nothing', async (t) => {
  const { weir, server } = await serving(t);
  const before = await playlist(weir);
  server.answer = (request, response) =>
    isBrowser.test(request.headers['user-agent'] ?? '')
      ? answer(403, { 'Content-Type': 'text/html' }, html)(request, response)
      : withList(listOf(199))(request, response);
  await send(weir, 'PATCH', '/sources/1', { userAgent: 'Mozilla/5.0' });
  await refreshed(weir, 'as a browser');
  assert.equal((await sourceOf(weir)).reason, 'The server answered 403.');
  assert.equal(await playlist(weir), before);
  await send(weir, 'PATCH', '/sources/1', { userAgent: null });
  await refreshed(weir, 'as a player');
  assert.deepEqual([(await sourceOf(weir)).state, (await sourceOf(weir)).entries], ['published', 199]);
});

test('200 MB of garbage and gzip bombs of 10 GB are given up, and weir takes less than 200 MB more for them', async (t) => {
  const { weir, server } = await serving(t);
  const before = await playlist(weir);
  const garbage = await startGarbageServer(t);
  for (const path of ['/said', '/unsaid', '/bomb', '/bomb.gz']) {
    server.answer = answer(302, { Location: garbage + path }, '');
    const base = resetPeak(weir);
    await refreshed(weir, path);
    const growth = peakOf(weir) - base;
    t.diagnostic(`${path}: ${Math.round(growth / 1024)} MB more than ${Math.round(base / 1024)} MB at most`);
    assert.ok(growth < 200 * 1024, `${path}: ${growth} KiB more`);
    const { state, reason } = await sourceOf(weir);
    assert.deepEqual([state, reason], ['failed', 'It is larger than 64 MB.'], path);
    assert.equal(await playlist(weir), before);
  }
  server.answer = withList(listOf(201));
  await refreshed(weir, 'a good list');
  assert.equal((await sourceOf(weir)).state, 'published');
});

test('H13: each host, and each token, has its own playlist and its own copy of it in caches', async (t) => {
  const { weir } = await serving(t);
  const { secret } = await send<{ secret: string }>(weir, 'POST', '/tokens', { name: 'TV' });
  const asked = [
    { host: 'tv.lan', path: '/playlist.m3u', base: 'http://tv.lan' },
    { host: '192.168.1.2:5140', path: '/playlist.m3u', base: 'http://192.168.1.2:5140' },
    { host: 'tv.lan', path: `/t/${secret}/playlist.m3u`, base: `http://tv.lan/t/${secret}` },
    { host: '192.168.1.2:5140', path: `/t/${secret}/playlist.m3u`, base: `http://192.168.1.2:5140/t/${secret}` },
  ];
  const tags: string[] = [];
  for (const { host, path, base } of [...asked, ...asked]) {
    const { body, headers } = await ask(weir.url, path, { headers: { Host: host } });
    const urls = body.match(/^http\S+/gm) ?? [];
    assert.equal(urls.length, 200);
    assert.ok(urls.every((url) => url.startsWith(`${base}/stream/`)));
    tags.push(headers.get('etag') ?? '');
  }
  assert.equal(new Set(tags).size, 4);
  assert.deepEqual(tags.slice(4), tags.slice(0, 4), 'asked again, each has its tag still');
  for (const [index, { host, path }] of asked.entries()) {
    for (const [other, etag] of tags.slice(0, 4).entries()) {
      const { status } = await ask(weir.url, path, { headers: { Host: host, 'If-None-Match': etag } });
      assert.equal(status, other === index ? 304 : 200, `copy ${other} for request ${index}`);
    }
  }
});

/** Refreshes, and waits until it is said when the next one comes. */
async function refreshed(weir: Weir, what: string): Promise<Job> {
  const job = await refresh(weir);
  assert.ok(job.endedAt !== null, what);
  return job;
}

async function playlist(weir: Weir): Promise<string> {
  const { status, body } = await ask(weir.url, '/playlist.m3u');
  assert.equal(status, 200);
  return body;
}

/** `wait` seconds from now, give or take a share of them; the clock moves on while this test looks. */
function assertPlanned({ nextRefreshAt }: SourceStatus, wait: number, share: number, what: string): void {
  const left = (nextRefreshAt ?? 0) - Date.now() / 1000;
  const isPlanned = left <= wait * (1 + share) + 1 && left >= wait * (1 - share) - 30;
  assert.ok(isPlanned, `${what}: the next try is in ${left} s and not in ${wait} s`);
}

/** Forgets the peak so far; what is resident now, in KiB. */
function resetPeak({ pid }: Weir): number {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return fieldOf(pid, 'VmRSS');
}

function peakOf({ pid }: Weir): number {
  return fieldOf(pid, 'VmHWM');
}

function fieldOf(pid: number, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
