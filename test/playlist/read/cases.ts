import type { PlaylistEntry } from '../../../src/playlist/read/entry.js';

export type Expected = Partial<
  Pick<PlaylistEntry, 'name' | 'tvgId' | 'tvgName' | 'groups' | 'logo' | 'headers' | 'catchup' | 'attributes'>
> & {
  url?: string;
  urlHeaders?: Record<string, string>;
};
export type Case = {
  id: string;
  what: string;
  lines: string;
  latin1?: true;
  header?: [string, string][];
  entries: Expected[];
};

const longUrl = `http://h/1?jwt=${'a'.repeat(2200)}`;

/** Lists that failed in the field, and what they say. */
export const cases: Case[] = [
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
  {
    id: 'M17',
    what: 'a byte order mark does not hide the header',
    lines: '\uFEFF#EXTM3U x-tvg-url="http://e/x.xml"\n#EXTINF:-1,A\nhttp://h/1',
    header: [['x-tvg-url', 'http://e/x.xml']],
    entries: [{ name: 'A', url: 'http://h/1' }],
  },
  {
    id: 'M19',
    what: 'a line of another encoding among UTF-8 lines is read by itself',
    lines: '#EXTM3U\n#EXTINF:-1,M\xFCller TV\x80\nhttp://h/1\n#EXTINF:-1,M\xC3\xBCller 2\nhttp://h/2',
    latin1: true,
    entries: [
      { name: 'Müller TV€', url: 'http://h/1' },
      { name: 'Müller 2', url: 'http://h/2' },
    ],
  },
  {
    id: 'M28',
    what: "an entry's own header wins, the list's is the fallback, a blank one counts as absent",
    lines:
      '#EXTM3U user-agent="X"\n#EXTINF:-1,A\nhttp://h/1\n#EXTINF:-1 user-agent="Own",B\nhttp://h/2\n' +
      '#EXTINF:-1 user-agent="",C\nhttp://h/3',
    header: [['user-agent', 'X']],
    entries: [
      { name: 'A', headers: { 'User-Agent': 'X' } },
      { name: 'B', headers: { 'User-Agent': 'Own' } },
      { name: 'C', headers: { 'User-Agent': 'X' } },
    ],
  },
  {
    id: 'C07',
    what: 'catch-up of a list is read, its template as written',
    lines: '#EXTM3U\n#EXTINF:-1 catchup="append" catchup-source="?utc=$utc&duration=1800" tvg-id="c1",C\nhttp://p/1.ts',
    entries: [
      {
        name: 'C',
        tvgId: 'c1',
        url: 'http://p/1.ts',
        catchup: { mode: 'append', source: '?utc=$utc&duration=1800', days: null, correction: null },
      },
    ],
  },
];

/** Its bytes, as they came over the wire. */
export function bodyOf({ lines, latin1 }: Case): Buffer {
  return Buffer.from(lines, latin1 === true ? 'latin1' : 'utf8');
}
