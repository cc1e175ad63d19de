import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { DescriptorLimit } from '../../src/lib/descriptor-limit.js';
import { needs } from '../support/needs.js';

/** `prlimit` comes with `setpriv`, in util-linux. */
const skip = needs('setpriv');

test('the limit is near from eight below it on, also when it changes while we run', { skip }, (t) => {
  const limit = new DescriptorLimit();
  const before = openFiles();
  t.after(() => setOpenFiles(before));
  assert.equal(limit.isNear(500), false);
  setOpenFiles({ ...before, soft: '1000' });
  assert.equal(limit.isNear(991), false);
  assert.equal(limit.isNear(992), true);
  assert.equal(limit.isNear(500), false);
  setOpenFiles({ ...before, soft: '1100' });
  assert.equal(limit.isNear(992), false);
});

type Limits = { readonly soft: string; readonly hard: string };

function openFiles(): Limits {
  const columns = ['--nofile', '--output', 'SOFT,HARD', '--noheadings', '--raw'];
  const row = execFileSync('prlimit', ['--pid', String(process.pid), ...columns], { encoding: 'utf8' });
  const [soft = '', hard = ''] = row.trim().split(' ');
  return { soft, hard };
}

function setOpenFiles({ soft, hard }: Limits): void {
  execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:${hard}`]);
}
