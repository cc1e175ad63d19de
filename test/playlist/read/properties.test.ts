import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Attribute, Catchup, Directive, EntryUrl } from '../../../src/model/entry.js';
import { catchupModes } from '../../../src/model/entry.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';

/** What a list says of an entry, as a provider would write it. */
type Written = {
  readonly name: string;
  readonly id: string | null;
  readonly number: string | null;
  readonly groups: readonly string[];
  readonly own: readonly Attribute[];
  readonly catchup: Catchup | null;
  readonly urls: readonly EntryUrl[];
  readonly directives: readonly Directive[];
};

/** Objects like those that are read. */
const plain = { noNullPrototype: true };
const text = fc.stringMatching(/^[A-Za-zÄ-ü中文0-9][A-Za-zÄ-ü中文0-9 ,:./?&'()|+-]{0,20}$/).map((word) => word.trim());
const word = fc.stringMatching(/^[A-Za-z0-9_]{1,8}$/);
/** Not what a provider writes where it has no id. */
const id = fc.stringMatching(/^[a-z]{3,8}\.[a-z]{2}$/);
const name = text.filter((written) => !/^[\w-]+\s*=\s*['"]/.test(written));
const number = fc.stringMatching(/^[1-9][0-9]{0,3}(?:\.[0-9]{1,2})?$/);
const headers = fc.dictionary(fc.constantFrom('User-Agent', 'Referer', 'X-Own'), text, plain);
const url: fc.Arbitrary<EntryUrl> = fc.record(
  {
    url: fc.oneof(
      fc.ipV4().map((host) => `rtp://${host}:5000`),
      word.map((path) => `http://h:8080/${path}?a=1&b=$c=2`),
      fc.constant('udp://10.0.0.1@[ff15::1]:1234'),
    ),
    label: fc.option(word),
    headers,
  },
  plain,
);
const directive = fc.record(
  {
    name: fc.constantFrom('EXTVLCOPT', 'KODIPROP', 'EXTOTHER', 'OWN-THING'),
    value: text.map((value) => `program=${value}`),
    before: fc.boolean(),
  },
  plain,
);
const catchup = fc.record(
  {
    mode: fc.constantFrom(...catchupModes),
    source: fc.option(word.map((path) => `?${path}={utc}&e={utcend}`)),
    days: fc.option(fc.integer({ min: 1, max: 30 })),
    correction: fc.option(fc.integer({ min: -12, max: 12 })),
  },
  plain,
);
const entry: fc.Arbitrary<Written> = fc.record({
  name,
  id: fc.option(id),
  number: fc.option(number),
  groups: fc.uniqueArray(text, { maxLength: 3 }),
  own: fc.uniqueArray(
    fc.tuple(
      word.map((key) => `x-${key}`),
      text,
    ),
    { selector: ([key]) => key.toLowerCase(), maxLength: 3 },
  ),
  catchup: fc.option(catchup),
  urls: fc.array(url, { minLength: 1, maxLength: 3 }),
  // Lines before the EXTINF come first.
  directives: fc
    .array(directive, { maxLength: 3 })
    .map((all) => all.toSorted((a, b) => Number(b.before) - Number(a.before))),
});

function attributesOf({ id, number, groups, own, catchup }: Written): Attribute[] {
  const all: [string, string | number | null | undefined][] = [
    ['tvg-id', id],
    ['tvg-chno', number],
    ['group-title', groups.length === 0 ? null : groups.join(';')],
    ['catchup', catchup?.mode],
    ['catchup-source', catchup?.source],
    ['catchup-days', catchup?.days],
    ['catchup-correction', catchup?.correction],
    ...own.map(([key, value]): [string, string] => [key, value]),
  ];
  return all.flatMap(([key, value]): Attribute[] =>
    value === null || value === undefined ? [] : [[key, String(value)]],
  );
}

function write(entry: Written): string {
  const attributes = attributesOf(entry).map(([key, value]) => ` ${key}="${value}"`);
  const lines = (before: boolean) =>
    entry.directives.flatMap((line) => (line.before === before ? `#${line.name}:${line.value}` : []));
  const addresses = entry.urls.map(({ url, label, headers }) => {
    const fields = Object.entries(headers).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
    return `${url}${label === null ? '' : `$${label}`}${fields.length === 0 ? '' : `|${fields.join('&')}`}`;
  });
  return [...lines(true), `#EXTINF:-1${attributes.join('')},${entry.name}`, ...lines(false), ...addresses].join('\n');
}

test('whatever is written of entries is read again', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 5 }), fc.constantFrom('\n', '\r\n', '\r', '\n\n'), (entries, end) => {
      const list = ['#EXTM3U', ...entries.map(write)].join('\n').replaceAll('\n', end);
      const read = readPlaylist(Buffer.from(list));
      assert.deepEqual(
        read.entries.map(({ name, tvgId, number, groups, catchup, urls, attributes, directives }) => {
          return { name, id: tvgId, number, groups, catchup, urls, attributes, directives };
        }),
        entries.map((written) => {
          const { name, id, number, groups, catchup, urls, directives } = written;
          return { name, id, number, groups, catchup, urls, attributes: attributesOf(written), directives };
        }),
      );
      assert.deepEqual(
        read.problems.filter(({ code }) => code !== 'not-a-playlist'),
        [],
      );
      assert.equal(read.differences, 0);
    }),
    { numRuns: 300 },
  );
});

