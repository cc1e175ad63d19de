import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fault } from '../support/carrier/faults.js';
import { type CarrierOptions, startCarrier } from '../support/carrier/server.js';
import { freePort } from '../support/gst-rtsp.js';
import { Viewer } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { startRtspHousehold } from '../support/rtsp-household.js';
import { until } from '../support/until.js';

const skip = privateNetwork();

type Case = {
  readonly title: string;
  readonly options: CarrierOptions & { readonly fault?: Fault };
  /** Of the address, where it is not the carrier's own. */
  readonly account?: string;
  readonly status: number;
  readonly sentence: RegExp;
};

const cases: readonly Case[] = [
  {
    title: 'a wrong password',
    options: { quirks: ['q23'] },
    account: 'viewer:wrong@',
    status: 502,
    sentence: /127\.0\.0\.1.*(user|password)/,
  },
  {
    title: 'no password',
    options: { quirks: ['q22'] },
    account: '',
    status: 502,
    sentence: /127\.0\.0\.1.*(user|password)/,
  },
  { title: 'garbage in place of SDP', options: { fault: 'garbage-sdp' }, status: 502, sentence: /127\.0\.0\.1/ },
  { title: 'H.264 without MPEG-TS', options: { fault: 'elementary' }, status: 502, sentence: /H\.?264/i },
  { title: 'redirects without end', options: { fault: 'redirects' }, status: 502, sentence: /127\.0\.0\.1/ },
  { title: 'no transport', options: { fault: 'no-transport' }, status: 502, sentence: /461/ },
  { title: 'an address that is not known', options: { fault: 'unknown' }, status: 502, sentence: /404/ },
  { title: 'a header of 64 KB', options: { fault: 'long-header' }, status: 502, sentence: /127\.0\.0\.1/ },
  { title: 'no session left', options: { fault: 'busy' }, status: 503, sentence: /453|session/ },
  { title: 'no answer at all', options: { fault: 'mute' }, status: 504, sentence: /127\.0\.0\.1.*OPTIONS/ },
  { title: 'no media after PLAY', options: { fault: 'no-media', ways: ['tcp'] }, status: 503, sentence: /./ },
  {
    title: 'media on channels that were not set up',
    options: { fault: 'other-channel', ways: ['tcp'] },
    status: 503,
    sentence: /./,
  },
];

/** Milliseconds within which each is answered: 8 s, by TCP 4 s more for media that do not come, and what a busy machine needs. */
const patience = (fault: Fault | undefined) => (fault === 'no-media' || fault === 'other-channel' ? 13_000 : 9_000);

for (const { title, options, account, status, sentence } of cases) {
  test(`${title}: ${status} with a reason in time, and no session or connection is left`, {
    skip,
    timeout: 60_000,
  }, async (t) => {
    const carrier = await startCarrier(t, options);
    const url = account === undefined ? carrier.url('/live') : `rtsp://${account}127.0.0.1:${carrier.port}/live`;
    const household = await startRtspHousehold(t, [{ name: 'One', url }]);
    const viewer = new Viewer(household.weir.url, await household.path('One'));
    t.after(() => viewer.close());
    await viewer.answered(patience(options.fault));
    assert.equal(viewer.status, status, viewer.body);
    await until('the sentence', () => sentence.test(viewer.body));
    assert.doesNotMatch(viewer.body, /s3cret|wrong|viewer:/);
    const isLeft = () => carrier.connections === 0 && carrier.sessions.every(({ end }) => end !== null);
    await until('all connections to be closed', isLeft, { within: 12_000 });
    await until('the stream to be closed', async () => (await household.weir.streams()).length === 0, {
      within: 12_000,
    });
  });
}

test('a host where nobody listens: 502 with its name at once', { skip, timeout: 30_000 }, async (t) => {
  const household = await startRtspHousehold(t, [{ name: 'One', url: `rtsp://127.0.0.1:${await freePort()}/live` }]);
  const viewer = await household.watch(t, 'One');
  assert.equal(viewer.status, 502);
  await until('the sentence', () => /127\.0\.0\.1/.test(viewer.body));
});

test('a connection cut in mid-frame: the viewer has whole packets alone, and is closed when it happens again at once', {
  skip,
  timeout: 60_000,
}, async (t) => {
  const carrier = await startCarrier(t, { ways: ['tcp'], fault: 'cut' });
  const household = await startRtspHousehold(t, [{ name: 'One', url: carrier.url('/live') }]);
  const viewer = await household.watch(t, 'One');
  assert.equal(viewer.status, 200, viewer.body);
  await viewer.closed(20_000);
  assert.equal(viewer.ts.damaged, 0);
  assert.equal(viewer.ts.bytes % 188, 0);
  assert.equal(carrier.sessions.length, 2);
  await until('all connections to be closed', () => carrier.connections === 0);
});
