import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attributeOf } from '../../../src/playlist/read/attributes.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';

const read = (text: string) => readPlaylist(Buffer.from(text));
const urlsOf = (text: string) => read(text).entries.map(({ urls }) => urls.map(({ url }) => url));

/** Text behind `#EXTINF:` → tvg-id, groups, name. */
const extinfs: [text: string, tvgId: string | null, groups: string[], name: string][] = [
  ['-1 tvg-id=a1 group-title=My News,A', 'a1', ['My News'], 'A'],
  ["-1 tvg-id='a1',A", 'a1', [], 'A'],
  ["-1 tvg-id='Joe's' group-title='It's',A", "Joe's", ["It's"], 'A'],
  ['-1 tvg-id = "a1",A', 'a1', [], 'A'],
  ['-1 TVG-ID="a1",A', 'a1', [], 'A'],
  ['-1 tvg-id="a1 group-title="News",A', 'a1', ['News'], 'A'],
  ['-1 tvg-id="a1" group-title="News,A', 'a1', ['News'], 'A'],
  ['-1 tvg-id="x" tvg-id="y",A', 'x', [], 'A'],
  ['-1 tvg-name="A, B" group-title="X, Y",A, B', null, ['X, Y'], 'A, B'],
  ['-1,A, B', null, [], 'A, B'],
  ['-1 tvg-id="a",The "Best", TV', 'a', [], 'The "Best", TV'],
  ['-1 tvg-id="a",Foo q="x" Bar', 'a', [], 'Foo q="x" Bar'],
  ['-1 tvg-id="a"，央视', 'a', [], '央视'],
  ['-1，央视', null, [], '央视'],
  ['-1 tvg-id="a"', 'a', [], 'a'],
  ['-1 tvg-id="a" tvg-name="B"', 'a', [], 'B'],
  ['-1 x-tvg-id="w" tvg-id="r",A', 'r', [], 'A'],
  ['-1 tvg-id="a", group-title="G", tvg-name="n",A', 'a', ['G'], 'A'],
  ['-1 tvg-id="a"group-title="G",A', 'a', ['G'], 'A'],
  ['-1 tvg-name="Good "A", B" group-title="M",N', null, ['M'], 'N'],
  ['tvg-id="a",A', 'a', [], 'A'],
  ['0.5 group-title="A;B; ;C",N', null, ['A', 'B', 'C'], 'N'],
  ['-1 tvg-id="" group-title="",N', null, [], 'N'],
  ['-1 catchup-source="http://h/?tvg-id=no&x={utc}" tvg-id="yes",N', 'yes', [], 'N'],
];

for (const [text, tvgId, groups, name] of extinfs) {
  test(`#EXTINF:${text} reads as ${tvgId}, [${groups}], ${name}`, () => {
    const [entry] = read(`#EXTM3U\n#EXTINF:${text}\nudp://239.1.1.1:1`).entries;
    assert.deepEqual([entry?.tvgId, entry?.groups, entry?.name], [tvgId, groups, name]);
  });
}

for (const line of ['#EXTINF -1,A', '#extinf:-1,A', '#EXTINF: -1 ,A', '  #EXTINF:-1,A  ', '#EXTINF:,A']) {
  test(`"${line}" is an EXTINF line`, () => {
    assert.deepEqual(
      read(`#EXTM3U\n${line}\nudp://239.1.1.1:1`).entries.map(({ name }) => name),
      ['A'],
    );
  });
}

for (const [name, end] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r', 'U+2028': '\u2028' })) {
  test(`lines that end in ${name} are told apart`, () => {
    assert.deepEqual(
      urlsOf(['#EXTM3U', '#EXTINF:-1,A', 'udp://239.1.1.1:1', '#EXTINF:-1,B', 'udp://239.1.1.2:1'].join(end)),
      [['udp://239.1.1.1:1'], ['udp://239.1.1.2:1']],
    );
  });
}

test('UTF-16 with a byte order mark, of either order, reads as UTF-8 does', () => {
  const little = Buffer.from('\uFEFF#EXTM3U\n#EXTINF:-1,Ö\nudp://239.1.1.1:1', 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16()]) assert.equal(readPlaylist(bytes).entries[0]?.name, 'Ö');
});

test('a list without header, below blank lines and comments, or with a lower-case header, is read', () => {
  const entry = '#EXTINF:-1,A\nudp://239.1.1.1:1';
  for (const start of ['', '\n\n# made by hand\n', '#extm3u\n', '#EXTM3U8\n'])
    assert.equal(read(start + entry).entries.length, 1);
});

