import assert from 'node:assert/strict';
import { readSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { describe, prepare } from '../../../src/relay/rtsp/dialogue.js';
import { readHead } from '../../../src/relay/rtsp/message.js';
import { type CarrierOptions, type CarrierRequest, startCarrier } from '../../support/carrier/server.js';
import { serveRaw } from '../../support/server.js';
import { until } from '../../support/until.js';
import { options, pairOf, scripted } from './dialogues.js';

/** Prepares a session at a carrier of its own. */
async function prepareAt(t: TestContext, carrierOptions: CarrierOptions = {}, own: Partial<typeof options> = {}) {
  const carrier = await startCarrier(t, carrierOptions);
  const pair = pairOf(t);
  const prepared = await prepare(carrier.url('/PLTV/1.smil?a=b'), { ...options, ...own }, pair);
  t.after(() => prepared.leave());
  return { carrier, prepared, pair };
}

test('a server without quirks is asked OPTIONS, DESCRIBE and SETUP, and what it said is told', async (t) => {
  const { carrier, prepared } = await prepareAt(t);
  const url = carrier.url('/PLTV/1.smil?a=b');
  const asked = carrier.requests.map((request) => `${fieldOf(request, 'cseq')} ${request.method} ${request.url}`);
  const track = url.replace('?', '/trackID=1?');
  assert.deepEqual(asked, [`1 OPTIONS ${url}`, `2 DESCRIBE ${url}`, `3 SETUP ${track}`]);
  const { release, leave, methods, sdp, ...told } = prepared;
  assert.deepEqual(told, {
    url,
    session: carrier.sessions[0]?.id,
    timeout: 60,
    agreed: { way: 'tcp', media: 0, control: 1 },
    credentials: null,
    peer: '127.0.0.1',
    local: '127.0.0.1',
    redirects: 0,
    punches: [],
  });
  assert.equal(methods?.has('GET_PARAMETER'), true);
  assert.deepEqual(sdp, { control: null, track: 'trackID=1', duration: null, clock: null });
  assert.equal(release().cseq, 4);
});

test('the length of an archive is told by DESCRIBE, and nothing is set up for it', async (t) => {
  const carrier = await startCarrier(t, { length: 5400.5 });
  const { duration } = await describe(carrier.url('/vod/1'), options);
  assert.equal(duration, 5400.5);
  assert.deepEqual(
    carrier.requests.map(({ method }) => method),
    ['OPTIONS', 'DESCRIBE'],
  );
  await until('the connection is closed', () => carrier.connections === 0);
});

test('a session that OPTIONS brings is echoed, and its end said, when the server knows no such address', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q01'], fault: 'unknown' });
  await assert.rejects(prepare(carrier.url('/1'), options, null), {
    code: 'upstream-refused',
    status: 404,
    message: `127.0.0.1:${carrier.port} knows no such address (404).`,
  });
  const farewell = await carrier.seen('TEARDOWN', ({ requests }) => requests.find((one) => one.method === 'TEARDOWN'));
  assert.equal(fieldOf(farewell, 'session'), fieldOf(carrier.requests[1], 'session'));
  await until('the connection is closed', () => carrier.connections === 0);
});

test('who is led on at each step asks with the query of the edge, counts, and ends the session before', async (t) => {
  const { carrier, prepared } = await prepareAt(t, { quirks: ['q01', 'q17', 'q18', 'q19', 'q21'] });
  assert.equal(prepared.redirects, 3);
  assert.match(prepared.url, /\?a=b&online=1700000000&hms_devid=7&edge=options&.*&edge=setup$/);
  const left = carrier.requests.filter(({ method }) => method === 'TEARDOWN').map(({ connection }) => connection);
  assert.deepEqual(left, [2, 3], 'the first had no session yet');
  assert.equal(new Set(carrier.requests.map(({ connection }) => connection)).size, 4);
});

test('redirects without end are refused after five', async (t) => {
  const carrier = await startCarrier(t, { fault: 'redirects' });
  await assert.rejects(prepare(carrier.url('/1'), options, null), {
    code: 'upstream-refused',
    message: `127.0.0.1:${carrier.port} is the end of 5 redirects and leads on once more.`,
  });
  assert.equal(carrier.requests.length, 6);
});

