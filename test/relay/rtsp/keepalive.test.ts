import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepaliveAfter, keepaliveEvery, keepaliveMethod } from '../../../src/relay/rtsp/keepalive.js';

test('a session is kept up at a third of its timeout, at least each 20 s, at most each 2 s', () => {
  assert.deepEqual([60, 120, 30, 10, 6, 1].map(keepaliveEvery), [20_000, 20_000, 10_000, 3_333, 2_000, 2_000]);
});

test('GET_PARAMETER is said unless the server lists what it knows without it', () => {
  assert.equal(keepaliveMethod(null), 'GET_PARAMETER');
  assert.equal(keepaliveMethod(new Set(['PLAY', 'GET_PARAMETER'])), 'GET_PARAMETER');
  assert.equal(keepaliveMethod(new Set(['PLAY'])), 'OPTIONS');
});

test('OPTIONS follows where GET_PARAMETER is not known, and nothing where something else is wrong', () => {
  assert.deepEqual(
    [454, 501, 405, 551].map((status) => keepaliveAfter('GET_PARAMETER', status)),
    ['OPTIONS', 'OPTIONS', 'OPTIONS', 'OPTIONS'],
  );
  assert.equal(keepaliveAfter('GET_PARAMETER', 401), null);
  assert.equal(keepaliveAfter('OPTIONS', 454), null);
});
