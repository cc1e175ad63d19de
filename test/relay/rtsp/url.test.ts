import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOf, readAddress, resolve, trackAddress } from '../../../src/relay/rtsp/url.js';

test('an address is split without a byte of its spelling changed', () => {
  for (const [url, expected] of [
    ['rtsp://h', { target: 'rtsp://h', host: 'h', port: 554, account: null }],
    [
      'RTSP://H:8554/%e4/%2F?a={b}&c=|',
      { target: 'RTSP://H:8554/%e4/%2F?a={b}&c=|', host: 'H', port: 8554, account: null },
    ],
    [
      'rtsp://u@x:p:%zz@10.0.0.1/a@b',
      { target: 'rtsp://10.0.0.1/a@b', host: '10.0.0.1', port: 554, account: { user: 'u@x', password: 'p:%zz' } },
    ],
    ['rtsp://[fd00::1]:99/a', { target: 'rtsp://[fd00::1]:99/a', host: 'fd00::1', port: 99, account: null }],
    ['rtsp://h:/频道?x=1', { target: 'rtsp://h:/频道?x=1', host: 'h', port: 554, account: null }],
  ] as const) {
    assert.deepEqual(readAddress(url), expected);
  }
});

test('user and password are decoded where they are encoded', () => {
  const account = (url: string) => readAddress(url).account;
  assert.deepEqual(account('rtsp://a%40b:p%3Aq%25@h/'), { user: 'a@b', password: 'p:q%' });
  assert.deepEqual(account('rtsp://a:100%@h/'), { user: 'a', password: '100%' });
  assert.deepEqual(account('rtsp://a@h/'), { user: 'a', password: '' });
});

test('what is no address of RTSP is refused with what to write', () => {
  for (const url of [
    'http://h/',
    'rtsp:///x',
    'rtsp://h:0/',
    'rtsp://h:65536/',
    'rtsp://a:b:c/',
    'rtsp://[::1/',
    'rtsp://h/a b',
    'rtsp://h/\r\n',
  ]) {
    assert.throws(() => readAddress(url), { code: 'invalid', message: /Write rtsp:\/\/host\[:port\]\/path\.$/ }, url);
  }
});

test('a place is shown with its port, IPv6 in brackets', () => {
  assert.equal(placeOf({ host: 'h', port: 554 }), 'h:554');
  assert.equal(placeOf({ host: '::1', port: 8554 }), '[::1]:8554');
});

test('what a server leads on to is put against the address that was asked for', () => {
  const asked = 'rtsp://h:99/a/b.smil?x=/1';
  for (const [given, expected] of [
    ['rtsp://edge/c?y=2', 'rtsp://edge/c?y=2'],
    ['//edge:1/c', 'rtsp://edge:1/c'],
    ['/c?y=2', 'rtsp://h:99/c?y=2'],
    ['c', 'rtsp://h:99/a/c'],
    ['?y=2', 'rtsp://h:99/a/b.smil?y=2'],
    ['http://h/x', 'http://h/x'],
  ] as const) {
    assert.equal(resolve(asked, given), expected, given);
  }
  assert.equal(resolve('rtsp://h', 'c'), 'rtsp://h/c');
});

/** Asked for, the server's base, control, and where SETUP goes. */
const tracks: readonly (readonly [asked: string, base: string | null, control: string | null, expected: string])[] = [
  ['rtsp://h/a', null, 'trackID=1', 'rtsp://h/a/trackID=1'],
  ['rtsp://h/a/', null, 'trackID=1', 'rtsp://h/a/trackID=1'],
  ['rtsp://h/a?q=1', null, 'trackID=1', 'rtsp://h/a/trackID=1?q=1'],
  ['rtsp://h/a?q=1&u=b/c', null, 'trackID=1', 'rtsp://h/a/trackID=1?q=1&u=b/c'],
  ['rtsp://h/a?q=1?r=2', null, 'trackID=1', 'rtsp://h/a/trackID=1?q=1?r=2'],
  ['rtsp://h/a?q=1', null, 'track?id=1', 'rtsp://h/a/track?id=1'],
  ['rtsp://h/a?q=1', null, '*', 'rtsp://h/a?q=1'],
  ['rtsp://h/a?q=1', null, null, 'rtsp://h/a?q=1'],
  ['rtsp://h/a?q=1', null, '', 'rtsp://h/a?q=1'],
  ['rtsp://h/a', null, 'rtsp://h/b/1', 'rtsp://h/b/1'],
  ['rtsp://h/a', 'rtsp://h/b/', 'RTSP://x:9/b?1', 'RTSP://x:9/b?1'],
  ['rtsp://h/a', 'rtsp://h/b/', 'trackID=1', 'rtsp://h/b/trackID=1'],
  ['rtsp://h/a', 'rtsp://h/b', 'trackID=1', 'rtsp://h/b/trackID=1'],
  ['rtsp://h/a?q=1', 'rtsp://h/b/', 'trackID=1', 'rtsp://h/b/trackID=1'],
  ['rtsp://h/a?q=1', 'rtsp://h/a?q=1/', 'trackID=1', 'rtsp://h/a?q=1/trackID=1'],
  ['rtsp://h/a?q=1', 'rtsp://h/a?q=1', 'trackID=1', 'rtsp://h/a?q=1/trackID=1'],
  ['rtsp://h/a', 'rtsp://10.0.0.1:554/a/', 'stream=0', 'rtsp://10.0.0.1:554/a/stream=0'],
  ['rtsp://h/a', 'rtsp://h/b/', '*', 'rtsp://h/b/'],
  ['rtsp://h/a', 'rtsp://h/b/', null, 'rtsp://h/b/'],
  ['rtsp://h/a', '', 'trackID=1', 'rtsp://h/a/trackID=1'],
  ['rtsp://h/a/x', '/b/', 'trackID=1', 'rtsp://h/b/trackID=1'],
  ['rtsp://h/a', null, '/trackID=1', 'rtsp://h/a/trackID=1'],
  ['rtsp://h/a/', null, '/trackID=1', 'rtsp://h/a/trackID=1'],
  ['rtsp://h/a/b', null, '/a/b/trackID=1', 'rtsp://h/a/b/trackID=1'],
  ['rtsp://h/a/b', 'rtsp://h/a/b/', '/a/b/trackID=1', 'rtsp://h/a/b/trackID=1'],
];

for (const [asked, base, control, expected] of tracks) {
  test(`of ${asked} with base ${base} and control ${control}, ${expected} is set up`, () => {
    assert.equal(trackAddress(asked, base, control), expected);
  });
}
