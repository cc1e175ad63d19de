import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlaylist } from '../../../src/playlist/read/read.js';

const read = (text: string) => readPlaylist(Buffer.from(text));
const urlsOf = (text: string) => read(text).entries.map(({ urls }) => urls.map(({ url }) => url));

for (const [name, end] of Object.entries({
  LF: '\n',
  CRLF: '\r\n',
  CR: '\r',
  'U+2028': '\u2028',
  'U+2029': '\u2029',
})) {
  test(`lines that end in ${name} are told apart`, () => {
    assert.deepEqual(
      urlsOf(['#EXTM3U', '#EXTINF:-1,A', 'udp://239.1.1.1:1', '#EXTINF:-1,B', 'udp://239.1.1.2:1'].join(end)),
      [['udp://239.1.1.1:1'], ['udp://239.1.1.2:1']],
    );
  });
}

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

test('header fields that would write into the request are left out', () => {
  const lines = [
    '#EXTM3U',
    '#EXTINF:-1,A',
    '#EXTHTTP:{"User-Agent":"a\\r\\nX: 1","B C":"d","Cookie":"e"}',
    'http://h/1|Origin=o%0d%0aX:1&Referer=r',
  ];
  const [entry] = read(lines.join('\n')).entries;
  assert.deepEqual([entry?.headers, entry?.urls[0]?.headers], [{ Cookie: 'e' }, { Referer: 'r' }]);
});
