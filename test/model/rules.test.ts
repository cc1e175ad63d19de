import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Rule, RuleAction } from '../../src/model/rule.js';
import { compileRules, type Said } from '../../src/model/rules.js';
import { rule, said } from './rule-support.js';

const hide = { kind: 'filter', hide: 'matching' } as const;
const range = (from: number, to: number | null = null, keepProvider = false) =>
  ({ kind: 'number', from, to, keepProvider }) as const;
const run = (rules: readonly Rule[], some: Partial<Said>, source = 1) => compileRules(rules).apply(source, said(some));

const renames: { what: string; pattern: string; replacement: string; name: string; becomes: string }[] = [
  {
    what: 'a prefix that is cut off leaves no blank',
    pattern: '^UK:',
    replacement: '',
    name: 'UK: BBC One',
    becomes: 'BBC One',
  },
  { what: 'each match is replaced, in any case', pattern: 'hd', replacement: '', name: 'HD News HD', becomes: 'News' },
  {
    what: 'what is cut out leaves no doubled blank',
    pattern: 'HD',
    replacement: '',
    name: 'BBC HD One',
    becomes: 'BBC One',
  },
  {
    what: 'parts of the match can be used',
    pattern: '^(\\w+) (\\d+)$',
    replacement: '$2: $1',
    name: 'Sport 2',
    becomes: '2: Sport',
  },
  {
    what: 'named parts can be used',
    pattern: '(?<last>\\p{L}+)$',
    replacement: '<$<last>>',
    name: 'Das Erste',
    becomes: 'Das <Erste>',
  },
  { what: 'Chinese is matched', pattern: '综合$', replacement: '', name: 'CCTV-1 综合', becomes: 'CCTV-1' },
  {
    what: 'a name that nothing would be left of stays',
    pattern: '.*',
    replacement: ' ',
    name: 'News',
    becomes: 'News',
  },
  {
    what: 'a name that would become longer than 500 characters stays',
    pattern: '.',
    replacement: '$&'.repeat(100),
    name: 'abcdef',
    becomes: 'abcdef',
  },
  {
    what: 'a name without a match keeps its blanks',
    pattern: 'x',
    replacement: 'y',
    name: ' A  B ',
    becomes: ' A  B ',
  },
];
for (const { what, pattern, replacement, name, becomes } of renames) {
  test(`rename: ${what}`, () =>
    assert.equal(run([rule({ kind: 'rename', replacement }, pattern)], { name }).name, becomes));
}

test('a filter hides what matches, or all that does not', () => {
  const others = { kind: 'filter', hide: 'others' } as const;
  assert.equal(run([rule(hide, 'shop')], { name: 'Teleshop' }).hidden, true);
  assert.equal(run([rule(hide, 'shop')], { name: 'News' }).hidden, false);
  assert.equal(run([rule(others, 'shop')], { name: 'Teleshop' }).hidden, false);
  assert.equal(run([rule(others, 'shop')], { name: 'News' }).hidden, true);
});

test('a pattern is looked for in the field that the rule names, and any of several groups is enough', () => {
  const entry = { name: 'one', groups: ['two', 'three'], tvgId: 'four', url: 'http://five/' };
  const hits = (field: 'name' | 'group' | 'tvgId' | 'url', pattern: string) =>
    run([rule(hide, pattern, { field })], entry).hidden;
  const words = ['one', 'two', 'THREE', 'four', 'five'];
  assert.deepEqual(
    words.map((word) => hits('name', word)),
    [true, false, false, false, false],
  );
  assert.deepEqual(
    words.map((word) => hits('group', word)),
    [false, true, true, false, false],
  );
  assert.deepEqual(
    words.map((word) => hits('tvgId', word)),
    [false, false, false, true, false],
  );
  assert.deepEqual(
    words.map((word) => hits('url', word)),
    [false, false, false, false, true],
  );
});

test('^$ finds entries without a group or a guide id, and an empty pattern finds all', () => {
  assert.equal(run([rule(hide, '^$', { field: 'group' })], { groups: [] }).hidden, true);
  assert.equal(run([rule(hide, '^$', { field: 'group' })], { groups: ['A'] }).hidden, false);
  assert.equal(run([rule(hide, '^$', { field: 'tvgId' })], { tvgId: null }).hidden, true);
  assert.deepEqual(run([rule({ kind: 'group', add: ['All'] }, '', { field: 'tvgId' })], {}).groups, ['All']);
});

test('groups are set, then removed, then added, each once', () => {
  const groups = (action: Omit<Extract<RuleAction, { kind: 'group' }>, 'kind'>) =>
    run([rule({ kind: 'group', ...action })], { groups: ['A', 'B'] }).groups;
  assert.deepEqual(groups({ set: ['C'] }), ['C']);
  assert.deepEqual(groups({ set: [] }), []);
  assert.deepEqual(groups({ add: ['B', 'C', 'C'] }), ['A', 'B', 'C']);
  assert.deepEqual(groups({ remove: ['A', 'X'] }), ['B']);
  assert.deepEqual(groups({ set: ['A', 'D'], remove: ['A', 'E'], add: ['E'] }), ['D', 'E']);
});