test('a redirect out of RTSP is refused, and one that Weir may not follow too', async (t) => {
  const leadingTo = async (to: string) =>
    await asRtsp(serveRaw(t, (socket) => socket.write(`RTSP/1.0 302 Found\r\nCSeq: 1\r\nLocation: ${to}\r\n\r\n`)));
  await assert.rejects(
    prepare(await leadingTo('http://10.0.0.1/x'), options, null),
    /leads on to http:\/\/, which is not RTSP/,
  );
  await assert.rejects(prepare(await leadingTo('rtsp://a b/'), options, null), /leads on to what is no address/);
  const addresses: typeof options.addresses = (host, port, signal) =>
    host === '169.254.169.254' ? Promise.reject(new Error('inner')) : options.addresses(host, port, signal);
  const to = await leadingTo('rtsp://169.254.169.254/x');
  await assert.rejects(
    prepare(to, { ...options, addresses }, null),
    /^RtspFault: 169\.254\.169\.254:554 cannot be reached: inner\.$/,
  );
});

test('the account goes along to the edge, and each request counts its use', async (t) => {
  const { carrier, prepared } = await prepareAt(
    t,
    { quirks: ['q18', 'q24'], account: { user: 'a@b', password: 'p:%w' } },
    {},
  );
  assert.equal(prepared.credentials?.user, 'a@b');
  assert.equal(prepared.credentials?.challenge?.algorithm, 'SHA-256');
  assert.equal(prepared.credentials?.count, 4, 'DESCRIBE, then OPTIONS, DESCRIBE and SETUP of where it led');
  assert.ok(carrier.requests.every(({ url }) => !url.includes('@')));
});

test('a session that PLAY led on goes on with the account, its count and the redirects before', async (t) => {
  const { carrier, prepared } = await prepareAt(t, { quirks: ['q24'] });
  const to = `rtsp://127.0.0.1:${carrier.port}/edge`;
  const again = await prepare(to, { ...options, credentials: prepared.credentials, redirects: 4 }, null);
  t.after(() => again.leave());
  assert.equal(again.redirects, 4);
  const first = carrier.requests.find(({ connection }) => connection === 2);
  assert.match(fieldOf(first, 'authorization'), /nc=00000003/);
  const leading = await startCarrier(t, { quirks: ['q17'] });
  await assert.rejects(prepare(leading.url('/1'), { ...options, redirects: 5 }, null), /leads on once more/);
});

test('a wrong password is tried twice and refused, a missing one at once', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q23'], account: { user: 'a', password: 'right' } });
  const host = `127.0.0.1:${carrier.port}`;
  const refused = { code: 'upstream-refused', status: 401 };
  await assert.rejects(prepare(`rtsp://a:wrong@${host}/1`, options, null), {
    ...refused,
    message: `${host} refuses the user or password (401).`,
  });
  assert.equal(carrier.requests.filter(({ method }) => method === 'DESCRIBE').length, 2);
  await assert.rejects(prepare(`rtsp://${host}/1`, options, null), {
    ...refused,
    message: `${host} wants a user and a password (401): write rtsp://user:password@host/… in the list.`,
  });
});

test('by UDP the pair is told behind a NAT, and punches go to where media come from', async (t) => {
  const quirks = ['q14', 'q33'] as const;
  const { carrier, prepared, pair } = await prepareAt(t, { quirks }, { transport: 'auto', nat: 'auto' });
  assert.deepEqual(pair.opened, ['127.0.0.1']);
  const setup = carrier.requests.find(({ method }) => method === 'SETUP');
  assert.match(fieldOf(setup, 'x-nat'), /^127\.0\.0\.1:\d+$/);
  assert.match(
    fieldOf(setup, 'transport'),
    /,RTP\/AVP;unicast;client_address=127\.0\.0\.1;client_port=\d+-\d+;mode=PLAY$/,
  );
  assert.equal(prepared.agreed.way === 'udp' && prepared.agreed.server, '127.0.0.2');
  const [media, control] = prepared.punches;
  assert.deepEqual([media?.to.address, media?.data.length, control?.data.length], ['127.0.0.2', 84, 8]);
  assert.equal(control?.to.port, Number(media?.to.port) + 1);
});