const pieces = [
  '#EXTM3U',
  '#EXTINF:-1',
  ' tvg-id="',
  '"',
  "'",
  ',',
  '，',
  '=',
  ' a',
  '\n',
  '\r',
  'udp://',
  '#EXTGRP:',
  '$',
  '|',
  '#genre#',
  'é',
  '#KODIPROP:',
  '{',
  '/movie/',
  '.mkv',
  ' catchup=',
  '\u2028',
  '\u2029',
  '\0',
  '<',
];

test('no bytes make the reader throw, and every entry has an address with a scheme', () => {
  const pieced = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), { maxLength: 60 });
  const bytes = fc.oneof(
    pieced.map((parts) => Buffer.from(parts.join(''))),
    pieced.map((parts) => Buffer.from(`#EXTM3U\n#EXTINF:${parts.join('')}`, 'latin1')),
    pieced.map((parts) => Buffer.from(parts.join(''), 'utf16le')),
    fc.uint8Array({ maxLength: 200 }),
  );
  fc.assert(
    fc.property(bytes, fc.constantFrom(null, 'http://h/list.m3u'), (input, base) => {
      for (const { urls, name } of readPlaylist(input, { base }).entries) {
        assert.ok(urls.length > 0);
        assert.equal(name, name.trim());
        for (const { url } of urls) assert.match(url, /^[a-z][a-z0-9+.-]*:\/\/./i);
      }
    }),
    { numRuns: 1000 },
  );
});

/** Microseconds of a processor. */
function cost(list: string): number {
  const bytes = Buffer.from(list);
  const before = process.cpuUsage();
  readPlaylist(bytes, { base: 'http://h/' });
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const extinf = (part: string) => (length: number) =>
  `#EXTINF:-1 ${part.repeat(length / part.length)},A\nudp://239.1.1.1:1`;
const address = (part: string) => (length: number) => `#EXTINF:-1,A\nudp://${part.repeat(length / part.length)}\n`;
const txt = (part: string) => (length: number) => `A,#genre#\n${part.repeat(length / part.length)}\n`;

const hostile: Record<string, (length: number) => string> = {
  pairs: extinf('a= '),
  'opening quotes': extinf(' k="x'),
  'single quotes and commas': (length) => `#EXTINF:-1 k='${"','".repeat(length / 3)}" tvg-id=",A\nudp://239.1.1.1:1`,
  'full-width commas': extinf('，'),
  values: extinf('a="b" '),
  'equals signs': extinf('='),
  blanks: (length) => `#EXTINF:-1 a=${' '.repeat(length)}b${' '.repeat(length)},A\nudp://239.1.1.1:1`,
  'blanks and commas': extinf(' ,'),
  words: extinf('word '),
  'a word': extinf('w'),
  dollars: address('$'),
  bars: address('|a=b'),
  'an at sign': address('@'),
  slashes: address('/movie/'),
  'dots of an address': address('.mkv'),
  'blanks in an address': address(' '),
  directives: (length) => `#${'A-'.repeat(length / 2)}\n#EXTINF:-1,A\nudp://239.1.1.1:1`,
  'commas of TXT': txt(','),
  'schemes of TXT': txt('a://'),
  'names of TXT': txt('a'),
  'a relative address': (length) => `#EXTINF:-1,A\n${'a.ts'.repeat(length / 4)} \n`,
  'lines of one letter': (length) => `#EXTM3U\n${'a\n'.repeat(length / 2)}`,
  'carriage returns': (length) => `#EXTM3U\n${'\r'.repeat(length)}`,
  headers: (length) => `#EXTM3U ${'a=b,'.repeat(length / 4)}\n#EXTINF:-1,A\nudp://239.1.1.1:1`,
  'short headers': (length) => `${'#EXTM3U a=b\n'.repeat(length / 12)}#EXTINF:-1,A\nudp://239.1.1.1:1`,
};

for (const [what, list] of Object.entries(hostile)) {
  test(`a megabyte of ${what} takes ten times what a tenth of it takes, not a hundred times`, () => {
    cost(list(100_000));
    const whole = cost(list(1_000_000));
    assert.ok(whole < 50 * cost(list(100_000)) + 300_000, `${whole} µs`);
  });
}

test('words that every object of JavaScript knows mean nothing in a list', () => {
  for (const word of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const list = `#EXTM3U\n#EXTINF:-1 tvg-type="${word}" ${word}="x" group-title="${word}",${word}: A\n#EXTVLCOPT:http-${word}=y\nhttp://h/1|${word}=z\n`;
    const [entry] = readPlaylist(Buffer.from(list)).entries;
    assert.deepEqual([entry?.kind, entry?.name, entry?.groups], ['live', `${word}: A`, [word]]);
    assert.deepEqual(Object.values(entry?.urls[0]?.headers ?? {}), ['z']);
  }
});
