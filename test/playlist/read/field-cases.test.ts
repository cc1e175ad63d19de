import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlaylistEntry } from '../../../src/playlist/read/entry.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';

type Expected = Partial<
  Pick<PlaylistEntry, 'name' | 'tvgId' | 'tvgName' | 'groups' | 'logo' | 'headers' | 'attributes'>
> & {
  url?: string;
  urlHeaders?: Record<string, string>;
};
type Case = { id: string; what: string; lines: string; entries: Expected[] };

const longUrl = `http://h/1?jwt=${'a'.repeat(2200)}`;

const cases: Case[] = [
  {
    id: 'M01',
    what: 'a comma in the display name is kept',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-name="Good, Bad" group-title="M",Good, Bad\nhttp://h/1',
    entries: [{ name: 'Good, Bad', groups: ['M'], url: 'http://h/1' }],
  },
  {
    id: 'M02',
    what: 'a comma in a value does not start the name',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-id="X (W) City, ST" tvg-name="X" group-title="US/CA",X East\nhttp://h/1',
    entries: [{ tvgId: 'X (W) City, ST', name: 'X East', groups: ['US/CA'] }],
  },
  {
    id: 'M04',
    what: 'a comma after the duration is skipped when attributes follow',
    lines: '#EXTM3U\n#EXTINF:-1, tvg-name="NBC X" tvg-id="I1" group-title="US",NBC X HD\nhttp://h/1',
    entries: [{ tvgId: 'I1', groups: ['US'], name: 'NBC X HD' }],
  },
  {
    id: 'M05',
    what: 'the same without a blank',
    lines: '#EXTM3U\n#EXTINF:-1,tvg-id="C1" tvg-name="C1" group-title="央视",C-1\nhttp://h/1.m3u8?cdn=x',
    entries: [{ groups: ['央视'], name: 'C-1', url: 'http://h/1.m3u8?cdn=x' }],
  },
  {
    id: 'M07',
    what: 'equals signs in a value do not swallow what follows',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-logo="http://l/i?x=YWI==" tvg-id="z" group-title="G",A\nhttp://h/1',
    entries: [{ logo: 'http://l/i?x=YWI==', tvgId: 'z', groups: ['G'], name: 'A' }],
  },
  {
    id: 'M08',
    what: 'quotes and commas inside a value do not leak',
    lines: `#EXTM3U\n#EXTINF:-1 tvg-id="a" tvg-name="Joe's, "Live"" group-title="G",Joe\nhttp://h/1`,
    entries: [{ tvgId: 'a', groups: ['G'], name: 'Joe', tvgName: `Joe's, "Live"` }],
  },
  {
    id: 'M10',
    what: 'the text behind the comma is shown, tvg-name stays the key of the guide',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-id="a" tvg-name="epg.key.a",Channel A HD\nhttp://h/1',
    entries: [{ name: 'Channel A HD', tvgName: 'epg.key.a' }],
  },
  {
    id: 'M11',
    what: 'the name is not the id when tvg-name is absent',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-logo="l" tvg-id="8f3a",TV One\nhttp://h/1',
    entries: [{ name: 'TV One', tvgId: '8f3a', logo: 'l', tvgName: null }],
  },
  {
    id: 'M13',
    what: 'a session line and a bare EXTINF give the right entries',
    lines:
      '#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID="com.x"\n#EXTINF:-1,US B&C\nhttp://h/1.ts\n' +
      '#EXTINF:-1 tvg-id="none" group-title="CZ", T Box\nhttp://h/2.ts',
    entries: [
      { name: 'US B&C', url: 'http://h/1.ts' },
      { name: 'T Box', url: 'http://h/2.ts', tvgId: null, groups: ['CZ'] },
    ],
  },
  {
    id: 'M14',
    what: 'placeholder ids are none',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-id="(no tvg-id)",A\nhttp://h/1\n#EXTINF:-1 tvg-id="(no tvg-id)",B\nhttp://h/2',
    entries: [
      { name: 'A', tvgId: null, url: 'http://h/1' },
      { name: 'B', tvgId: null, url: 'http://h/2' },
    ],
  },
  {
    id: 'M16',
    what: 'an address of more than 2,084 characters is whole',
    lines: `#EXTM3U\n#EXTINF:-1,A\n${longUrl}\n#EXTINF:-1,B\nhttp://h/2`,
    entries: [
      { name: 'A', url: longUrl },
      { name: 'B', url: 'http://h/2' },
    ],
  },
  {
    id: 'M20',
    what: 'an empty label in a TXT list is dropped',
    lines: 'News,#genre#\nA,http://h/rtp/233.0.0.1:5140$',
    entries: [{ name: 'A', groups: ['News'], url: 'http://h/rtp/233.0.0.1:5140' }],
  },
  {
    id: 'M22',
    what: 'a bare question mark at the end is kept',
    lines: '#EXTM3U\n#EXTINF:-1,A\nhttp://[2001:db8::1]:8080/a/index.m3u8?',
    entries: [{ name: 'A', url: 'http://[2001:db8::1]:8080/a/index.m3u8?' }],
  },
  {
    id: 'M23',
    what: 'a group is stored without the sign before it',
    lines: '#EXTM3U\n#EXTINF:-1,A\nudp://@239.1.1.1:1234\n#EXTINF:-1,B\nudp://10.0.0.1:1234',
    entries: [
      { name: 'A', url: 'udp://239.1.1.1:1234' },
      { name: 'B', url: 'udp://10.0.0.1:1234' },
    ],
  },
  {
    id: 'M25',
    what: 'headers behind a bar are told from the address',
    lines: '#EXTM3U\n#EXTINF:0,T\nhttps://h/x.m3u8|User-Agent=Moz/5.0&Referer=https://r/p.php',
    entries: [
      { url: 'https://h/x.m3u8', urlHeaders: { 'User-Agent': 'Moz/5.0', Referer: 'https://r/p.php' }, headers: {} },
    ],
  },
  {
    id: 'M26',
    what: 'a VLC option names a header',
    lines: '#EXTM3U\n#EXTINF:-1,A\n#EXTVLCOPT:http-user-agent=Foo/1.2\nhttp://h/1',
    entries: [{ name: 'A', headers: { 'User-Agent': 'Foo/1.2' }, url: 'http://h/1' }],
  },
  {
    id: 'M29',
    what: 'an unquoted value ends before the next key',
    lines:
      '#EXTM3U\n#EXTINF:-1 tvg-id="w" tvg-shift=3 group-title="TV",E\nhttp://h/1\n#EXTINF:-1 tvg-id="v",F\nhttp://h/2',
    entries: [
      {
        name: 'E',
        groups: ['TV'],
        attributes: [
          ['tvg-id', 'w'],
          ['tvg-shift', '3'],
          ['group-title', 'TV'],
        ],
      },
      { name: 'F', attributes: [['tvg-id', 'v']] },
    ],
  },
  {
    id: 'M31',
    what: 'an id keeps its case',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-id="ChA.UK",A\nhttp://h/1',
    entries: [{ tvgId: 'ChA.UK' }],
  },
  {
    id: 'M32',
    what: 'two entries of one id are two',
    lines: '#EXTM3U\n#EXTINF:-1 tvg-id="same",A\nhttp://h/1\n#EXTINF:-1 tvg-id="same",B\nhttp://h/2',
    entries: [
      { name: 'A', tvgId: 'same' },
      { name: 'B', tvgId: 'same' },
    ],
  },
  {
    id: 'M35',
    what: 'an apostrophe in a name is kept',
    lines: "#EXTM3U\n#EXTINF:-1,L'Exemple\nhttp://h/1",
    entries: [{ name: "L'Exemple" }],
  },
];

