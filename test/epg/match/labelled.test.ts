import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match, policy } from '../../../src/epg/match/match.js';
import { type GuideIndex, indexTargets } from '../../../src/epg/match/targets.js';
import { readWanted } from '../../../src/epg/match/wanted.js';
import type { MatchChannel } from '../../../src/model/guide-match.js';
import { seeded } from '../../support/random.js';
import { type Labelled, readLabelled } from './labelled.js';

const { channels, targets } = readLabelled();

test('the labelled set has 400 channels that a guide has, and some that none has, of more than six countries', () => {
  assert.ok(channels.filter(({ is }) => is !== null).length >= 400);
  assert.ok(channels.filter(({ is }) => is === null).length >= 50);
  const suffixes = new Set(targets.flatMap(({ guideId }) => /\.(\w\w)$/.exec(guideId)?.[1] ?? []));
  assert.ok(suffixes.size >= 12, [...suffixes].join(' '));
});

test('against one guide of all countries no wrong link is accepted, and 95 in 100 are linked or first in the queue', () => {
  const result = judge(channels, indexTargets(1, targets));
  print('one guide of all', result);
  assert.deepEqual(result.wrong, []);
  assert.ok(result.found / result.clear >= 0.95, result.missed.join('\n'));
  assert.ok(result.linked / result.clear >= 0.9, result.missed.join('\n'));
});

test('against the guide of their own countries the same holds', () => {
  for (const file of new Set(channels.map((one) => one.file))) {
    const own = channels.filter((one) => one.file === file);
    const result = judge(own, indexTargets(1, ofFile(file)));
    print(file, result);
    assert.deepEqual(result.wrong, [], file);
    assert.ok(result.found / result.clear >= 0.95, `${file}\n${result.missed.join('\n')}`);
  }
});

test('against guides of other countries no channel that says its country is linked', () => {
  for (const file of new Set(channels.map((one) => one.file))) {
    const others = indexTargets(
      1,
      targets.filter((one) => one.file !== file),
    );
    const absent = channels.filter((one) => one.file === file).map((one) => ({ ...one, is: null }));
    assert.deepEqual(judge(absent, others).wrong, [], file);
  }
});

test('without a word of the country no link to another station of the same guide is accepted', () => {
  const bare = channels.map((one) => ({ ...one, channel: { ...one.channel, groups: [], tvgId: null } }));
  for (const file of new Set(channels.map((one) => one.file))) {
    const own = bare.filter((one) => one.file === file);
    assert.deepEqual(judge(own, indexTargets(1, ofFile(file))).wrong, [], file);
  }
});

test('the order of the guide and of the names plays no part', () => {
  const expected = answers(indexTargets(1, targets));
  for (const seed of [1, 2, 3]) {
    const random = seeded(seed);
    const shuffled = targets.map((target) => ({ target, at: random() })).sort((a, b) => a.at - b.at);
    const reversed = shuffled.map(({ target }) => ({ ...target, names: target.names.toReversed() }));
    const found = answers(indexTargets(1, reversed));
    assert.deepEqual([...found.keys()], [...expected.keys()]);
    for (const [channel, answer] of found) assert.equal(answer, expected.get(channel), `channel ${channel}`);
  }
});

function ofFile(file: string) {
  return targets.filter((one) => one.file === file);
}

function find(channel: MatchChannel, index: GuideIndex) {
  return match(readWanted(channel), index, { policy, rejected: new Set(), isShared: false });
}

function answers(index: GuideIndex): Map<number, string> {
  return new Map(
    channels.map(({ channel }) => {
      const found = find(channel, index);
      const ids =
        found.state === 'none'
          ? []
          : found.state === 'accepted'
            ? [found.candidate.guideId]
            : found.candidates.map(({ guideId }) => guideId);
      return [channel.channel, [found.state, ...ids].join(' ')];
    }),
  );
}

/** What became of the channels: of those that are clear how many were linked, and linked or first in the queue. */
function judge(some: readonly Labelled[], index: GuideIndex) {
  const result = { clear: 0, linked: 0, found: 0, wrong: [] as string[], missed: [] as string[] };
  for (const { channel, is, isClear } of some) {
    const found = find(channel, index);
    const linked = found.state === 'accepted' ? found.candidate.guideId : null;
    const first = found.state === 'review' ? found.candidates[0]?.guideId : linked;
    if (linked !== null && linked !== is) result.wrong.push(`${channel.name} is not ${linked}`);
    if (is === null || !isClear) continue;
    result.clear += 1;
    result.linked += Number(linked === is);
    result.found += Number(first === is);
    if (linked !== is) result.missed.push(`${channel.name} is ${is}, found ${found.state} ${first ?? ''}`);
  }
  return result;
}

function print(what: string, { clear, linked, found, wrong }: ReturnType<typeof judge>): void {
  const share = ((found / clear) * 100).toFixed(1);
  console.log(`${what}: ${linked} of ${clear} linked, ${share} % linked or first in the queue, ${wrong.length} wrong`);
}
