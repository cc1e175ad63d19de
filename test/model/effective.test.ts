import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ChannelOverride } from '../../src/model/channel.js';
import { effective } from '../../src/model/effective.js';
import { compileRules } from '../../src/model/rules.js';
import { nothingSet, rule, ruled, said } from './rule-support.js';

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const textOrNull = fc.option(text);
const anySaid = fc.record({
  name: text,
  number: textOrNull,
  groups: fc.array(text, { maxLength: 3 }),
  logo: textOrNull,
  tvgId: textOrNull,
  radio: fc.boolean(),
  url: text,
});
const setText = fc.option(fc.string({ minLength: 1, maxLength: 12 }));
const anyOverride: fc.Arbitrary<ChannelOverride> = fc.record({
  name: setText,
  number: setText,
  logo: setText,
  groups: fc.option(fc.array(text, { maxLength: 3 })),
  tvgId: setText,
  guideShift: fc.option(fc.integer()),
  hidden: fc.option(fc.boolean()),
  order: fc.option(fc.integer()),
  catchup: fc.constant(null),
  hints: fc.constant(null),
});

test('without rules and edits a channel is what the provider says, whether or not there is a row for edits', () => {
  fc.assert(
    fc.property(anySaid, (provider) => {
      const { name, number, groups, logo, tvgId, radio } = provider;
      const expected = {
        name,
        number,
        groups,
        logo,
        tvgId,
        radio,
        guideShift: null,
        hidden: false,
        order: null,
        hints: null,
      };
      const untouched = compileRules([]).apply(1, provider);
      assert.deepEqual(effective(provider, untouched, null, null), expected);
      assert.deepEqual(effective(provider, untouched, null, nothingSet), expected);
    }),
  );
});

test('each value that is set stands whatever provider and rules say, and each that is not follows them', () => {
  fc.assert(
    fc.property(anySaid, anySaid, textOrNull, anyOverride, (provider, made, ruleNumber, override) => {
      const rules = ruled({ ...made, hidden: made.radio });
      const followed = effective(provider, rules, ruleNumber, null);
      const shown = effective(provider, rules, ruleNumber, override);
      const fields = ['name', 'number', 'logo', 'groups', 'tvgId', 'guideShift', 'hidden', 'order', 'hints'] as const;
      for (const field of fields) assert.deepEqual(shown[field], override[field] ?? followed[field], field);
    }),
  );
});

test('a value of the user goes before the rules, which go before the provider', () => {
  const provider = said({ name: 'UK: News', number: '7', groups: ['A'] });
  const rules = compileRules([
    rule({ kind: 'rename', replacement: '' }, '^UK:'),
    rule({ kind: 'group', set: ['B'] }),
    rule({ kind: 'filter', hide: 'matching' }, 'news'),
  ]).apply(1, provider);
  const made = effective(provider, rules, '100', null);
  assert.deepEqual([made.name, made.number, made.groups, made.hidden], ['News', '100', ['B'], true]);
  const mine = { ...nothingSet, name: 'Mine', number: '7.10', groups: [], hidden: false };
  const shown = effective(provider, rules, '100', mine);
  assert.deepEqual([shown.name, shown.number, shown.groups, shown.hidden], ['Mine', '7.10', [], false]);
});

test('a number, logo or guide id set to the empty text is none, and an empty name follows the provider', () => {
  const provider = said({ name: 'News', number: '7', logo: 'http://l.example/7.png', tvgId: 'news' });
  const shown = effective(provider, ruled(provider), '8', { ...nothingSet, name: '', number: '', logo: '', tvgId: '' });
  assert.deepEqual([shown.name, shown.number, shown.logo, shown.tvgId], ['News', null, null, null]);
});
