import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCarrier } from '../support/carrier/server.js';
import { ask, watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { startRtspHousehold } from '../support/rtsp-household.js';

const skip = privateNetwork();
const recent = Math.floor(Date.now() / 1000) - 600;
const clock = `clock=${new Date(recent * 1000).toISOString().replace(/[-:]|\.000/g, '')}-`;

/** What stands behind `/rtsp/HOST/`, what the server is asked by PLAY behind `rtsp://HOST/`, and its `Range`. */
const rows = [
  ['live/1.smil?k=1&r2h-seek-offset=9', 'live/1.smil?k=1', null],
  ['a?playseek=20240101200000-20240101210000', 'a?playseek=20240101120000-20240101130000', null],
  ['a?tvdr=20240101120000GMT-&r2h-seek-offset=60&x=%2F', 'a?tvdr=20240101120100GMT-&x=%2F', null],
  ['a?b=$%7B(b)yyyyMMddHHmmss%7D&playseek=1704110400-1704114000', 'a?b=20240101200000', null],
  [`a?playseek=${recent}-&r2h-seek-mode=range(UTC%2B8/3600)`, 'a', clock],
  ['a?r2h-start=123.45', 'a', 'npt=123.45-'],
] as const;

test('servers that lists name are played by their address, and asked for what is past as the player wants it', {
  skip,
  timeout: 90_000,
}, async (t) => {
  const carrier = await startCarrier(t, { ways: ['tcp'] });
  const { weir } = await startRtspHousehold(t, [{ name: 'One', url: carrier.url('/live/1.smil') }]);
  const headers = { 'User-Agent': 'AptvPlayer/1.3.3 TZ/UTC+8' };
  for (const [index, [asked, url, range]] of rows.entries()) {
    const viewer = await watch(t, weir.url, `/rtsp/127.0.0.1:${carrier.port}/${asked}`, { headers });
    assert.equal(viewer.status, 200, `${asked}: ${viewer.body}`);
    await viewer.received(20);
    const play = carrier.requests.filter(({ method }) => method === 'PLAY')[index];
    assert.equal(play?.url, `rtsp://127.0.0.1:${carrier.port}/${url}`);
    const { range: from } = play.headers;
    assert.equal(from, range ?? 'npt=0.000-', asked);
    viewer.close();
  }
  const requests = carrier.requests.length;
  assert.equal((await ask(weir.url, `/rtsp/127.0.0.1:${carrier.port}/a`, { method: 'HEAD' })).status, 200);
  assert.equal((await ask(weir.url, '/rtsp/127.0.0.1:9/a')).status, 404);
  const length = await ask(weir.url, `/rtsp/127.0.0.1:${carrier.port}/other?r2h-duration=1`);
  assert.deepEqual([length.status, length.body], [200, '{"duration":null}']);
  const methods = carrier.requests.slice(requests).filter(({ url }) => url.includes('/other'));
  assert.deepEqual(
    methods.map(({ method }) => method),
    ['OPTIONS', 'DESCRIBE'],
  );
});
