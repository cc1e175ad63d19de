import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('a line written like a directive is kept, and a comment or an entry that is switched off is not', () => {
  const lines = [
    '#EXTM3U',
    '# made by hand',
    '#http://h/off',
    '#RTP://239.1.1.1:1',
    '#EXTATTRFROMURL:http://h/a',
    '#PROVIDER-NOTE: kept',
    '#EXTINF:-1,A',
    '#kodiprop:inputstream=x',
    '#EXT-X-SESSION-DATA:DATA-ID="x"',
    'http://h/1',
  ];
  assert.deepEqual(read(lines.join('\n')).entries[0]?.directives, [
    { name: 'EXTATTRFROMURL', value: 'http://h/a', before: true },
    { name: 'PROVIDER-NOTE', value: 'kept', before: true },
    { name: 'kodiprop', value: 'inputstream=x', before: false },
  ]);
});

test('every attribute of a header is kept, quoted or not, with commas in its values', () => {
  const written =
    '#EXTM3U url-tvg="http://e/a.xml,http://e/b.xml" x-tvg-url=http://e/a.xml,http://e/b.xml refresh=3600, ' +
    'max-conn=\'2\' refresh=60 catchup-source="?a={utc},{lutc}" billed-msg="Pay, please" cache=500';
  assert.deepEqual(read(`${written}\n#EXTINF:-1,A\nhttp://h/1`).header.attributes, [
    ['url-tvg', 'http://e/a.xml,http://e/b.xml'],
    ['x-tvg-url', 'http://e/a.xml,http://e/b.xml'],
    ['refresh', '3600,'],
    ['max-conn', '2'],
    ['refresh', '60'],
    ['catchup-source', '?a={utc},{lutc}'],
    ['billed-msg', 'Pay, please'],
    ['cache', '500'],
  ]);
});

test('headers of a Kodi property are read, and the later line is the nearer', () => {
  const lines = [
    '#EXTINF:-1,A',
    '#KODIPROP:inputstream.adaptive.stream_headers=User-Agent=One%2F1&X-Own=a%20b',
    '#EXTVLCOPT:http-user-agent=Two/2',
    '#EXTVLCOPT:http-referer=http://r/',
    'http://h/1',
  ];
  assert.deepEqual(read(lines.join('\n')).entries[0]?.headers, {
    'User-Agent': 'Two/2',
    Referer: 'http://r/',
    'X-Own': 'a b',
  });
});

const base = 'https://user:word@h:8080/lists/tv.m3u?key=1';
const relatives: [written: string, url: string | undefined][] = [
  ['/live/1.ts', 'https://user:word@h:8080/live/1.ts'],
  ['../2.m3u8?x=1', 'https://user:word@h:8080/2.m3u8?x=1'],
  ['./a', 'https://user:word@h:8080/lists/a'],
  ['sub/3.ts$HD', 'https://user:word@h:8080/lists/sub/3.ts'],
  ['//other/4.ts', 'https://other/4.ts'],
  ['?channel=5', 'https://user:word@h:8080/lists/tv.m3u?channel=5'],
  ['just words', undefined],
  ['word', undefined],
  ['<a href="/x.ts">', undefined],
];

for (const [written, url] of relatives) {
  test(`"${written}" of a list with an address is ${url ?? 'no address'}, and none of a list without one`, () => {
    const bytes = Buffer.from(`#EXTM3U\n#EXTINF:-1,A\n${written}`);
    assert.equal(readPlaylist(bytes, { base }).entries[0]?.urls[0]?.url, url);
    assert.deepEqual(readPlaylist(bytes).entries, []);
  });
}

test("pictures: in full as written, of the list's url-logo, or of its own address", () => {
  const logos = ['http://l/a.png', 'data:image/png;base64,AA==', '//l/b.png', 'c.png', '/d.png', 'word'];
  const text = (header: string) =>
    Buffer.from(
      `#EXTM3U ${header}\n${logos.map((logo) => `#EXTINF:-1 tvg-logo="${logo}",A\nudp://239.1.1.1:1`).join('\n')}`,
    );
  const read = (header: string, base: string | null) =>
    readPlaylist(text(header), { base }).entries.map(({ logo }) => logo);
  const full = logos.slice(0, 2);
  assert.deepEqual(read('', null), [...full, 'https://l/b.png', 'c.png', '/d.png', 'word']);
  assert.deepEqual(read('', 'http://h/x/tv.m3u'), [...full, 'http://l/b.png', 'c.png', 'http://h/d.png', 'word']);
  const joined = ['http://p/i/c.png', 'http://p/i/d.png', 'http://p/i/word'];
  assert.deepEqual(read('url-logo="http://p/i/"', null), [...full, 'https://l/b.png', ...joined]);
});

test('a TXT list: settings hold until the next group, alternatives have headers of their own', () => {
  const lines = [
    'One,#genre#',
    'ua=Player/1',
    'header={"X-Own":"1"}',
    'A,http://h/1|Referer=http://r/#http://h/2$SD',
    'Two,#genre#',
    'A,http://h/3',
    '# a comment, http://h/4',
  ];
  const { entries, problems } = read(lines.join('\n'));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    entries.map(({ groups, headers, urls }) => [groups, headers, urls]),
    [
      [
        ['One'],
        { 'X-Own': '1', 'User-Agent': 'Player/1' },
        [
          { url: 'http://h/1', label: null, headers: { Referer: 'http://r/' } },
          { url: 'http://h/2', label: 'SD', headers: {} },
        ],
      ],
      [['Two'], {}, [{ url: 'http://h/3', label: null, headers: {} }]],
    ],
  );
});

test('HLS tags behind the first entry do not make a list of channels one of HLS', () => {
  const text = '#EXTM3U\n#EXTINF:-1,A\n#EXT-X-MEDIA-SEQUENCE:1\nudp://239.1.1.1:1\n#EXTINF:-1,B\nudp://239.1.1.2:1';
  assert.equal(read(text).entries.length, 2);
});

test('a list whose every line is wrong has ten thousand problems and the word that there are more', () => {
  const { problems, refusal } = read(`#EXTM3U\n${'wrong\n'.repeat(20_000)}`);
  assert.equal(problems.length, 10_001);
  assert.equal(problems.at(-1)?.code, 'too-many-problems');
  assert.match(refusal ?? '', /names no channel/);
});

test('entries that iptv-playlist-parser reads in another way stand as written and are counted', () => {
  const { entries, differences } = read(
    '#EXTM3U\n#EXTINF:-1 tvg-id="a",Plain\nhttp://h/1\n#EXTINF:-1,Foo q="x" Bar\nhttp://h/2\n' +
      `#EXTINF:-1 tvg-name="The "Best"" tvg-id="b",C\nhttp://h/3`,
  );
  assert.deepEqual(
    entries.map(({ name, tvgName }) => [name, tvgName]),
    [
      ['Plain', null],
      ['Foo q="x" Bar', null],
      ['C', 'The "Best"'],
    ],
  );
  assert.equal(differences, 2);
});

test('of two thousand and one entries none differs, whatever slice it was read in', () => {
  const lines = Array.from(
    { length: 2001 },
    (_, index) => `#EXTINF:-1 tvg-id="${index}" group-title="A;B",N ${index}\nudp://239.1.1.1:${index + 1}`,
  );
  const { entries, differences } = read(`#EXTM3U\n${lines.join('\n')}`);
  assert.deepEqual([entries.length, differences], [2001, 0]);
});
