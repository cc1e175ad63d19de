import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { prepare } from '../../../src/relay/rtsp/dialogue.js';
import type { RtspFault } from '../../../src/relay/rtsp/reasons.js';
import { type CarrierOptions, startCarrier } from '../../support/carrier/server.js';
import { until } from '../../support/until.js';
import { options, pairOf } from './dialogues.js';

type Expected = { readonly code: string; readonly status?: number | null; readonly message: RegExp };

/** What carriers do, and what is said of it. */
const table: readonly (readonly [what: string, carrier: CarrierOptions, expected: Expected])[] = [
  [
    'answers nothing',
    { fault: 'mute' },
    { code: 'upstream-timeout', message: /^\S+ does not answer OPTIONS in time\.$/ },
  ],
  ['describes garbage', { fault: 'garbage-sdp' }, { code: 'upstream-refused', message: /its SDP has no media\.$/ }],
  [
    'has no TS',
    { fault: 'elementary' },
    { code: 'upstream-refused', message: /sends H\.264 over RTP without MPEG-TS/ },
  ],
  [
    'takes no transport',
    { fault: 'no-transport' },
    {
      code: 'upstream-refused',
      status: 461,
      message: /takes no transport of those offered \(461\): MP2T\/RTP\/TCP, MP2T\/TCP, RTP\/AVP\/TCP, .*RTP\/AVP\.$/,
    },
  ],
  [
    'has a header of 64 KB',
    { fault: 'long-header' },
    { code: 'upstream-refused', message: /a head of more than 16384 bytes\.$/ },
  ],
  [
    'has no session left',
    { fault: 'busy' },
    { code: 'limit-reached', status: 453, message: /has no session left \(453\)\.$/ },
  ],
  ['knows no such address', { fault: 'unknown' }, { code: 'upstream-refused', status: 404, message: /\(404\)\.$/ }],
  [
    'does not like the name',
    { quirks: ['q04'] },
    { code: 'upstream-refused', status: 403, message: /answers DESCRIBE with 403 Forbidden\.$/ },
  ],
];

for (const [what, carrierOptions, expected] of table) {
  test(`a server that ${what} is named with the reason, and nothing is left`, async (t) => {
    const carrier = await startCarrier(t, carrierOptions);
    const before = descriptors();
    const own = { ...options, userAgent: 'Weir/1', step: 300, transport: 'auto' } as const;
    const pair = { ...pairOf(t), open: () => Promise.resolve({ rtp: 10_000, rtcp: 10_001 }) };
    for (let count = 0; count < 20; count += 1) {
      await assert.rejects(prepare(carrier.url('/1'), own, pair), (fault: Error) => {
        assert.ok(fault.message.startsWith(`127.0.0.1:${carrier.port} `), fault.message);
        assert.match(fault.message, expected.message);
        const { code, status } = fault as RtspFault;
        assert.deepEqual([code, status], [expected.code, expected.status ?? null]);
        return true;
      });
    }
    await until('no connection is left', () => carrier.connections === 0 && descriptors() <= before);
    assert.ok(carrier.sessions.every(({ end }) => end !== null));
  });
}

test('a host that refuses, one without a name and one that may not be asked are told apart', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await until('it listens', () => server.listening);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server.close();
  t.after(() => server.close());
  await assert.rejects(prepare(`rtsp://127.0.0.1:${port}/1`, options, null), {
    code: 'upstream-refused',
    message: `127.0.0.1:${port} refuses the connection.`,
  });
  const addresses = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND h'), { code: 'ENOTFOUND' }));
  await assert.rejects(prepare('rtsp://h/1', { ...options, addresses }, null), {
    code: 'upstream-refused',
    message: 'h:554 cannot be found: its name is not known.',
  });
});

test('of several addresses the next is tried when one refuses', async (t) => {
  const carrier = await startCarrier(t);
  const addresses = () => Promise.resolve(['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 })));
  const prepared = await prepare(carrier.url('/1'), { ...options, addresses }, null);
  t.after(() => prepared.leave());
  assert.equal(prepared.peer, '127.0.0.1');
});

test('a connection is made from the address that is set, and not to a family that it cannot reach', async (t) => {
  const carrier = await startCarrier(t);
  const prepared = await prepare(carrier.url('/1'), { ...options, local: '127.0.0.7' }, null);
  t.after(() => prepared.leave());
  assert.equal(prepared.local, '127.0.0.7');
  await assert.rejects(
    prepare(carrier.url('/1'), { ...options, local: '::1' }, null),
    /has no address that ::1 could reach/,
  );
});

test('a dialogue that is broken off fails at once, and its session is ended', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q01'], delay: 150 });
  const controller = new AbortController();
  const prepared = prepare(carrier.url('/1'), { ...options, signal: controller.signal }, null);
  await carrier.seen('DESCRIBE', ({ requests }) => requests.find(({ method }) => method === 'DESCRIBE'));
  controller.abort();
  await assert.rejects(prepared, {
    code: 'upstream-timeout',
    message: /does not answer DESCRIBE in time\.$/,
  });
  await carrier.seen('TEARDOWN', ({ requests }) => requests.find(({ method }) => method === 'TEARDOWN'));
  await until('no connection is left', () => carrier.connections === 0);
});

test('a server that closes the connection in the middle is said to', async (t) => {
  const carrier = await startCarrier(t, { delay: 300 });
  const prepared = prepare(carrier.url('/1'), options, null);
  await carrier.seen('OPTIONS', ({ requests }) => requests[0]);
  carrier.cut();
  await assert.rejects(prepared, {
    code: 'upstream-refused',
    message: `127.0.0.1:${carrier.port} cut the connection.`,
  });
});

function descriptors(): number {
  return readdirSync('/proc/self/fd').length;
}