for (const { id, what, lines, entries } of cases) {
  test(`${id}: ${what}`, () => {
    const playlist = readPlaylist(Buffer.from(lines));
    assert.equal(playlist.refusal, null);
    assert.deepEqual(playlist.problems, []);
    assert.equal(playlist.entries.length, entries.length);
    for (const [index, { url, urlHeaders, ...expected }] of entries.entries()) {
      const entry = playlist.entries[index];
      assert.ok(entry);
      for (const [field, value] of Object.entries(expected)) {
        assert.deepEqual(entry[field as keyof typeof expected], value, field);
      }
      assert.equal(entry.urls.length, 1);
      if (url !== undefined) assert.equal(entry.urls[0]?.url, url);
      assert.deepEqual(entry.urls[0]?.headers, urlHeaders ?? {});
    }
  });
}

test('M17: a byte order mark does not hide the header', () => {
  const { header, entries } = readPlaylist(
    Buffer.from('\uFEFF#EXTM3U x-tvg-url="http://e/x.xml"\n#EXTINF:-1,A\nhttp://h/1'),
  );
  assert.deepEqual(header.attributes, [['x-tvg-url', 'http://e/x.xml']]);
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['A'],
  );
});

test('M19: a line of another encoding among UTF-8 lines is read by itself', () => {
  const bytes = Buffer.from(
    '#EXTM3U\n#EXTINF:-1,M\xFCller TV\x80\nhttp://h/1\n#EXTINF:-1,M\xC3\xBCller 2\nhttp://h/2',
    'latin1',
  );
  const names = readPlaylist(bytes).entries.map(({ name }) => name);
  assert.deepEqual(names, ['Müller TV€', 'Müller 2']);
});

test("M28: an entry's own header wins, the list's is the fallback, a blank one counts as absent", () => {
  const lines = [
    '#EXTM3U',
    '#EXTINF:-1,A',
    'http://h/1',
    '#EXTINF:-1 user-agent="Own",B',
    '#EXTVLCOPT:http-user-agent=Option',
    'http://h/2',
    '#EXTINF:-1 user-agent="",C',
    'http://h/3',
    '#EXTINF:-1,D',
    '#EXTHTTP:{"user-agent":"Json","X-Own":"1"}',
    'http://h/4',
  ];
  const { entries } = readPlaylist(Buffer.from(lines.join('\n')), { headers: { 'User-Agent': 'X' } });
  assert.deepEqual(
    entries.map(({ headers }) => headers),
    [{ 'User-Agent': 'X' }, { 'User-Agent': 'Own' }, { 'User-Agent': 'X' }, { 'user-agent': 'Json', 'X-Own': '1' }],
  );
});
