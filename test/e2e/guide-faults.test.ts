import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Job } from '../../src/model/change.js';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { type GuideServer, startGuideServer } from '../support/guide-server.js';
import { type Airing, guideOf, hour, hourly, readGuide, shownAt, thisHour } from '../support/guide-text.js';
import { ask } from '../support/http.js';
import { needs } from '../support/needs.js';
import { ended, send } from '../support/rest.js';
import { until } from '../support/until.js';
import { startWeir, type Weir } from '../support/weir.js';

const skip = needs('xmllint', 'xmltv');
const ids = Array.from({ length: 20 }, (_, n) => `channel${n}.de`);
const playlist = `#EXTM3U\n${ids.map((id, n) => `#EXTINF:-1 tvg-id="${id}",Channel ${n}\nudp://@239.1.0.${n}:5000\n`).join('')}`;
const within = 30_000;

const of = (title: string, from: number, count: number): Airing[] =>
  ids.flatMap((id) => hourly(id, `${title} ${id}`, from, count));
const good = guideOf(of('good', -2, 48));
const packed = gzipSync(good);

type Fault = {
  readonly what: string;
  readonly answer: GuideServer['answer'];
  readonly state: 'quarantined' | 'failed';
  readonly reason: RegExp;
};

const faults: readonly Fault[] = [
  { what: 'nothing', answer: { body: '' }, state: 'quarantined', reason: /^It is empty\.$/ },
  {
    what: 'a page of HTML',
    answer: { body: '<!DOCTYPE html>\n<html><body>Checking your browser</body></html>' },
    state: 'quarantined',
    reason: /^It is an HTML page, not a guide\.$/,
  },
  {
    what: 'a packed guide that is cut off',
    answer: { body: packed.subarray(0, packed.length / 2) },
    state: 'quarantined',
    reason: /^The gzip file is cut off: its end is missing\.$/,
  },
  {
    what: 'a plain guide that is cut off',
    answer: { body: good.slice(0, good.length / 2) },
    state: 'quarantined',
    reason: /^It is cut off: <\/tv> is missing\.$/,
  },
  {
    what: 'less than half as many programmes',
    answer: { body: guideOf(of('few', -2, 22)) },
    state: 'quarantined',
    reason: /^It has 440 programmes, the one in service 960: less than half\.$/,
  },
  {
    what: 'a year off',
    answer: { body: guideOf(of('old', -365 * 24, 48)) },
    state: 'quarantined',
    reason: /^Its programmes are around \d{4}-\d\d-\d\d: a year off\.$/,
  },
  {
    what: 'a cut connection',
    answer: { body: good, headers: { 'Content-Length': String(good.length) }, cutAfter: good.length / 2 },
    state: 'failed',
    reason: /^The download failed: the connection was cut off/,
  },
  { what: 'an error', answer: { status: 503 }, state: 'failed', reason: /^The server answered 503\.$/ },
];

async function refresh(weir: Weir): Promise<void> {
  await ended(weir, await send<Job>(weir, 'POST', '/guide-sources/1:refresh'));
}

async function guideText(weir: Weir): Promise<string> {
  return (await ask(weir.url, '/epg.xml')).body;
}

/** Waits until all channels show what a guide says of them now. */
async function shows(weir: Weir, title: string): Promise<string> {
  const look = async () => {
    const text = await guideText(weir);
    return titlesNow(text).every((one, n) => one === `${title} ${ids[n]} 0`) ? text : null;
  };
  return await until(`${title} on all channels`, look, { within });
}

function titlesNow(text: string): string[] {
  const guide = readGuide(text);
  return ids.map((id) => shownAt(guide, id, thisHour + hour / 2));
}

test('whatever comes instead of a guide, the old one stays to the byte, the API says why, and a good one heals it', {
  skip,
}, async (t) => {
  const server = await startGuideServer(t, packed);
  const weir = await startWeir(t, { playlist, args: ['--guide', server.url] });
  const before = await shows(weir, 'good');
  for (const { what, answer, state, reason } of faults) {
    server.answer = answer;
    await refresh(weir);
    const source = await weir.api<GuideSourceStatus>('/api/v1/guide-sources/1');
    assert.equal(source.state, state, what);
    assert.match(source.reason ?? '', reason, what);
    assert.equal(source.counts?.programmes, 960, what);
    assert.equal(await guideText(weir), before, what);
  }
  await weir.signal('SIGTERM');
  await weir.start();
  assert.equal(await shows(weir, 'good'), before, 'after a restart with a server that answers 503');
  server.answer = { body: guideOf(of('better', -2, 48)) };
  await refresh(weir);
  await shows(weir, 'better');
  const { state, reason, failures } = await weir.api<GuideSourceStatus>('/api/v1/guide-sources/1');
  assert.deepEqual([state, reason, failures], ['published', null, 0]);
});
