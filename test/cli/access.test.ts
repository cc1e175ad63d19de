import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tempDir } from '../support/temp.js';
import { runWeir } from '../support/weir.js';

test('a new key is printed alone on standard output, and what it is on standard error', (t) => {
  const data = tempDir(t);
  const { code, out, err } = runWeir('key', 'new', '--data', data, '--name', 'my phone', '--scope', 'read');
  assert.equal(code, 0, err);
  assert.match(out, /^[\w-]{20,}\n$/);
  assert.match(err, /^Key 1 \(my phone, read\)[^\n]+\n$/);
  assert.ok(!err.includes(out.trim()));
});

test('a key is listed without its secret, and as revoked once it is', (t) => {
  const data = tempDir(t);
  const secrets = [
    runWeir('key', 'new', '--data', data),
    runWeir('key', 'new', '--data', data, '--name', 'b', '--scope', 'edit'),
  ];
  const before = runWeir('key', 'list', '--data', data);
  assert.match(
    before.out,
    /^ID +NAME +SCOPE +CREATED \(UTC\) +REVOKED \(UTC\)\n1 +unnamed +admin +\S+ \S+\n2 +b +edit +\S+ \S+\n$/,
  );
  for (const { out } of secrets) assert.ok(!before.out.includes(out.trim()));
  assert.deepEqual(runWeir('key', 'revoke', '1', '--data', data), { code: 0, out: 'Key 1 is revoked.\n', err: '' });
  assert.match(
    runWeir('key', 'list', '--data', data).out,
    /\n1 +unnamed +admin +\S+ \S+ +\S+ \S+\n2 +b +edit +\S+ \S+\n$/,
  );
  for (const id of ['1', '9']) {
    const again = runWeir('key', 'revoke', id, '--data', data);
    assert.equal(again.code, 1);
    assert.equal(again.err, `weir: There is no valid key ${id}. See weir key list.\n`);
  }
});

test('tokens are made, listed and revoked alike', (t) => {
  const data = tempDir(t);
  const { out, err } = runWeir('token', 'new', '--data', data, '--name', 'grandma');
  assert.match(out, /^[\w-]{20,}\n$/);
  assert.match(err, /^Token 1 \(grandma\)[^\n]+\n$/);
  const list = runWeir('token', 'list', '--data', data).out;
  assert.match(list, /^ID +NAME +CREATED \(UTC\) +REVOKED \(UTC\)\n1 +grandma +\S+ \S+\n$/);
  assert.ok(!list.includes(out.trim()));
  assert.equal(runWeir('token', 'revoke', '1', '--data', data).out, 'Token 1 is revoked.\n');
  assert.equal(runWeir('token', 'revoke', '1', '--data', data).code, 1);
});
