import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problems } from '../../../src/epg/read/problems.js';

test('problems of a kind are counted under the first of them, whoever met it first', () => {
  const problems = new Problems();
  problems.add('bad-time', 500, 'second');
  problems.add('truncated', null, 'end');
  problems.merge({ code: 'bad-time', offset: 100, message: 'first', count: 3 });
  problems.add('no-title', 200, 'other');
  assert.deepEqual(problems.all(), [
    { code: 'bad-time', offset: 100, message: 'first', count: 4 },
    { code: 'no-title', offset: 200, message: 'other', count: 1 },
    { code: 'truncated', offset: null, message: 'end', count: 1 },
  ]);
  assert.deepEqual(problems.counts(), { 'bad-time': 4, 'no-title': 1, truncated: 1 });
});