test('a STUN server is asked from the RTP socket, and what it says is told in place of what is bound', async (t) => {
  const carrier = await startCarrier(t, { quirks: ['q36'], ways: ['udp'] });
  const nat = { stun: { address: '127.0.0.1', port: carrier.port } };
  const prepared = await prepare(carrier.url('/1'), { ...options, transport: 'udp', nat }, pairOf(t));
  t.after(() => prepared.leave());
  assert.equal(carrier.datagrams.filter(({ socket }) => socket === 'stun').length, 1);
  const described = carrier.requests.find(({ method }) => method === 'DESCRIBE')?.headers['x-nat'] ?? '';
  const [, port = ''] = described.split(':');
  const setup = carrier.requests.find(({ method }) => method === 'SETUP');
  assert.ok(
    fieldOf(setup, 'transport').includes(`client_port=${port}-${Number(port) + 1};`),
    fieldOf(setup, 'transport'),
  );
});

test('without ports for a pair media come by TCP, and where that is not wanted it is said', async (t) => {
  const carrier = await startCarrier(t);
  const pair = { ...pairOf(t), open: () => Promise.reject(new Error('All ports are taken.')) };
  const prepared = await prepare(carrier.url('/1'), { ...options, transport: 'auto' }, pair);
  t.after(() => prepared.leave());
  assert.equal(prepared.agreed.way, 'tcp');
  await assert.rejects(prepare(carrier.url('/1'), { ...options, transport: 'udp' }, pair), {
    code: 'unavailable',
    message: `No UDP ports could be had for 127.0.0.1:${carrier.port}: All ports are taken.`,
  });
});

test('what a server sends behind its last answer is left to whom the connection is given to, but for 2 KiB', async (t) => {
  const frame = Buffer.concat([Buffer.from([0x24, 0, 0x03, 0xe8]), Buffer.alloc(1000, 0x47)]);
  const media = Buffer.concat(Array.from({ length: 100 }, () => frame));
  const url = await scripted(t, (method) => (method === 'SETUP' ? { behind: media } : {}));
  const { release } = await prepare(url, options, null);
  const { descriptor, read, close, cseq } = release();
  t.after(close);
  assert.ok(read.length <= 2048, `${read.length} bytes`);
  const taken = [read];
  let size = read.length;
  await until('the rest', () => {
    const piece = Buffer.alloc(200_000);
    const count = readSync(descriptor, piece);
    taken.push(piece.subarray(0, count));
    size += count;
    return size === media.length;
  });
  assert.ok(Buffer.concat(taken).equals(media));
  assert.equal(cseq, 4);
});

test('media that come before they are asked for are a fault when they are many', async (t) => {
  const frame = Buffer.concat([Buffer.from([0x24, 0, 0x03, 0xe8]), Buffer.alloc(1000)]);
  const url = await scripted(t, (method) =>
    method === 'OPTIONS' ? { before: Buffer.concat(Array(9).fill(frame)) } : {},
  );
  await assert.rejects(prepare(url, options, null), /sends media that nobody asked for yet/);
});

test('requests of the server are answered while it is waited for', async (t) => {
  const seen: string[] = [];
  const requests = 'ANNOUNCE rtsp://h/1 RTSP/1.0\r\nCSeq: 71\r\n\r\nREDIRECT rtsp://h/1 RTSP/1.0\r\nCSeq: 72\r\n\r\n';
  const url = await scripted(t, (method) => (method === 'OPTIONS' ? { before: Buffer.from(requests) } : {}), seen);
  const prepared = await prepare(url, options, null);
  t.after(() => prepared.leave());
  const answers = seen.filter((text) => text.startsWith('RTSP/')).map((text) => readHead(text));
  assert.deepEqual(
    answers.map(({ start, headers }) => [start, headers.get('cseq')?.[0]]),
    [
      ['RTSP/1.0 200 OK', '71'],
      ['RTSP/1.0 501 Not Implemented', '72'],
    ],
  );
});

async function asRtsp(url: Promise<string>): Promise<string> {
  return (await url).replace('http:', 'rtsp:');
}

function fieldOf(request: CarrierRequest | undefined, name: string): string {
  return request?.headers[name] ?? '';
}
