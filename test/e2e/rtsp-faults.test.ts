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
    sentence: /^127\.0\.0\.1:\d+ refuses the user or password \(401\)/,
  },
  {
    title: 'no password',
    options: { quirks: ['q22'] },
    account: '',
    status: 502,
    sentence: /^127\.0\.0\.1:\d+ wants a user and a password \(401\)/,
  },
  {
    title: 'garbage in place of SDP',
    options: { fault: 'garbage-sdp' },
    status: 502,
    sentence: /^127\.0\.0\.1:\d+ describes nothing that can be played: its SDP/,
  },
  {
    title: 'H.264 without MPEG-TS',
    options: { fault: 'elementary' },
    status: 502,
    sentence: /^127\.0\.0\.1:\d+ sends H\.264 over RTP without MPEG-TS/,
  },
  {
    title: 'redirects without end',
    options: { fault: 'redirects' },
    status: 502,
    sentence: /^127\.0\.0\.1:\d+ is the end of 5 redirects/,
  },
  {
    title: 'no transport',
    options: { fault: 'no-transport' },
    status: 502,
    sentence: /^127\.0\.0\.1:\d+ takes no transport of those offered \(461\)/,
  },
  {
    title: 'an address that is not known',
    options: { fault: 'unknown' },
    status: 502,
    sentence: /^127\.0\.0\.1:\d+ knows no such address \(404\)/,
  },
  {
    title: 'a header of 64 KB',
    options: { fault: 'long-header' },
    status: 502,
    sentence: /^127\.0\.0\.1:\d+ sends a head of more than/,
  },
  {
    title: 'no session left',
    options: { fault: 'busy' },
    status: 503,
    sentence: /^127\.0\.0\.1:\d+ allows no more sessions \(453\)/,
  },
  {
    title: 'no answer at all',
    options: { fault: 'mute' },
    status: 504,
    sentence: /^127\.0\.0\.1:\d+ does not answer OPTIONS in time/,
  },
  {
    title: 'no media after PLAY',
    options: { fault: 'no-media', ways: ['tcp'] },
    status: 503,
    sentence: /127\.0\.0\.1:\d+\/… plays, and sent no media in \d/,
  },
  {
    title: 'media on channels that were not set up',
    options: { fault: 'other-channel', ways: ['tcp'] },
    status: 503,
    sentence: /127\.0\.0\.1:\d+\/… plays, and sent no media in \d/,
  },
];

/** Milliseconds within which each is answered: 8 s, by TCP 4 s more for media that do not come, and what a busy machine needs. */
const patience = (fault: Fault | undefined) => (fault === 'no-media' || fault === 'other-channel' ? 13_000 : 9_000);

test('what keeps a server from being played', { skip, timeout: 120_000, concurrency: 6 }, async (t) => {
  const all = cases.map((one, index) => ({ ...one, name: one.title, port: 20_000 + index }));
  const entries = all.map(({ name, port, account = 'viewer:s3cret@' }) => {
    return { name, url: `rtsp://${account}127.0.0.1:${port}/live` };
  });
  const household = await startRtspHousehold(t, entries);
  const met = all.map(async ({ name, port, options, status, sentence }) => {
    const is = `${name}: ${status} with a reason in time, and no session or connection is left`;
    await t.test(is, { timeout: 60_000 }, async (t) => {
      const carrier = await startCarrier(t, { ...options, port });
      const viewer = new Viewer(household.weir.url, await household.path(name));
      t.after(() => viewer.close());
      await viewer.answered(patience(options.fault));
      assert.equal(viewer.status, status, viewer.body);
      await until('the sentence', () => sentence.test(viewer.body));
      assert.doesNotMatch(viewer.body, /s3cret|wrong|viewer:/);
      const isLeft = () => carrier.connections === 0 && carrier.sessions.every(({ end }) => end !== null);
      await until('all connections to be closed', isLeft, { within: 12_000 });
    });
  });
  await Promise.all(met);
  const isClosed = async () => (await household.weir.streams()).length === 0;
  await until('all streams to be closed', isClosed, { within: 12_000 });
});

test('a host where nobody listens: 502 with its name at once', { skip, timeout: 30_000 }, async (t) => {
  const household = await startRtspHousehold(t, [{ name: 'One', url: `rtsp://127.0.0.1:${await freePort()}/live` }]);
  const viewer = await household.watch(t, 'One');
  assert.equal(viewer.status, 502);
  await until('the sentence', () => /127\.0\.0\.1:\d+ refuses the connection/.test(viewer.body));
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
