import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namedClock } from '../../../src/lib/zone-clock.js';
import { expand } from '../../../src/relay/catchup/expand.js';
import { readTemplate } from '../../../src/relay/catchup/read-template.js';

const at = { start: 1_704_110_400, end: 1_704_114_000, now: 1_704_196_800 };
const shanghai = { zone: namedClock('Asia/Shanghai'), formatted: 'utc' } as const;

test('what nobody knows is told once each, as it is written', () => {
  const { unknown } = readTemplate(
    `?a={catchup-id}&b=$\{login}&c={catchup-id}&d={duration:0}&e={utc:}&f={utc}&g={(b)YmdHMS|PST}`,
  );
  assert.deepEqual(unknown, ['{catchup-id}', `$\{login}`, '{duration:0}', '{utc:}', '{(b)YmdHMS|PST}']);
});

test('headers are what stands behind the bar outside of placeholders, and a bar without headers is text', () => {
  const template = readTemplate(`http://h/?a=$\{(b)YmdHMS|UTC}|User-Agent=A%20b&Referer=http://r/?x=1`);
  assert.deepEqual(template.headers, { 'User-Agent': 'A b', Referer: 'http://r/?x=1' });
  assert.equal(expand(template, at, shanghai), 'http://h/?a=20240101120000');
  const odd = readTemplate('http://h/?a={utc}|b');
  assert.deepEqual(odd.headers, {});
  assert.equal(expand(odd, at, shanghai), 'http://h/?a=1704110400|b');
});

const ends: readonly (readonly [template: string, needed: boolean])[] = [
  ['?utc={utc}&lutc={lutc}', false],
  [`?playseek=$\{(b)YmdHMS}-$\{(e)YmdHMS}`, false],
  ['?tvdr={GMT:YmdHMS}GMT-{GMTend:YmdHMS}GMT', false],
  ['?playseek={utc}-{utcend}.ts', true],
  ['?s={utc}&e={utcend}', true],
  ['?d={duration:60}', true],
  ['http://h/{utc}-{utcend}', true],
];
for (const [template, needed] of ends)
  test(`${template} ${needed ? 'cannot' : 'can'} be filled without an end`, () => {
    assert.equal(readTemplate(template).needsEnd, needed);
  });

test('an end that is open is what the caller knows of it, where something must be written', () => {
  const template = readTemplate('?s={utc}&e={utcend}&d={duration}');
  const open = { ...at, end: null };
  assert.equal(expand(template, { ...open, openEnd: at.end + 60 }, shanghai), '?s=1704110400&e=1704114060&d=3660');
  assert.equal(expand(template, open, shanghai), '?s=1704110400&e=1704196800&d=86400');
});

test('parts of a second are left out, and the length is that of what is written', () => {
  const template = readTemplate('{utc} {utcend} {duration}');
  assert.equal(expand(template, { start: 100.9, end: 200.1, now: 300 }, shanghai), '100 200 100');
});

test('text without braces, bars and dollars comes out as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!/[{}$|]|%7B/i.test(text));
      assert.equal(expand(readTemplate(text), at, shanghai), text);
    }),
  );
});

const pieces = fc.constantFrom(
  '{',
  '}',
  '$',
  '|',
  '-',
  '(b)',
  '(e)',
  ':',
  'utc',
  'end',
  'YmdHMS',
  '%7B',
  '%7D',
  '%',
  '=',
  '&',
);

test('whatever a template is, it is filled; and where nobody knows anything of it, it stays', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 20 }), fc.boolean(), (parts, isOpen) => {
      const text = parts.join('');
      const template = readTemplate(text);
      const filled = expand(template, isOpen ? { ...at, end: null } : at, shanghai);
      const isPlain = template.tokens.every(({ kind }) => kind === 'text' || kind === 'unknown');
      if (isPlain && Object.keys(template.headers).length === 0) assert.equal(filled, text);
    }),
    { numRuns: 2000 },
  );
});
