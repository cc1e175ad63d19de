import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProfileId, profileIds } from '../../../src/model/channel.js';
import { writePlaylist } from '../../../src/playlist/write/write.js';
import { readAsKodi } from '../../support/readers/kodi.js';
import { base, channel, direct, extras, listOf, nasty } from './channels.js';

/** The two lines of a list's only channel. */
function entryOf(given: Parameters<typeof channel>[0], profile: ProfileId = 'generic'): string[] {
  const [, ...lines] = listOf([channel(given)], profile)
    .trimEnd()
    .split('\n');
  return lines;
}

test('a list is the header, then a line of attributes and the address right below it', () => {
  const full = channel({
    ...{
      groups: ['News', 'HD'],
      logo: 'http://l/n.png',
      tvgId: 'news.uk',
      number: '7.10',
      guideShift: 3600,
      radio: true,
    },
  });
  assert.equal(
    listOf([full, channel({ key: 'wxyz6789', name: 'Film' })]),
    `#EXTM3U x-tvg-url="${base}/epg.xml" url-tvg="${base}/epg.xml"\n` +
      `#EXTINF:-1 tvg-id="news.uk" tvg-name="News" tvg-chno="7.10" tvg-logo="${base}/logos/abcd2345?v=6ffd0df5"` +
      ' tvg-shift="1" group-title="News;HD" radio="true",News\n' +
      `${base}/stream/abcd2345\n` +
      `#EXTINF:-1 tvg-id="wxyz6789" tvg-name="Film",Film\n${base}/stream/wxyz6789\n`,
  );
});

test('no channels and no guide give a header alone, in TXT nothing', () => {
  const write = (format: 'm3u' | 'txt') => [...writePlaylist([], { base, guideUrl: null, profile: 'generic', format })];
  assert.equal(Buffer.concat(write('m3u')).toString(), '#EXTM3U\n');
  assert.equal(Buffer.concat(write('txt')).toString(), '');
});

test('every list has line feeds alone, no byte order mark, no label, and no media= that Kodi would take for a recording', () => {
  const lists = [...profileIds.map((profile) => listOf(nasty, profile)), listOf(nasty, 'tvbox', 'txt')];
  for (const list of lists) {
    assert.match(list, /^(?:#EXTM3U |[^,]+,#genre#\n)/);
    assert.doesNotMatch(list, /[\r\ufeff\u2028\u2029]|media=|\n\n/i);
    assert.match(list, /[^\n]\n$/);
    assert.doesNotMatch(list, /Unplayable|password|theirs/);
  }
});

test('M32: channels of one id are all written', () => {
  const list = listOf([channel({ tvgId: 'same' }), channel({ tvgId: 'same', key: 'wxyz6789' })]);
  assert.deepEqual(list.match(/^http.*$/gm), [`${base}/stream/abcd2345`, `${base}/stream/wxyz6789`]);
});

test('M22: a bare ? at the end of an address becomes a query', () =>
  assert.match(listOf([direct('http://[2001:db8::1]:8080/a/index.m3u8?')]), /^http:\S+\/a\/index\.m3u8\?live=1$/m));

for (const [written, given] of [
  ['udp://@239.1.1.1:1234', 'udp://239.1.1.1:1234'],
  ['udp://10.0.0.1:1234', 'udp://10.0.0.1:1234'],
  ['udp://@239.1.1.1:1234', 'udp://@239.1.1.1:1234'],
  ['rtp://10.0.0.1@239.1.1.1:1234', 'rtp://10.0.0.1@239.1.1.1:1234'],
  ['udp://@[ff3e::1]:1234/x?y', 'udp://[ff3e::1]:1234/x?y'],
  ['udp://[fe80::1]:1234', 'udp://[fe80::1]:1234'],
  ['udp://host.example:1234', 'udp://host.example:1234'],
  ['rtsp://239.1.1.1/x', 'rtsp://239.1.1.1/x'],
] as const) {
  test(`M23: ${given} is published as ${written}`, () =>
    assert.equal(
      listOf([direct(given)], 'vlc')
        .trimEnd()
        .split('\n')
        .at(-1),
      written,
    ));
}

test('a channel of ours shows nothing of the address it comes from, although there is one', () =>
  assert.doesNotMatch(listOf([channel({ direct: 'http://provider.example/user/password' })]), /provider/));

const names: [name: string, written: string][] = [
  ['Good, Bad', 'Good，Bad'],
  ['The "Best"', "The 'Best'"],
  ['Two\nlines\r\tmore\u2028end', 'Two lines more end'],
  ['  ', 'abcd2345'],
  ["L'Exemple Zoë 央视", "L'Exemple Zoë 央视"],
  ['media=1', 'media＝1'],
  ['E=mc²', 'E=mc²'],
];

for (const [name, written] of names) {
  test(`the name ${JSON.stringify(name)} is written ${JSON.stringify(written)}`, () =>
    assert.equal(entryOf({ name })[0], `#EXTINF:-1 tvg-id="abcd2345" tvg-name="${written}",${written}`));
}

const jellyfinNames: [name: string, written: string][] = [
  ['5 USA', '5\u00a0USA'],
  ['84. VOX HD', '84.\u00a0VOX HD'],
  ['1e3 TV', '1e3\u00a0TV'],
  ['Infinity War', 'Infinity\u00a0War'],
  ['13th Street', '13th Street'],
  ['3sat', '3sat'],
  ['24/7 News', '24/7 News'],
];

for (const [name, written] of jellyfinNames) {
  test(`jellyfin: ${JSON.stringify(name)} is written so that no number is taken off`, () =>
    assert.equal(entryOf({ name }, 'jellyfin')[0]?.split(',').at(-1), written));
}

const numbers: [number: string, decimal: string | null][] = [
  ['7', '7'],
  ['7.10', '7.10'],
  ['7.1', '7.1'],
  ['7-1', '7.1'],
  ['007', '007'],
  ['12A', null],
  ['', null],
];

for (const [number, decimal] of numbers) {
  test(`the number ${JSON.stringify(number)} is ${decimal ?? 'left out'} for Kodi and as it is for others`, () => {
    const found = (profile: ProfileId) =>
      / tvg-chno="([^"]*)"/.exec(listOf([channel({ number })], profile))?.[1] ?? null;
    assert.equal(found('kodi'), decimal);
    assert.equal(found('jellyfin'), decimal);
    assert.equal(found('tivimate'), number === '' ? null : number);
  });
}

