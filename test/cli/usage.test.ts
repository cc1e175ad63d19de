import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { version } from '../../src/lib/version.js';
import { tempDir } from '../support/temp.js';
import { runWeir } from '../support/weir.js';

const oneLine = /^weir: [^\n]+\n$/;

test('--version prints the version of the package', () => {
  assert.deepEqual(runWeir('--version'), { code: 0, out: `${version}\n`, err: '' });
});

test('--help names the commands, and that of a command its flags', () => {
  const all = runWeir('--help');
  assert.equal(all.code, 0);
  for (const command of ['serve', 'restart', 'key', 'token'])
    assert.match(all.out, new RegExp(`^ {2}${command} `, 'm'));
  const serve = runWeir('serve', '--help');
  for (const flag of ['--config', '--data', '--listen', '--playlist', '--interface', '--log'])
    assert.ok(serve.out.includes(flag), flag);
});

const misuses = [
  ['serves'],
  ['serve', '--port', '80'],
  ['serve', 'extra'],
  ['serve', '--data'],
  ['serve', '--listen', '70000'],
  ['serve', '--listen', 'host:80'],
  ['serve', '--log', 'loud'],
  ['key', 'new', '--scope', 'root'],
  ['key', 'revoke'],
  ['key', 'revoke', 'first'],
  ['token', 'make'],
];

for (const args of misuses) {
  test(`weir ${args.join(' ')} is wrong usage: one line and exit 2`, () => {
    const { code, out, err } = runWeir(...args);
    assert.equal(code, 2, err);
    assert.equal(out, '');
    assert.match(err, oneLine);
  });
}

test('weir alone shows its help and exits 2', () => {
  const { code, err } = runWeir();
  assert.equal(code, 2);
  assert.match(err, /^Usage: weir/);
});

test('a wrong configuration is one line that names file, line and fix, and exit 1, for every command', (t) => {
  const file = join(tempDir(t), 'weir.yaml');
  writeFileSync(file, 'data: x\nviewer: 5\n');
  for (const args of [['serve'], ['restart'], ['key', 'list'], ['token', 'new']]) {
    const { code, out, err } = runWeir(...args, '--config', file);
    assert.equal(code, 1, err);
    assert.equal(out, '');
    assert.match(err, oneLine);
    assert.ok(err.includes(`${file}, line 2, "viewer": there is no such key.`), err);
  }
});
