import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, searchText, searchWords } from '../../src/model/search.js';

type Channel = { name: string; saidName?: string; number?: string | null; tvgId?: string | null };
const finds = (query: string, { name, saidName = name, number = null, tvgId = null }: Channel) => {
  const text = searchText({ name, saidName, number, tvgId });
  return searchWords(query).every((word) => text.includes(word));
};

const found: [query: string, channel: Channel][] = [
  ['央视', { name: 'CCTV-1 央视综合' }],
  ['cctv1', { name: 'CCTV-1 央视综合' }],
  ['CCTV-1', { name: 'CCTV1' }],
  ['综合 cctv', { name: 'CCTV-1 央视综合' }],
  ['bbc two', { name: 'BBC Two HD' }],
  ['two bbc', { name: 'BBC Two HD' }],
  ['zoe', { name: 'Zoë' }],
  ['ZOË', { name: 'Zoe' }],
  ['ｂｂｃ', { name: 'BBC One' }],
  ['bbc', { name: 'ＢＢＣ　Ｏｎｅ' }],
  ['ガ', { name: 'ｶﾞ' }],
  ['strasse', { name: 'Straße' }],
  ['lodz', { name: 'Łódź' }],
  ['istanbul', { name: 'İSTANBUL' }],
  ['россия', { name: 'РОССИЯ 1' }],
  ['ελλας', { name: 'ΕΛΛΆΣ' }],
  ['hd', { name: 'BBC ᴴᴰ' }],
  ['7.10', { name: 'News', number: '7.10' }],
  ['bbc1.uk', { name: 'News', tvgId: 'BBC1.uk' }],
  ['old', { name: 'New name', saidName: 'Old name' }],
  ["o'neill", { name: 'ONeill' }],
  ['soft', { name: 'so\u00adft\u200b' }],
  ['BBC - One', { name: 'BBC One' }],
  ['', { name: 'Anything' }],
];
for (const [query, channel] of found) {
  test(`"${query}" finds ${JSON.stringify(channel)}`, () => assert.ok(finds(query, channel)));
}

const missed: [query: string, channel: Channel][] = [
  ['bbc three', { name: 'BBC Two HD' }],
  ['か', { name: 'が' }],
  ['央视', { name: 'CCTV-1' }],
  ['7.1', { name: 'News', number: '71' }],
  ['bbctwo', { name: 'BBC Two' }],
  // The end of one value and the beginning of the next make no word.
  ['news7', { name: 'News', number: '7' }],
];
for (const [query, channel] of missed) {
  test(`"${query}" does not find ${JSON.stringify(channel)}`, () => assert.ok(!finds(query, channel)));
}

test('every character that there is, folded once more, stays as it is', () => {
  for (let code = 1; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const once = fold(String.fromCodePoint(code));
    if (fold(once) !== once) assert.fail(`U+${code.toString(16)} becomes ${once}, then ${fold(once)}`);
  }
});

test('a letter of Latin becomes the same alone and beside a letter of another script', () => {
  for (let code = 1; code < 0x250; code += 1) {
    const letter = String.fromCharCode(code);
    assert.equal(fold(`${letter}я`), `${fold(letter)}я`);
  }
});

const anyText = fc.string({ unit: 'grapheme', maxLength: 20 });

test('whatever the name: it is found by itself, in capitals and small letters, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(anyText, anyText, (name, saidName) => {
      assert.equal(fold(fold(name)), fold(name));
      assert.ok(finds(name, { name }));
      assert.ok(finds(name, { name: saidName, saidName: name }));
      assert.ok(finds(fold(name), { name }));
    }),
    { numRuns: 1000 },
  );
});

test('any part of a word of a name finds it, written in any case', () => {
  const letter = fc.constantFrom('a', 'B', 'é', 'Ü', 'ø', '央', '1', '-', '.', 'が', 'Ж');
  const word = fc.string({ unit: letter, minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(7), fc.nat(7), (one, two, from, length) => {
      const part = [...two].slice(from, from + length + 1).join('');
      assert.ok(finds(part, { name: `${one} ${two}` }), part);
      assert.ok(finds(part.toUpperCase(), { name: `${one} ${two}` }), part);
    }),
    { numRuns: 1000 },
  );
});

test('signs alone are nothing to look for', () => assert.deepEqual(searchWords('- | ***'), []));

test('the words of a query come once each, whatever stands between them', () => {
  assert.deepEqual(searchWords('  BBC\u3000bbc\tTwo\n'), ['bbc', 'two']);
});
