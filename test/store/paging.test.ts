import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeCursor, encodeCursor, toPage } from '../../src/store/paging.js';
import { setUp } from './fixture.js';

test('a cursor comes back as it was given', () => {
  for (const cursor of [[1], ['央视 "1"', null, 0.1], [-5, '']]) {
    const text = encodeCursor(cursor);
    assert.match(text, /^[\w-]+$/);
    assert.deepEqual(decodeCursor(text, cursor.length), cursor);
  }
  assert.equal(decodeCursor(null, 2), null);
});

test('a page that is asked for with what is no cursor is refused', async (t) => {
  const { store } = await setUp(t);
  const wrong = [
    '',
    'x',
    '%%%',
    encodeCursor([1, 2]),
    encodeCursor([null]),
    encodeCursor(['1']),
    Buffer.from('{"length":1}').toString('base64url'),
    Buffer.from('[{}]').toString('base64url'),
  ];
  for (const after of wrong) {
    await assert.rejects(store.editReads.changes({ after, limit: 1 }), { code: 'invalid' }, after);
    await assert.rejects(store.jobs.list({ after, limit: 1 }), { code: 'invalid' }, after);
  }
});

test('a page has a next one exactly when there are more rows', () => {
  const page = (rows: number[]) => toPage(rows, 2, (row) => [row], String);
  assert.deepEqual(page([]), { items: [], next: null });
  assert.deepEqual(page([1, 2]), { items: ['1', '2'], next: null });
  assert.deepEqual(page([1, 2, 3]), { items: ['1', '2'], next: encodeCursor([2]) });
});