for (const [logo, isWritten] of [
  ['http://l/a b"c.png', true],
  ['HTTPS://l/a.png', true],
  ['no address', false],
  ['//l/a.png', false],
  ['data:image/png;base64,AAAA', true],
  ['data:text/html,A', false],
] as const) {
  test(`the logo ${JSON.stringify(logo)} is ${isWritten ? 'published from here' : 'left out'}`, () => {
    const found = /tvg-logo="([^"]*)"/.exec(listOf([channel({ logo })]))?.[1];
    if (isWritten) assert.match(found ?? '', /^http:\/\/192\.0\.2\.1:5140\/logos\/abcd2345\?v=[0-9a-f]{8}$/);
    else assert.equal(found, undefined);
  });
}

test('a logo from another address has another version', () => {
  const versions = ['http://l/1.png', 'http://l/2.png', 'http://l/1.png'].map(
    (logo) => /\?v=([0-9a-f]{8})"/.exec(listOf([channel({ logo })]))?.[1],
  );
  assert.notEqual(versions[0], versions[1]);
  assert.equal(versions[0], versions[2]);
});

test('Kodi reads every guide shift back to the second', () => {
  const seconds = Array.from({ length: 2 * 14 * 3600 + 1 }, (_, index) => index - 14 * 3600).filter(
    (at) => at % 7 === 0,
  );
  const list = listOf(
    seconds.map((guideShift) => channel({ guideShift })),
    'kodi',
  );
  assert.deepEqual(
    readAsKodi(list).channels.map(({ shift }) => shift + 0),
    seconds,
  );
});

test('what stands in the header of an address cannot break out of its line', () => {
  const headers = {
    'User-Agent': 'x\n#EXTINF:-1,evil\r\nhttp://evil/',
    'A\nhttp://evil/': 'x',
    'A=B': 'x',
    'A B': 'x',
  };
  for (const profile of profileIds) {
    const lines = listOf([direct('http://h/1', { extras: extras({ headers }) })], profile)
      .trimEnd()
      .split('\n');
    assert.equal(lines.filter((line) => line.startsWith('#EXTINF')).length, 1, profile);
    assert.equal(lines.filter((line) => !line.startsWith('#')).length, 1, profile);
    assert.doesNotMatch(lines.join('\n'), /A[=B ]/, profile);
  }
});

test('headers of a provider are told to no player of our own streams', () => {
  const headers = { 'User-Agent': 'secret', Cookie: 'secret' };
  for (const profile of profileIds) {
    assert.doesNotMatch(listOf([channel({ extras: extras({ headers }) })], profile), /secret/);
  }
});

test('a long list comes in chunks that end between two channels, the same text as in one', () => {
  const long = Array.from({ length: 3000 }, (_, index) => channel({ id: index, name: `央视 ${index}` }));
  const chunks = [...writePlaylist(long, { base, guideUrl: null, profile: 'generic', format: 'm3u' })];
  assert.ok(chunks.length > 3);
  for (const chunk of chunks) {
    assert.ok(chunk.length > 0 && chunk.length <= 65_536);
    assert.equal(chunk.at(-1), 0x0a);
    assert.match(chunk.subarray(0, 7).toString(), /^#EXT/);
  }
  assert.equal(Buffer.concat(chunks).toString().split('\n').length, 6002);
});

test('a name longer than a chunk is written whole', () => {
  const name = '长'.repeat(100_000);
  assert.equal(entryOf({ name })[0]?.split(',').at(-1), name);
});

test('TXT: channels of one name and group are alternatives on one line, and comments and labels are none', () => {
  const list = listOf(
    [
      channel({ name: 'A', groups: ['G', 'H'] }),
      channel({ name: '#B$HD', key: 'bbbb2222' }),
      channel({ name: 'A', groups: ['G'], key: 'cccc2222' }),
      channel({ name: 'A', groups: ['H'], key: 'dddd2222' }),
    ],
    'tvbox',
    'txt',
  );
  assert.equal(
    list,
    `G,#genre#\nA,${base}/stream/abcd2345#${base}/stream/cccc2222\n` +
      `其他,#genre#\n＃B$HD,${base}/stream/bbbb2222\nH,#genre#\nA,${base}/stream/dddd2222\n`,
  );
});

test('a file that a list names is given to no player, and headers stand behind addresses of web servers alone', () => {
  assert.equal(listOf([direct('file:///etc/passwd')]), listOf([]));
  const plugin = direct('plugin://plugin.video.x/?id=1', { extras: extras({ headers: { 'User-Agent': 'X' } }) });
  assert.match(listOf([plugin], 'kodi'), /\nplugin:\/\/plugin\.video\.x\/\?id=1\n$/);
});

test('half a character in a header of a list, as JSON can say it, keeps no list from being written', () => {
  const odd = direct('http://h/1', { extras: extras({ headers: { 'X-Own': 'a\ud800b' } }) });
  assert.match(listOf([odd], 'tivimate'), /\nhttp:\/\/h\/1\|X-Own=a%EF%BF%BDb\n$/);
});
