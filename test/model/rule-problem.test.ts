import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleAction, RuleField } from '../../src/model/rule.js';
import { ruleProblem } from '../../src/model/rule-problem.js';

const problem = (action: RuleAction, pattern = 'a', field: RuleField = 'name') =>
  ruleProblem({ match: { field, pattern }, action });
const hide: RuleAction = { kind: 'filter', hide: 'matching' };
const range = (from: number, to: number | null): RuleAction => ({ kind: 'number', from, to, keepProvider: true });

const good: [what: string, action: RuleAction, pattern?: string, field?: RuleField][] = [
  ['a rename', { kind: 'rename', replacement: '' }, '^UK: '],
  ['a filter by address', hide, '/shop/', 'url'],
  ['a group rule for all', { kind: 'group', add: ['All'] }, ''],
  ['a group rule that leaves no group', { kind: 'group', set: [] }],
  ['a range of one number', range(7, 7), '^Sport$', 'group'],
  ['a range without an end', range(100, null), ''],
  ['several repeats one after another', hide, '^(.*?)\\s*[\\[(].*?[\\])]\\s*(.*)$'],
  ['a repeat of words', hide, '^(?:(?:sport|news|film)\\s*)+$'],
];
for (const [what, action, pattern, field] of good) {
  test(`${what} is a rule`, () => assert.equal(problem(action, pattern, field), null));
}

const bad: [what: string, message: RegExp, action: RuleAction, pattern?: string, field?: RuleField][] = [
  ['a pattern that ends too early', /^The pattern is not a regular expression\. .*Unterminated group\.$/, hide, '('],
  ['a pattern with a line feed in it', /^The pattern is not a regular expression\. [^\n]*$/, hide, '(\n'],
  ['a pattern of 1,001 characters', /longer than 1000 characters/, hide, 'a'.repeat(1001)],
  ['a repeat inside a repeat', /takes too long/, hide, '(a+)+$'],
  ['a repeat inside a repeat of a class', /takes too long/, hide, '^(\\w+\\s?)*$'],
  ['a repeat of two ways to match the same', /takes too long/, hide, '^(bc|b|c)*$'],
  ['twenty repeats of the same', /takes too long/, hide, '^(.*){20}x$'],
  ['a rename of what stands in another field', /field to "name"/, { kind: 'rename', replacement: 'b' }, 'a', 'group'],
  ['a rename of nothing', /needs a pattern/, { kind: 'rename', replacement: 'b' }, ''],
  ['a replacement of 201 characters', /longer than 200/, { kind: 'rename', replacement: 'b'.repeat(201) }],
  ['a filter without a pattern', /needs a pattern/, hide, ''],
  ['a group rule without groups', /changes no group/, { kind: 'group', add: [], remove: [] }],
  ['a group without a name', /name of a group is empty/, { kind: 'group', add: ['A', ' '] }],
  ['a range that ends before it begins', /range from 9 to 8 is empty/, range(9, 8)],
  ['a range from zero', /from 1 to 999999/, range(0, 8)],
  ['a range of parts', /whole numbers/, range(7.1, 7.9)],
  ['a range beyond a million', /from 1 to 999999/, range(1, 1_000_000)],
];
for (const [what, message, action, pattern, field] of bad) {
  test(`${what} is refused in one line that says why`, () => {
    const said = problem(action, pattern, field) ?? '';
    assert.match(said, message);
    assert.doesNotMatch(said, /\n/);
  });
}
