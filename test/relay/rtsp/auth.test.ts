import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorization,
  type Challenge,
  type Credentials,
  challenged,
  spent,
  strongest,
} from '../../../src/relay/rtsp/auth.js';

const account: Credentials = { user: 'Mufasa', password: 'Circle Of Life', challenge: null, count: 0 };

/** The challenge of a server, with a client nonce that is known. */
function asking(value: string, cnonce: string): Challenge {
  const challenge = strongest([value]);
  assert.ok(challenge !== null, value);
  return { ...challenge, cnonce };
}

function responseIn(text: string): string | undefined {
  return /response="([\da-f]+)"/.exec(text)?.[1];
}

const rfc2617 =
  'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';

test('the example of RFC 2617 §3.5 comes out as written there', () => {
  const challenge = asking(rfc2617, '0a4f113b');
  assert.equal(
    authorization({ ...account, challenge }, 'GET', '/dir/index.html'),
    'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", ' +
      'response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41", qop=auth, nc=00000001, cnonce="0a4f113b"',
  );
});

test('the example of RFC 2069 §2.4, which knows no qop, comes out as its erratum has it', () => {
  const challenge = asking('Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093"', 'unused');
  const text = authorization({ ...account, password: 'CircleOfLife', challenge }, 'GET', '/dir/index.html');
  assert.equal(responseIn(text), '1949323746fe6a43ef61f9606e7febea');
  assert.doesNotMatch(text, /nc=|cnonce=|qop=|algorithm=/);
});

for (const [algorithm, response] of [
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
] as const) {
  test(`the example of RFC 7616 §3.9.1 with ${algorithm} comes out as written there`, () => {
    const value = `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`;
    const challenge = asking(value, 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ');
    const text = authorization({ ...account, password: 'Circle of Life', challenge }, 'GET', '/dir/index.html');
    assert.equal(responseIn(text), response);
    assert.equal(/algorithm=([\w-]+)/.exec(text)?.[1] ?? 'MD5', algorithm);
  });
}

test('each use of a nonce has the next count, and the same client nonce', () => {
  const first: Credentials = { ...account, challenge: asking(rfc2617, 'c') };
  const texts = [first, spent(first), spent(first, 254)].map((credentials) =>
    authorization(credentials, 'PLAY', 'rtsp://h/'),
  );
  assert.deepEqual(
    texts.map((text) => /nc=(\w+), cnonce="(\w+)"/.exec(text)?.slice(1)),
    [
      ['00000001', 'c'],
      ['00000002', 'c'],
      ['000000ff', 'c'],
    ],
  );
  assert.equal(new Set(texts.map(responseIn)).size, 3);
});

test('an account that nobody asked for yet goes ahead as Basic', () => {
  assert.equal(
    authorization({ ...account, user: 'Aladdin', password: 'open sesame' }, 'OPTIONS', 'rtsp://h/'),
    'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
  );
});

test('of several challenges, in one field or more, the strongest that Weir knows is taken', () => {
  const chosen = (...values: string[]) => {
    const challenge = strongest(values);
    return challenge === null ? null : `${challenge.scheme} ${challenge.algorithm} ${challenge.realm}`;
  };
  const digest = (algorithm: string, more = '') =>
    `Digest realm="r, \\"x\\"", nonce="n", algorithm=${algorithm}${more}`;
  assert.equal(chosen('Basic realm="a"'), 'basic MD5 a');
  assert.equal(chosen(`Basic realm="a", ${digest('MD5')}`), 'digest MD5 r, "x"');
  assert.equal(chosen(digest('SHA-256'), digest('MD5')), 'digest SHA-256 r, "x"');
  assert.equal(chosen(digest('md5-SESS'), digest('SHA-512-256')), 'digest MD5-sess r, "x"');
  assert.equal(chosen(digest('MD5', ', qop="auth-int"'), 'Basic realm="b"'), 'basic MD5 b');
  assert.equal(chosen('Bearer realm="a"', 'Digest realm="a"', ''), null);
});

test('a nonce that is known goes on counting, and Basic is not tried twice', () => {
  const first = challenged(account, [rfc2617]);
  assert.equal(first?.count, 0);
  assert.ok(first !== null);
  assert.equal(challenged(spent(first, 3), [rfc2617])?.count, 3);
  assert.equal(challenged(spent(first, 3), [rfc2617.replace('dcd98', 'other')])?.count, 0);
  assert.equal(challenged(first, ['Basic realm="edge"'])?.challenge?.scheme, 'basic');
  assert.equal(challenged(account, ['Basic realm="a"']), null);
});
