import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { allocateNumbers, compareNumbers, keepsNumber, type Wanting, wantsNumber } from '../../src/model/numbering.js';

const range = (from: number, to: number | null, keepProvider = false, rule = 1) => ({ rule, from, to, keepProvider });
const wanting = (numbering: Wanting['numbering'], ...channels: number[]): Wanting[] =>
  channels.map((channel) => ({ channel, numbering, providerNumber: null }));
const allocate = (taken: readonly string[], asking: readonly Wanting[]) => {
  const { given, without } = allocateNumbers(new Set(taken), asking);
  return { given: Object.fromEntries(given), without: Object.fromEntries(without) };
};

test('channels are given the next free numbers of the range in their order', () => {
  assert.deepEqual(allocate(['101', '103'], wanting(range(100, null), 5, 3, 9)), {
    given: { 5: '100', 3: '102', 9: '104' },
    without: {},
  });
});

test('a number with a part behind the point does not take the whole one, and one that players read alike does', () => {
  assert.deepEqual(allocate(['7.1', '7.10', '8-1', 'A9', '09', '10.0'], wanting(range(7, null), 1, 2, 3)).given, {
    1: '7',
    2: '8',
    3: '11',
  });
});

test('channels beyond the end of a range are left without, and counted by rule', () => {
  const asking = [...wanting(range(1, 2), 1, 2, 3, 4), ...wanting(range(2, 3, false, 2), 5, 6)];
  assert.deepEqual(allocate([], asking), { given: { 1: '1', 2: '2', 5: '3' }, without: { 1: 2, 2: 1 } });
});

test('a channel that the provider numbers keeps that where the rule says so, and its number is not given to another', () => {
  const asking = [
    { channel: 1, numbering: range(7, null, true), providerNumber: null },
    { channel: 2, numbering: range(7, null, true), providerNumber: '7' },
    { channel: 3, numbering: range(7, null, false, 2), providerNumber: '8' },
  ];
  assert.deepEqual(allocate([], asking).given, { 1: '8', 3: '9' });
});

test('a channel of several entries is given one number', () => {
  assert.deepEqual(allocate([], wanting(range(1, 2), 4, 4, 5)), { given: { 4: '1', 5: '2' }, without: {} });
});

test('a number once given is kept while a rule still takes the channel and holds it', () => {
  assert.equal(keepsNumber('105', range(100, 199), '7'), true);
  assert.equal(keepsNumber('105', range(100, null), null), true);
  assert.equal(keepsNumber('205', range(100, 199), null), false);
  assert.equal(keepsNumber('105', range(100, 199, true), '7'), false);
  assert.equal(keepsNumber('105', null, null), false);
  assert.equal(wantsNumber(range(1, 2, true), null), true);
});

test('whatever is taken and asked for: numbers are free, in their range, given once, and the next time none is left to give', () => {
  const number = fc.oneof(fc.integer({ min: 1, max: 12 }).map(String), fc.constantFrom('7.1', '07', '3.0', 'A1', ''));
  const ranges = fc.record({
    rule: fc.integer({ min: 1, max: 3 }),
    from: fc.integer({ min: 1, max: 12 }),
    to: fc.option(fc.integer({ min: 1, max: 14 })),
    keepProvider: fc.boolean(),
  });
  const asked = fc.uniqueArray(
    fc.record({ channel: fc.integer({ min: 1, max: 20 }), numbering: ranges, providerNumber: fc.option(number) }),
    { selector: ({ channel }) => channel, maxLength: 15 },
  );
  fc.assert(
    fc.property(fc.uniqueArray(number, { maxLength: 8 }), asked, (taken, all) => {
      // A rule has one range.
      const rules = new Map(all.map(({ numbering }) => [numbering.rule, numbering]));
      const asking = all.map((one) => ({ ...one, numbering: rules.get(one.numbering.rule) ?? one.numbering }));
      const { given, without } = allocateNumbers(new Set(taken), asking);
      const numbers = [...given.values()];
      assert.equal(new Set(numbers).size, numbers.length);
      assert.ok(numbers.every((one) => !taken.includes(one)));
      for (const { channel, numbering, providerNumber } of asking) {
        const mine = given.get(channel);
        if (mine !== undefined) assert.ok(keepsNumber(mine, numbering, providerNumber));
      }
      const rest = asking.filter(({ channel }) => !given.has(channel));
      const again = allocateNumbers(new Set([...taken, ...numbers]), rest);
      assert.deepEqual([again.given.size, again.without], [0, without]);
    }),
    { numRuns: 1000 },
  );
});

test('numbers are ordered as people count, and what is no number comes last', () => {
  const sorted = ['7', '7.1', '7.2', '7.10', '07.10', '7-11', '10', '10.0', '100', 'A', 'A2', 'A10', 'B'];
  assert.deepEqual(['B', ...sorted.toReversed().slice(1)].sort(compareNumbers), [
    ...['7', '7.1', '7.2', '07.10', '7.10', '7-11', '10', '10.0', '100', 'A', 'A2', 'A10', 'B'],
  ]);
});

test('the order of numbers is total: sorting from any order gives the same, and only equal texts are equal', () => {
  const part = fc.integer({ min: 0, max: 12 });
  const number = fc.oneof(
    part.map(String),
    fc.tuple(part, fc.constantFrom('.', '-', '.0'), part).map((parts) => parts.join('')),
    fc.string({ unit: fc.constantFrom('a', 'A', 'ä', '1', '0', '.', ' '), maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 12 }), fc.infiniteStream(fc.nat()), (numbers, chance) => {
      const shuffled = numbers.map((one) => ({ one, at: chance.next().value ?? 0 })).sort((a, b) => a.at - b.at);
      const sorted = numbers.toSorted(compareNumbers);
      assert.deepEqual(shuffled.map(({ one }) => one).sort(compareNumbers), sorted);
      for (const a of numbers) for (const b of numbers) assert.equal(compareNumbers(a, b) === 0, a === b);
    }),
    { numRuns: 1000 },
  );
});
