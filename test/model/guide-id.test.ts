import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GuideIdentity, guideIds } from '../../src/model/guide-id.js';

const named = (...tvgIds: readonly (string | null)[]): GuideIdentity[] =>
  tvgIds.map((tvgId, index) => ({ channel: index + 1, key: `key${index + 1}`, tvgId, guideShift: null }));
const idsOf = (channels: readonly GuideIdentity[], shows: Readonly<Record<number, string>> = {}) => {
  const ids = guideIds(channels, (asked) => new Map(asked.map((channel) => [channel, shows[channel] ?? ''])));
  return channels.map(({ channel }) => ids.get(channel));
};

test('a channel has its own guide id, written as lists can hold it, and its key without one', () => {
  assert.deepEqual(idsOf(named('ChA.UK', null, ' ', 'a "b"')), ['ChA.UK', 'key2', 'key3', "a 'b'"]);
});

test('ids that mean none give each channel its key (M14, X26)', () => {
  assert.deepEqual(idsOf(named('0', '0', '0')), ['key1', 'key2', 'key3']);
  assert.deepEqual(idsOf(named('(no tvg-id)', 'No tvg-id', 'none', 'N/A')), ['key1', 'key2', 'key3', 'key4']);
});

test('channels with one id in any case that show the same share it as the oldest writes it', () => {
  const channels = named('ChA.UK', 'cha.uk', 'CHA.uk');
  const shows = { 1: 'A', 2: 'A', 3: 'A' };
  assert.deepEqual(idsOf(channels, shows), ['ChA.UK', 'ChA.UK', 'ChA.UK']);
  assert.deepEqual(idsOf(channels.toReversed(), shows), ['ChA.UK', 'ChA.UK', 'ChA.UK']);
});

test('of channels with one id that show something else, the oldest that shows anything keeps it', () => {
  const shows = { 2: 'guide A', 3: 'guide B', 4: 'guide A' };
  const channels = named('x', 'X', 'x', 'x', 'y');
  assert.deepEqual(idsOf(channels, shows), ['key1', 'X', 'key3', 'X', 'y']);
  assert.deepEqual(idsOf(channels.toReversed(), shows), ['y', 'X', 'key3', 'X', 'key1']);
});

test('channels that show nothing keep their ids, whoever else has them', () => {
  assert.deepEqual(idsOf(named('x', 'X', 'x')), ['x', 'X', 'x']);
});

test('a shift of its own makes another guide of the same one, and nothing of none', () => {
  const [one, other, third] = named('x', 'x', 'x');
  assert.ok(one && other && third);
  const channels = [one, { ...other, guideShift: 3600 }, { ...third, guideShift: 0 }];
  assert.deepEqual(idsOf(channels, { 1: 'A', 2: 'A', 3: 'A' }), ['x', 'key2', 'x']);
  assert.deepEqual(idsOf(channels), ['x', 'x', 'x']);
});