test('a header again in the middle adds its attributes', () => {
  const { header } = read(
    '#EXTM3U url-tvg="a"\n#EXTINF:-1,A\nudp://239.1.1.1:1\n#EXTM3U tvg-shift=2\n#EXTINF:-1,B\nudp://239.1.1.2:1',
  );
  assert.deepEqual(header.attributes, [
    ['url-tvg', 'a'],
    ['tvg-shift', '2'],
  ]);
});

test('groups: group-title, else EXTGRP behind the EXTINF, else the one that holds since before', () => {
  const lines = [
    '#EXTGRP:Sticky;Two',
    '#EXTINF:-1,A',
    'udp://239.1.1.1:1',
    '#EXTINF:-1,B',
    '#EXTGRP:Own',
    'udp://239.1.1.2:1',
    '#EXTINF:-1,C',
    'udp://239.1.1.3:1',
    '#EXTINF:-1 group-title="Title",D',
    '#EXTGRP:Own',
    'udp://239.1.1.4:1',
    '#EXTINF:-1,E',
    'udp://239.1.1.5:1',
    '#EXTGRP:Again',
    '#EXTINF:-1,F',
    'udp://239.1.1.6:1',
    '#EXTGRP:',
    '#EXTINF:-1,G',
    'udp://239.1.1.7:1',
  ];
  assert.deepEqual(
    read(lines.join('\n')).entries.map(({ name, groups }) => [name, ...groups]),
    [['A', 'Sticky', 'Two'], ['B', 'Own'], ['C', 'Sticky', 'Two'], ['D', 'Title'], ['E'], ['F', 'Again'], ['G']],
  );
});

test('directives before and behind the EXTINF, and unknown attributes, are kept as they stood', () => {
  const lines = [
    '#KODIPROP:mimetype=video/mp2t',
    '#EXTINF:-1 x-own="kept" x-own="2",A',
    '#EXTVLCOPT:program=7',
    'udp://239.1.1.1:1',
  ];
  const { entries, problems } = read(`#EXTM3U\n${lines.join('\n')}`);
  assert.deepEqual(entries[0]?.directives, [
    { name: 'KODIPROP', value: 'mimetype=video/mp2t', before: true },
    { name: 'EXTVLCOPT', value: 'program=7', before: false },
  ]);
  assert.deepEqual(entries[0]?.attributes, [
    ['x-own', 'kept'],
    ['x-own', '2'],
  ]);
  assert.equal(entries[0]?.line, 3);
  assert.deepEqual(
    problems.map(({ line, code }) => [line, code]),
    [[3, 'doubled-attribute']],
  );
});

test('further addresses below one EXTINF are alternatives, labels are told apart', () => {
  const { entries } = read('#EXTINF:-1,A\nrtp://239.1.1.1:1$HD\nrtp://10.0.0.9@239.1.1.2:1$ \nhttp://h/a$b?c=$d=1');
  assert.deepEqual(entries[0]?.urls, [
    { url: 'rtp://239.1.1.1:1', label: 'HD', headers: {} },
    { url: 'rtp://10.0.0.9@239.1.1.2:1', label: null, headers: {} },
    { url: 'http://h/a$b?c=$d=1', label: null, headers: {} },
  ]);
});

test('addresses without any EXTINF are entries of their own', () => {
  assert.deepEqual(urlsOf('#EXTM3U\nudp://@239.1.1.1:1\nudp://@[ff15::1]:2\n'), [
    ['udp://239.1.1.1:1'],
    ['udp://[ff15::1]:2'],
  ]);
});

test('an entry without address, a line that is neither and an address without entry are counted with their lines', () => {
  const { entries, problems } = read('#EXTM3U\n#EXTINF:-1,A\n#EXTINF:-1,B\ngarbage\nudp://239.1.1.1:1\n#EXTINF:-1,C');
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['B'],
  );
  assert.deepEqual(
    problems.map(({ line, code }) => [line, code]),
    [
      [2, 'entry-without-url'],
      [4, 'bad-address'],
      [6, 'entry-without-url'],
    ],
  );
});

