import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatUpstream,
  isMulticast,
  parseRtspPath,
  parseUpstreamPath,
  parseUpstreamUrl,
} from '../../src/model/upstream.js';

/** `kind address port source`, or the start of the problem, or null. */
function read(path: string): string | null {
  const parsed = parseUpstreamPath(path);
  if (parsed === null) return null;
  if ('problem' in parsed) return `! ${parsed.problem}`;
  const { kind, address, port, source } = parsed.upstream;
  return `${kind} ${address} ${port} ${source ?? '-'}`;
}

const readable: readonly (readonly [path: string, upstream: string])[] = [
  ['/udp/239.1.1.1:5000', 'udp 239.1.1.1 5000 -'],
  ['/rtp/239.1.1.1:5000', 'rtp 239.1.1.1 5000 -'],
  ['//udp/239.1.1.1:5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1', 'udp 239.1.1.1 1234 -'],
  ['/udp/239.1.1.1/', 'udp 239.1.1.1 1234 -'],
  ['/udp/239.1.1.1:5000/anything/at:all', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1:5000?tail=/x:1', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1:5000/x?fcc=10.0.0.1:8027', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1%5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1~5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1+5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1-5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1^5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1%3A5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1%3a5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1%255000', 'udp 239.1.1.1 5000 -'],
  ['/udp/239.1.1.1:65535', 'udp 239.1.1.1 65535 -'],
  ['/udp/239.1.1.1:1', 'udp 239.1.1.1 1 -'],
  ['/udp/239.1.1.1:05000', 'udp 239.1.1.1 5000 -'],
  ['/udp/@239.1.1.1:5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/%40239.1.1.1:5000', 'udp 239.1.1.1 5000 -'],
  ['/udp/10.0.0.9@232.1.1.1:5000', 'udp 232.1.1.1 5000 10.0.0.9'],
  ['/rtp/10.0.0.9%40232.1.1.1%3A5000', 'rtp 232.1.1.1 5000 10.0.0.9'],
  ['/udp/10.0.0.9@232.1.1.1%5000', 'udp 232.1.1.1 5000 10.0.0.9'],
  ['/udp/192.168.1.5:5000', 'udp 192.168.1.5 5000 -'],
  ['/udp/[ff3e::8000:1]:5000', 'udp ff3e::8000:1 5000 -'],
  ['/udp/%5Bff3e::8000:1%5D:5000', 'udp ff3e::8000:1 5000 -'],
  ['/udp/%5bff3e%3a%3a8000%3a1%5d%3a5000', 'udp ff3e::8000:1 5000 -'],
  ['/udp/[FF3E::1]', 'udp ff3e::1 1234 -'],
  ['/rtp/[2001:db8::9]@[ff3e::1]:5000', 'rtp ff3e::1 5000 2001:db8::9'],
];

for (const [path, upstream] of readable) {
  test(`${path} is ${upstream}`, () => assert.equal(read(path), upstream));
}

const unreadable: readonly (readonly [path: string, names: string])[] = [
  ['/udp', '""'],
  ['/udp/', '""'],
  ['/udp//239.1.1.1:5000', '""'],
  ['/udp/a/b', '"a"'],
  ['/udp/example.org:5000', '"example.org:5000"'],
  ['/udp/239.1.1.256:5000', '"239.1.1.256:5000"'],
  ['/udp/239.1.1:5000', '"239.1.1:5000"'],
  ['/udp/239.1.1.1:', '""'],
  ['/udp/239.1.1.1:0', '"0"'],
  ['/udp/239.1.1.1:65536', '"65536"'],
  ['/udp/239.1.1.1:50x', '"50x"'],
  ['/udp/239.1.1.1:-5', '"-5"'],
  ['/udp/239.1.1.1%2F5000', '"2F5000"'],
  ['/udp/ff3e::1:5000', '"ff3e::1:5000"'],
  ['/udp/[ff3e::1:5000', '"[ff3e::1:5000"'],
  ['/udp/[ff3e::1]5000', '"[ff3e::1]5000"'],
  ['/udp/x@239.1.1.1:5000', '"x"'],
  ['/udp/224.0.0.5@239.1.1.1:5000', '"224.0.0.5"'],
  ['/udp/10.0.0.9@[ff3e::1]:5000', '"10.0.0.9"'],
];

for (const [path, names] of unreadable) {
  test(`${path} is refused, and ${names} is named`, () => {
    const problem = read(path);
    assert.match(problem ?? '', /^! /);
    assert.ok(problem?.includes(names), `${problem} names ${names}`);
    assert.doesNotMatch(problem ?? '', /\n/);
  });
}

for (const path of [
  '/',
  '/UDP/239.1.1.1:5000',
  '/udpx/239.1.1.1:5000',
  '/x/udp/239.1.1.1',
  '///udp/239.1.1.1',
  '/status',
]) {
  test(`${path} is no direct address`, () => assert.equal(read(path), null));
}

test('an address of a list is written back as lists write it', () => {
  const written = [
    'udp://@239.1.1.1:1234',
    'rtp://10.0.0.9@232.1.1.1:5000',
    'udp://192.168.1.5:1234',
    'rtp://[2001:db8::9]@[ff3e::1]:5000',
  ];
  for (const url of written) {
    const parsed = parseUpstreamUrl(url);
    assert.ok(parsed !== null && 'upstream' in parsed, url);
    assert.equal(formatUpstream(parsed.upstream), url);
  }
});

test('a percent sign in a list is no separator', () => {
  const parsed = parseUpstreamUrl('udp://239.1.1.1%5000');
  assert.ok(parsed !== null && 'problem' in parsed);
});

/** Addresses of RTSP as lists write them, and how they are shown. */
const sessions: readonly (readonly [url: string, shown: string])[] = [
  ['rtsp://10.0.0.1/PLTV/88/224/1.smil', 'rtsp://10.0.0.1/…'],
  ['RTSP://tv.example:8554/a?AuthInfo=a%2Bb&x=1', 'rtsp://tv.example:8554/…'],
  ['rtsp://user:p@ss@10.0.0.1:554/a', 'rtsp://10.0.0.1:554/…'],
  ['rtsp://[2001:db8::1]:554/a@b', 'rtsp://[2001:db8::1]:554/…'],
  ['rtsp://h', 'rtsp://h/…'],
  ['rtsp://h?x=1', 'rtsp://h/…'],
];

for (const [url, shown] of sessions) {
  test(`${url} is taken byte for byte, and shown as ${shown}`, () => {
    const parsed = parseUpstreamUrl(url);
    assert.ok(parsed !== null && 'upstream' in parsed);
    assert.deepEqual(parsed.upstream, { kind: 'rtsp', url, interface: null });
    assert.equal(formatUpstream(parsed.upstream), shown);
  });
}

for (const url of [
  ...['rtsp://', 'rtsp:///a', 'rtsp://:554/a', 'rtsp://u:p@/a', 'rtsp://h:0/a', 'rtsp://h:65536/a', 'rtsp://h:x/a'],
  ...['rtsp://[::1/a', 'rtsp://[h]/a', 'rtsp://h/a\r\nCSeq: 1', 'rtsp://h/a b', 'rtsps://h/a', 'rtspu://h/a'],
]) {
  test(`${JSON.stringify(url)} is told what is wrong`, () => {
    const parsed = parseUpstreamUrl(url);
    assert.ok(parsed !== null && 'problem' in parsed);
    assert.match(parsed.problem, /^(?:".*" is not a (?:host|port)|Weir does not speak rtsp[su])\. .+\.$/);
  });
}

/** Raw paths of direct requests, and the address that is asked for. */
const direct: readonly (readonly [path: string, url: string | null])[] = [
  ['/rtsp/10.0.0.1:554/a/b.smil?x=1&y=%20', 'rtsp://10.0.0.1:554/a/b.smil?x=1&y=%20'],
  ['//rtsp/h/a', 'rtsp://h/a'],
  ['/rtsp/h', 'rtsp://h'],
  ['/rtsp/h?x=1', 'rtsp://h?x=1'],
  ['/rtsp/h/a?', 'rtsp://h/a?'],
  ['/rtsp/u:p@h:8554/a%2Fb', 'rtsp://u:p@h:8554/a%2Fb'],
  ['/rtsp/%5B::1%5D%3A554/a', 'rtsp://[::1]:554/a'],
  ['/rtsp/h/a?r2h-token=t&x=1&ifname=eth1&r2h-seek-name=playseek&snapshot=1', 'rtsp://h/a?x=1'],
  ['/rtsp/h/a?IFNAME=eth1&R2H-START=30', 'rtsp://h/a'],
  [
    '/rtsp/h/a?playseek=20240101120000-&playseek=2&myifname=x',
    'rtsp://h/a?playseek=20240101120000-&playseek=2&myifname=x',
  ],
  ['/rtsp', null],
  ['/rtspx/h/a', null],
  ['/x/rtsp/h/a', null],
];

for (const [path, url] of direct) {
  test(`${path} asks for ${url ?? 'no session of RTSP'}`, () => {
    const expected = url === null ? null : { upstream: { kind: 'rtsp', url, interface: null } };
    assert.deepEqual(parseRtspPath(path), expected);
  });
}

test('a direct path without a host, or with one that is none, is told what is wrong', () => {
  for (const path of ['/rtsp/', '/rtsp/?x=1', '/rtsp/:554/a', '/rtsp/h:99999/a']) {
    const parsed = parseRtspPath(path);
    assert.ok(parsed !== null && 'problem' in parsed, path);
  }
});

test('another scheme is none of ours', () => assert.equal(parseUpstreamUrl('http://10.0.0.1/a'), null));

test('groups are 224.0.0.0/4 and ff00::/8', () => {
  for (const group of ['224.0.0.1', '239.255.255.255', 'ff02::1']) assert.equal(isMulticast(group), true, group);
  for (const host of ['223.255.255.255', '240.0.0.1', 'fe80::1', 'example'])
    assert.equal(isMulticast(host), false, host);
});