test('rules run in the order of their positions, and each sees what those before made of an entry', () => {
  const rules = [
    rule({ kind: 'rename', replacement: 'C' }, '^B$', { position: 20 }),
    rule({ kind: 'rename', replacement: 'B' }, '^A$', { position: 10.5 }),
    rule({ kind: 'group', set: ['G'] }, '^C$', { position: 30 }),
    rule(hide, '^G$', { field: 'group', position: 40 }),
  ];
  assert.deepEqual(run(rules, { name: 'A' }), {
    name: 'C',
    number: null,
    groups: ['G'],
    hidden: true,
    numbering: null,
  });
});

test('a rule that is off does nothing, and one for a source touches that source alone', () => {
  const off = rule(hide, '', { enabled: false });
  const ofTwo = rule({ kind: 'group', set: ['Two'] }, '', { source: 2 });
  assert.deepEqual(run([off, ofTwo], { groups: ['A'] }, 1).groups, ['A']);
  assert.deepEqual(run([off, ofTwo], { groups: ['A'] }, 2), {
    name: 'A',
    number: null,
    groups: ['Two'],
    hidden: false,
    numbering: null,
  });
});

test('the first numbering rule that takes a channel is the only one, and the provider number stays where it is to be kept', () => {
  const sport = rule(range(100, 199), 'sport', { field: 'group' });
  const all = rule(range(500, null, true));
  const numbering = (groups: string[]) => {
    const { number, numbering } = run([sport, all], { groups, number: '7' });
    return [number, numbering];
  };
  assert.deepEqual(numbering(['Sport']), [null, { rule: sport.id, from: 100, to: 199, keepProvider: false }]);
  assert.deepEqual(numbering(['News']), ['7', { rule: all.id, from: 500, to: null, keepProvider: true }]);
});

test('a pattern that no engine reads starts switched off with the reason, and the others run', () => {
  const bad = rule(hide, '(');
  const rules = compileRules([bad, rule({ kind: 'group', set: ['G'] })]);
  assert.deepEqual(rules.apply(1, said({})).groups, ['G']);
  assert.deepEqual(
    rules.switchedOff.map((off) => off.rule),
    [bad.id],
  );
  assert.match(rules.switchedOff[0]?.reason ?? '', /^Its pattern cannot be used: .*Unterminated group\.$/);
});

test('a pattern that would run for ever is interrupted and its rule switched off; the others, and entries after it, are done', () => {
  const slow = [rule({ kind: 'rename', replacement: 'x' }, '(a+)+$'), rule(hide, '^(\\w+\\s?)*!$')];
  const rules = compileRules([
    rule({ kind: 'group', set: ['G'] }),
    ...slow,
    rule({ kind: 'rename', replacement: 'B' }, 'b'),
  ]);
  const names = ['aaa', `${'a'.repeat(60)}b`, 'b'];
  const start = performance.now();
  const made = rules.applyAll(
    1,
    names.map((name) => said({ name })),
  );
  const took = performance.now() - start;
  assert.deepEqual(
    made.map(({ name }) => name),
    ['aaa', `${'a'.repeat(60)}B`, 'B'],
  );
  assert.ok(made.every(({ groups, hidden }) => groups[0] === 'G' && !hidden));
  assert.deepEqual(
    rules.switchedOff.map((off) => off.rule),
    slow.map(({ id }) => id),
  );
  assert.match(rules.switchedOff[0]?.reason ?? '', /takes too long/);
  assert.ok(took < 10_000, `${took} ms`);
  assert.equal(rules.applyAll(1, [said({ name: `${'a'.repeat(60)}!` })])[0]?.name, `${'a'.repeat(60)}!`);
});

test('a pattern that is slow on each name, but for ever on none, is switched off before it has cost some seconds', () => {
  const slow = rule(hide, '(.*)(.*)(.*)(.*)(.*)[^x]x$');
  const rules = compileRules([slow]);
  const page = Array.from({ length: 50 }, (_, index) => said({ name: `${'ab '.repeat(15)}${index}` }));
  const start = performance.now();
  for (let pages = 0; pages < 2000 && rules.switchedOff.length === 0; pages += 1) rules.applyAll(1, page);
  assert.deepEqual(
    rules.switchedOff.map((off) => off.rule),
    [slow.id],
  );
  assert.ok(performance.now() - start < 10_000);
});

const anyRules = fc.array(
  fc.constantFrom(
    () => rule({ kind: 'rename', replacement: 'b' }, 'a'),
    () => rule({ kind: 'rename', replacement: 'c$1' }, '(b)'),
    () => rule({ kind: 'group', add: ['x'] }, 'c'),
    () => rule({ kind: 'group', remove: ['y'] }, 'x', { field: 'group' }),
    () => rule(hide, 'bb'),
    () => rule(range(1, 9), 'c'),
    () => rule(range(10), '', { source: 2 }),
  ),
  { maxLength: 6 },
);
const anyNames = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), minLength: 1, maxLength: 4 }), {
  maxLength: 6,
});

test('entries are worked on one by one or many at a time, rules given in any order: the same comes out', () => {
  fc.assert(
    fc.property(anyRules, anyNames, fc.constantFrom(1, 2), (makes, names, source) => {
      const rules = makes.map((make) => make());
      const entries = names.map((name) => said({ name, groups: ['y'], number: '5' }));
      const together = compileRules(rules).applyAll(source, entries);
      const set = compileRules(rules.toReversed());
      assert.deepEqual(
        entries.map((entry) => set.apply(source, entry)),
        together,
      );
    }),
    { numRuns: 50 },
  );
});