test('a TXT list: groups, alternatives, full-width commas, the same name again, a comma in the address', () => {
  const lines = [
    'Before,udp://239.1.1.9:1',
    '央视，#genre#',
    'CCTV，rtp://239.1.1.1:1$HD#http://h/a#frag',
    'Other,http://h/a,b',
    'CCTV,rtp://239.1.1.2:1',
    'no address',
  ];
  const { entries, problems } = read(`\uFEFF${lines.join('\r\n')}`);
  assert.deepEqual(
    entries.map(({ name, groups, urls }) => [name, groups, urls.map(({ url }) => url)]),
    [
      ['Before', [], ['udp://239.1.1.9:1']],
      ['CCTV', ['央视'], ['rtp://239.1.1.1:1', 'http://h/a#frag', 'rtp://239.1.1.2:1']],
      ['Other', ['央视'], ['http://h/a,b']],
    ],
  );
  assert.deepEqual(
    problems.map(({ line }) => line),
    [6],
  );
});

const refusals: [what: string, text: string, reason: RegExp][] = [
  ['nothing', '', /empty/],
  ['blanks', ' \r\n\n', /empty/],
  ['a header alone', '#EXTM3U\n', /names no channel/],
  ['a page', '\n<!DOCTYPE html><html><body>Sign in</body></html>', /HTML/],
  ['a page below an XML prolog', '<?xml version="1.0"?><html xmlns="x"></html>', /HTML/],
  ['a guide', '<?xml version="1.0"?><tv></tv>', /XML/],
  ['JSON', '{"user_info":{"auth":0}}', /JSON/],
  ['a JSON array', '[\n{"name":"A"}]', /JSON/],
  ['an HLS media playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhttp://h/1.ts', /HLS/],
  ['an HLS master playlist', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://h/1.m3u8', /HLS/],
  ['a binary file', '\u0089PNG\0\0', /binary/],
];

for (const [what, text, reason] of refusals) {
  test(`${what} is refused with a reason`, () => {
    const { entries, refusal } = read(text);
    assert.match(refusal ?? '', reason);
    assert.deepEqual(entries, []);
  });
}

test('a TXT name in brackets is not taken for JSON', () => {
  assert.deepEqual(urlsOf('[HD] A,udp://239.1.1.1:1'), [['udp://239.1.1.1:1']]);
});

test('an address that is a label alone is no address', () => {
  assert.deepEqual(read('#EXTM3U\n#EXTINF:-1,A\nudp://$HD').entries, []);
});

test('no bytes make the reader throw, and every entry has an address with a scheme', () => {
  const words = [
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
  ];
  const text = fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 4 })), { maxLength: 60 });
  const bytes = fc.oneof(
    text.map((parts) => Buffer.from(parts.join(''))),
    fc.uint8Array({ maxLength: 200 }),
  );
  fc.assert(
    fc.property(bytes, (input) => {
      for (const { urls } of readPlaylist(input).entries) {
        assert.ok(urls.length > 0);
        for (const { url } of urls) assert.match(url, /^[a-z][a-z0-9+.-]*:\/\/./i);
      }
    }),
    { numRuns: 500 },
  );
});

for (const [what, part] of Object.entries({ pairs: 'a= ', quotes: ' k="x', commas: '，', values: 'a="b" ' })) {
  test(`a line of half a million characters of ${what} is read in a time that does not grow with its square`, () => {
    const line = (length: number) => `#EXTINF:-1 ${part.repeat(length / part.length)},A\nudp://239.1.1.1:1`;
    const cost = (text: string) => {
      const before = process.cpuUsage();
      assert.equal(read(text).entries.length, 1);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    cost(line(50_000));
    assert.ok(cost(line(500_000)) < 50 * cost(line(50_000)) + 100_000);
  });
}

test('whatever values are written in quotes come back, and so does the name', () => {
  const word = fc.stringMatching(/^[A-Za-zÄ-ü0-9 ,;=.:/?&'-]{1,20}$/).map((text) => text.trim());
  const value = word.filter((text) => text !== '');
  fc.assert(
    fc.property(
      value,
      value,
      value.filter((text) => !/^\s*[\w-]+\s*=\s*'/.test(text)),
      (id, group, name) => {
        const [entry] = read(`#EXTM3U\n#EXTINF:-1 x-id="${id}" x-group="${group}",${name}\nudp://239.1.1.1:1`).entries;
        assert.ok(entry);
        const { attributes } = entry;
        assert.deepEqual(
          [attributeOf(attributes, 'x-id'), attributeOf(attributes, 'x-group'), entry.name],
          [id, group, name],
        );
      },
    ),
    { numRuns: 500 },
  );
});
