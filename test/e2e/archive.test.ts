import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Carrier, type CarrierOptions, startCarrier } from '../support/carrier/server.js';
import { Viewer } from '../support/http.js';
import { players } from '../support/players/all.js';
import { digitsAt, type PlayerRequest } from '../support/players/player.js';
import { kodiVectors } from '../support/players/vectors.js';
import { privateNetwork } from '../support/private-network.js';
import { type RtspHousehold, startRtspHousehold } from '../support/rtsp-household.js';
import { until } from '../support/until.js';

const skip = privateNetwork();
const shanghai = { zone: 480 };
/** As carriers of China have it: their own clock, in the address. */
const source = `?playseek=${['b', 'e'].map((of) => `\${(${of})yyyyMMddHHmmss}`).join('-')}`;
const attributes = `catchup="append" catchup-days="7" catchup-source="${source}"`;
const now = Math.floor(Date.now() / 1000);
/** On the minute, as guides have it. */
const start = Math.floor(now / 60) * 60 - 7200;
const picked = { start, end: start + 3600 };

type House = { readonly carrier: Carrier; readonly household: RtspHousehold };

async function startHouse(t: TestContext, options: CarrierOptions = {}): Promise<House> {
  const carrier = await startCarrier(t, { ways: ['tcp'], speed: 4, ...options });
  const entry = { name: 'One', url: carrier.url('/PLTV/1.smil'), attributes };
  return { carrier, household: await startRtspHousehold(t, [entry], { config: { time_zone: 'Asia/Shanghai' } }) };
}

/** Does what a player does, one request after the other; the last one stays open. */
async function perform(
  t: TestContext,
  weir: { readonly url: string },
  requests: readonly PlayerRequest[],
): Promise<Viewer[]> {
  const viewers: Viewer[] = [];
  for (const [index, { method, url, userAgent, most }] of requests.entries()) {
    const { pathname, search } = new URL(url);
    const viewer = new Viewer(weir.url, pathname + search, { method, headers: { 'User-Agent': userAgent } });
    t.after(() => viewer.close());
    viewers.push(viewer);
    await viewer.answered(12_000);
    if (most !== null) await until(`${most} bytes`, () => viewer.ts.bytes >= most, { within: 8_000 });
    if (index < requests.length - 1) viewer.close();
  }
  return viewers;
}

test('what was on two hours ago', { skip, timeout: 120_000, concurrency: 4 }, async (t) => {
  const all = players.map((one, index) => ({ ...one, port: 20_000 + index }));
  const entries = all.map(({ title, port }) => {
    return { name: title, url: `rtsp://127.0.0.1:${port}/PLTV/1.smil`, attributes };
  });
  const household = await startRtspHousehold(t, entries, { config: { time_zone: 'Asia/Shanghai' } });
  const played = all.map(async ({ title, profile, player, zone, means, port }) => {
    await t.test(`${title} plays it: the carrier is asked for it to the second`, { timeout: 60_000 }, async (t) => {
      const carrier = await startCarrier(t, { ways: ['tcp'], speed: 4, port });
      const list = await household.list(profile);
      const requests = player(list, title, picked, { now, zone });
      const viewer = (await perform(t, household.weir, requests)).at(-1);
      assert.equal(viewer?.status, 200, viewer?.body);
      await viewer?.received(200);
      const asked = means(picked, { now });
      const end = asked.end === null ? '' : digitsAt(asked.end, shanghai);
      const expected = `rtsp://127.0.0.1:${port}/PLTV/1.smil?playseek=${digitsAt(asked.start, shanghai)}-${end}`;
      const urls = (method: string) => carrier.requests.filter((one) => one.method === method).map(({ url }) => url);
      assert.deepEqual([urls('DESCRIBE'), urls('PLAY')], [[expected], [expected]]);
    });
  });
  await Promise.all(played);
});

test('what Kodi makes of any template is served, or answered 400 where a placeholder is left in a value', {
  skip,
  timeout: 120_000,
}, async (t) => {
  const { carrier, household } = await startHouse(t);
  const path = await household.path('One');
  const queries = new Set(kodiVectors().flatMap(({ got }) => (got.includes('?') ? [got.slice(got.indexOf('?'))] : [])));
  for (const query of queries) {
    const before = carrier.sessions.length;
    const viewer = new Viewer(household.weir.url, path + query);
    t.after(() => viewer.close());
    await viewer.answered(12_000);
    const leftOver = /[{}$]/.test(query);
    assert.equal(viewer.status, leftOver ? 400 : 200, `${query}: ${viewer.body}`);
    if (leftOver) assert.equal(carrier.sessions.length, before, query);
    viewer.close();
  }
});

test("Kodi's HEAD, 1 KiB and GET are one session, and the last begins with the first byte of the second", {
  skip,
  timeout: 60_000,
}, async (t) => {
  const { carrier, household } = await startHouse(t);
  const url = `http://weir${await household.path('One')}?utc=${start}&utcend=${picked.end}&lutc=${now}`;
  const ask = (method: 'GET' | 'HEAD', most: number | null) => ({ method, url, userAgent: 'Kodi/20.5', most });
  const [head, probe, play] = await perform(t, household.weir, [ask('HEAD', null), ask('GET', 1024), ask('GET', null)]);
  assert.ok(head && probe && play);
  assert.deepEqual([head.status, probe.status, play.status], [200, 200, 200]);
  await play.received(500);
  assert.deepEqual(play.firstBytes.subarray(0, 1024), probe.firstBytes.subarray(0, 1024));
  const { missing, damaged, discontinuities } = play.ts;
  assert.deepEqual({ missing, damaged, discontinuities }, { missing: [], damaged: 0, discontinuities: 0 });
  assert.equal(carrier.sessions.length, 1);
});

test('HEAD of an archive contacts no carrier', { skip }, async (t) => {
  const { carrier, household } = await startHouse(t);
  const url = `http://weir${await household.path('One')}?utc=${start}`;
  const [head] = await perform(t, household.weir, [{ method: 'HEAD', url, userAgent: 'curl', most: null }]);
  assert.equal(head?.status, 200);
  assert.equal(carrier.requests.length, 0);
});
