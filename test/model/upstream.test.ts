import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUpstream, isMulticast, parseUpstreamPath, parseUpstreamUrl } from '../../src/model/upstream.js';

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

test('another scheme is none of ours', () => assert.equal(parseUpstreamUrl('http://10.0.0.1/a'), null));

test('groups are 224.0.0.0/4 and ff00::/8', () => {
  for (const group of ['224.0.0.1', '239.255.255.255', 'ff02::1']) assert.equal(isMulticast(group), true, group);
  for (const host of ['223.255.255.255', '240.0.0.1', 'fe80::1', 'example'])
    assert.equal(isMulticast(host), false, host);
});
