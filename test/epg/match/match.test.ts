import assert from 'node:assert/strict';
import { test } from 'node:test';
import { match, policy } from '../../../src/epg/match/match.js';
import { indexTargets } from '../../../src/epg/match/targets.js';
import { readWanted, SharedKeys } from '../../../src/epg/match/wanted.js';
import type { MatchChannel, MatchTarget } from '../../../src/model/guide-match.js';

/** Guide channels by id, with their names; `near` is 10 unless the id is in `empty`. */
function guide(names: Readonly<Record<string, string>>, empty: readonly string[] = []): MatchTarget[] {
  return Object.entries(names).map(([guideId, text]) => ({
    guideId,
    names: text.split('|'),
    near: empty.includes(guideId) ? 0 : 10,
  }));
}

function find(
  channel: Partial<MatchChannel> & { readonly name: string },
  targets: readonly MatchTarget[],
  rejected: readonly string[] = [],
) {
  const whole = { channel: 1, saidNames: [channel.name], tvgId: null, groups: [], radio: false, ...channel };
  return match(readWanted(whole), indexTargets(7, targets), {
    policy,
    rejected: new Set(rejected),
    isShared: false,
  });
}

/** The id that it is linked to, or why not and what is in the queue. */
function told(found: ReturnType<typeof find>): string {
  if (found.state === 'accepted') return found.candidate.guideId;
  return found.state === 'none' ? 'none' : `${found.why}: ${found.candidates.map(({ guideId }) => guideId).join(' ')}`;
}

test('an id that is the tvg-id but for case is linked, whatever the names (M31)', () => {
  const found = find({ name: 'A', tvgId: 'ChA.UK' }, guide({ 'cha.uk': 'Something else', 'b.uk': 'B' }));
  assert.equal(told(found), 'cha.uk');
  assert.ok(found.state === 'accepted');
  assert.deepEqual(found.candidate.reasons.slice(0, 1), ["Its id is the channel's tvg-id."]);
  assert.equal(found.candidate.guideSource, 7);
});

test('of ids that differ in the feed behind an @ alone, the very one is linked, and one without is where it is the only one', () => {
  const feeds = guide({ 'BBCOne.uk@London': 'London', 'BBCOne.uk@Wales': 'Wales' });
  assert.equal(told(find({ name: 'A', tvgId: 'bbcone.uk@wales' }, feeds)), 'BBCOne.uk@Wales');
  assert.match(told(find({ name: 'A', tvgId: 'BBCOne.uk' }, feeds)), /^ambiguous: /);
  assert.equal(told(find({ name: 'BBC 1', tvgId: 'BBCOne.uk@HD' }, guide({ 'BBCOne.uk': 'BBC One' }))), 'BBCOne.uk');
  assert.equal(told(find({ name: 'A', tvgId: 'BBCOne.uk' }, guide({ 'BBCOne.uk@HD': 'B' }))), 'BBCOne.uk@HD');
});

test('an id that contradicts a name which another channel has goes to the queue', () => {
  const found = find({ name: 'DE: ZDFneo', tvgId: 'ZDF.de' }, guide({ 'ZDF.de': 'ZDF', 'ZDFneo.de': 'ZDFneo' }));
  assert.equal(told(found), 'ambiguous: ZDF.de ZDFneo.de');
});

test('an id of another number of the same station goes to the queue with its veto', () => {
  const found = find({ name: 'Sky Sport 2', tvgId: 'ss.de' }, guide({ 'ss.de': 'Sky Sport 3' }));
  assert.equal(told(found), 'vetoed: ss.de');
  assert.ok(found.state === 'review');
  assert.deepEqual(found.candidates[0]?.vetoes, ['number']);
});

test('each of all display names counts, not the first alone', () => {
  assert.equal(told(find({ name: 'Das Erste' }, guide({ x1: 'ARD|Das Erste HD|1' }))), 'x1');
});

for (const [name, other] of [
  ['E4', 'E4 +1'],
  ['Sport 2', 'Sport 3'],
  ['CCTV-5', 'CCTV-5+'],
  ['HBO', 'HBO West'],
  ['ZDF', 'ZDFneo'],
  ['BBC One', 'BBC Radio 1'],
  ['Sky Cinema', 'Sky Cinema Premiere'],
  ['RTL', 'Super RTL'],
  ['Sport TV 1', 'Sport 1'],
  ['Sky Sport 1', 'Sky Sports 1'],
] as const) {
  test(`${name} is never linked to ${other}, nor the other way round`, () => {
    assert.notEqual(told(find({ name }, guide({ x: other }))), 'x');
    assert.notEqual(told(find({ name: other }, guide({ x: name }))), 'x');
  });
}

for (const [name, other] of [
  ['UK: Dave FHD', 'Dave'],
  ['RTL II', 'RTLZWEI'],
  ['央视一套', 'CCTV-1'],
  ['湖南卫视4K', '湖南卫视'],
  ['Chérie 25', 'CHERIE25'],
  ['BFM TV', 'BFMTV'],
  ['Discovery', 'Discovery Channel'],
  ['Film Four', 'Film4'],
] as const) {
  test(`${name} is ${other}`, () => {
    assert.equal(told(find({ name }, guide({ x: other }))), 'x');
    assert.equal(told(find({ name: other }, guide({ x: name }))), 'x');
  });
}

test('two stations of one name in two countries are told apart by what the channel says of its own', () => {
  const targets = guide({ 'NTV.tr': 'NTV', 'ntv.de': 'n-tv' });
  assert.equal(told(find({ name: 'NTV', groups: ['Turkey'] }, targets)), 'NTV.tr');
  assert.equal(told(find({ name: 'DE: NTV' }, targets)), 'ntv.de');
  assert.match(told(find({ name: 'NTV' }, targets)), /^(?:unsure|ambiguous): /);
});

test('a guide channel that is empty is not linked, but shown; its twin with programmes is', () => {
  assert.equal(told(find({ name: 'ZDF' }, guide({ a: 'ZDF' }, ['a']))), 'vetoed: a');
  assert.equal(told(find({ name: 'ZDF' }, guide({ a: 'ZDF', b: 'ZDF HD' }, ['a']))), 'b');
});

test('what was said no to is neither linked nor shown again', () => {
  assert.equal(told(find({ name: 'ZDF' }, guide({ 'ZDF.de': 'ZDF' }), ['zdf.de'])), 'none');
});

test('of a channel that stands twice in a guide, once for each quality, the one is taken that is written alike', () => {
  const targets = guide({ a: 'ARTE HD', b: 'ARTE', c: 'ARTE 4K' });
  assert.equal(told(find({ name: 'arte' }, targets)), 'b');
  assert.equal(told(find({ name: 'ARTE HD' }, targets)), 'a');
});

test('an id that stands at channels of four names is taken for none', () => {
  const shared = new SharedKeys();
  for (const name of ['A', 'B', 'C']) {
    shared.add(readWanted({ channel: 1, name, saidNames: [], tvgId: 'x.uk', groups: [], radio: false }));
  }
  assert.deepEqual([...shared.keys()], []);
  shared.add(readWanted({ channel: 4, name: 'D', saidNames: [], tvgId: 'x.uk', groups: [], radio: false }));
  assert.deepEqual([...shared.keys()], ['x.uk']);
});
