import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ProfileId, profileIds } from '../../../src/model/channel.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';
import { readAsJellyfin } from '../../support/readers/jellyfin.js';
import { readAsKodi } from '../../support/readers/kodi.js';
import type { Listed } from '../../support/readers/listed.js';
import { openParser } from '../../support/readers/parser.js';
import { readM3uAsTvbox, readTxtAsTvbox } from '../../support/readers/tvbox.js';
import { readAsVlc } from '../../support/readers/vlc.js';
import { base, listOf, nasty } from './channels.js';

const parser = openParser();
after(() => parser.close());

type Row = readonly [key: string, id: string, name: string, number: string | null, ...groups: string[]];

/** What every reader has to give back; below, where a profile has its own way. */
const rows: readonly Row[] = [
  ['plain222', 'bbc1.uk', 'BBC One', '1', 'UK', 'HD'],
  ['comma222', 'a, b', 'Good，Bad', '7.1', 'Film, Drama', 'UK'],
  ['quote222', 'same', "The 'Best'", '7.10', "a 'b' c"],
  ['same2222', 'same', "A&E 'HD'<1>", '7-2', 'One； two'],
  ['apost222', 'Ex.FR', "L'Exemple Zoë", '12A', "Kids' TV"],
  ['cjk22222', 'CCTV1', '央视，一套 高清', null, '央视', '高清'],
  ['radio222', 'radio222', 'Radio 5 - Live', null, 'Radio'],
  ['usa22222', 'usa22222', '5 USA', null, 'US'],
  ['break222', "x' radio＝'true", 'Two lines #EXTINF:-1，evil end', '3 4', "radio＝'true' http://evil/"],
  ['empty222', 'empty222', 'empty222', null],
  ['media222', 'tvg-name＝x', 'media＝1 tvg-chno＝9 E=mc²', null, 'catchup＝default'],
  ['alike222', 'alike222', 'BBC One', null, 'UK'],
  ['known222', 'known222', 'Known', null, 'UK'],
  ['hints222', 'hints222', 'Hints', null, 'UK'],
  ['heads222', 'heads222', 'Headers', null, 'Web'],
  ['query222', 'query222', 'Query', null, 'Web'],
  ['group222', 'group222', 'Group', null, 'Web'],
  ['sends222', 'sends222', 'Sender', null, 'Web'],
  ['six22222', 'six22222', 'Six', null, 'Web'],
  ['uni22222', 'uni22222', 'Unicast', null, 'Web'],
  ['odd22222', 'odd22222', '#1 A＃genre# http://x，y', null, '#x, y'],
];

const urls: Readonly<Record<string, string>> = {
  heads222: 'https://cdn.example/x.m3u8?a=1,2&%6Dedia=1',
  query222: 'http://[2001:db8::1]:8080/a/index.m3u8?live=1',
  group222: 'rtp://@239.1.1.1:1234?fec=1',
  sends222: 'rtp://10.0.0.1@239.1.1.1:1234',
  six22222: 'udp://@[ff3e::1]:1234',
  uni22222: 'udp://10.0.0.1:1234',
  odd22222: 'http://h.example/a%20b$c#d%7Ce',
};

const names: Readonly<Partial<Record<ProfileId, Readonly<Record<string, string>>>>> = {
  kodi: {
    comma222: 'Good, Bad',
    break222: 'Two lines #EXTINF:-1,evil end',
    odd22222: '#1 A＃genre# http://x, y',
  },
  vlc: { radio222: 'Radio 5 – Live' },
  jellyfin: { usa22222: '5\u00a0USA' },
};

/** Kodi and Jellyfin know numbers with a point alone. */
const decimals: Readonly<Record<string, string | null>> = { same2222: '7.2', apost222: null, break222: null };

function expected(profile: ProfileId): Listed[] {
  const extension = ['generic', 'tvbox', 'vlc'].includes(profile) ? '' : '.ts';
  const splits = profile === 'generic' || profile === 'kodi';
  return rows.map(([key, id, name, number, ...groups]) => ({
    id,
    name: names[profile]?.[key] ?? name,
    number: (profile === 'kodi' || profile === 'jellyfin') && key in decimals ? (decimals[key] ?? null) : number,
    groups: splits ? groups : groups.slice(0, 1),
    url: theirs(key, profile) ?? `${base}/stream/${key}${extension}`,
  }));
}

/** What follows `$` would be a label in the TVBox family. */
function theirs(key: string, profile: ProfileId): string | undefined {
  return profile === 'tvbox' ? urls[key]?.replace('$', '%24') : urls[key];
}

function only({ name, id, number, groups, url }: Listed): Listed {
  return { name, id, number, groups, url };
}

/** What iptv-playlist-parser does not model is taken from the line that it keeps. */
async function parsed(list: string, separator: string | null): Promise<Listed[]> {
  const { items } = await parser.parse(list);
  return items.map(({ name, tvg, group, url, raw }) => ({
    name,
    id: tvg.id,
    number: / tvg-chno="([^"]*)"/.exec(raw)?.[1] ?? null,
    groups: group.title === '' ? [] : separator === null ? [group.title] : group.title.split(separator),
    url: url.split('|')[0] ?? '',
  }));
}

for (const profile of profileIds.filter((id) => id !== 'vlc')) {
  test(`${profile}: iptv-playlist-parser reads every channel as it was meant`, async () => {
    const splits = profile === 'generic' || profile === 'kodi';
    assert.deepEqual(await parsed(listOf(nasty, profile), splits ? ';' : null), expected(profile));
  });
}

for (const profile of ['kodi', 'generic'] as const) {
  test(`${profile}: Kodi's rules give every channel as it was meant, its logo, radio and shift, and no recordings`, () => {
    const { guide, channels } = readAsKodi(listOf(nasty, profile));
    assert.equal(guide, `${base}/epg.xml`);
    const numbers = (given: Listed[]) =>
      given.map((one) => (one.number === null ? null : Number.parseFloat(one.number)));
    if (profile === 'kodi') assert.deepEqual(channels.map(only), expected(profile));
    else assert.deepEqual(numbers(channels).slice(0, 3), [1, 7.1, 7.1]);
    const plain = { isRadio: false, isRecording: false, isRealTime: true, hasCatchup: false, shift: 0, logo: '' };
    const odd: Readonly<Record<string, Partial<typeof plain>>> = {
      plain222: { logo: `${base}/logos/plain222?v=04f7fd0e` },
      radio222: { isRadio: true, shift: -5400 },
      usa22222: { shift: 1 },
    };
    for (const { id: _id, name: _name, number: _number, groups: _groups, url, ...rest } of channels) {
      const { tvgName: _tvgName, properties: _properties, headers: _headers, ...facts } = rest;
      assert.deepEqual(
        facts,
        { ...plain, ...odd[url.slice(`${base}/stream/`.length, `${base}/stream/`.length + 8)] },
        url,
      );
    }
  });
}

test('kodi: the type of our streams is told, by the hint where there is one, and no property reaches the next channel', () => {
  const properties = new Map(readAsKodi(listOf(nasty, 'kodi')).channels.map((one) => [one.id, one.properties]));
  assert.deepEqual(properties.get('bbc1.uk'), { mimetype: 'video/mp2t' });
  assert.deepEqual(properties.get('known222'), { mimetype: 'video/mp2t', colour: 'blue' });
  assert.deepEqual(properties.get('hints222'), { mimetype: 'video/mp2t; charset=x' });
  assert.deepEqual(properties.get('heads222'), { inputstream: 'inputstream.adaptive' });
  assert.deepEqual(properties.get('query222'), {});
});

for (const profile of ['kodi', 'tivimate', 'ott'] as const) {
  test(`${profile}: headers of a provider's own address stand behind a bar and are read back`, () => {
    const channels = readAsKodi(listOf(nasty, profile)).channels;
    assert.deepEqual(
      channels.filter(({ headers }) => Object.keys(headers).length > 0).map(({ id, headers }) => [id, headers]),
      [['heads222', { 'User-Agent': 'Moz/5.0 (X11)', Referer: 'https://r.example/p?a=b&c', Cookie: 'a=b' }]],
    );
  });
}

test("jellyfin: Jellyfin's rules give every channel as it was meant", () =>
  assert.deepEqual(readAsJellyfin(listOf(nasty, 'jellyfin')).map(only), expected('jellyfin')));

test("generic: Jellyfin's rules give the same names but for a leading number, ids, and addresses", () =>
  assert.deepEqual(
    readAsJellyfin(listOf(nasty)).map(({ id, name, url }) => [id, name, url]),
    expected('generic').map(({ id, name, url }) => [id, name === '5 USA' ? 'USA' : name, url]),
  ));

test('tvbox: the line below EXTINF is the address, the name stands behind the last comma', () =>
  assert.deepEqual(
    readM3uAsTvbox(listOf(nasty, 'tvbox')),
    expected('tvbox').map(({ number: _, ...rest }) => rest),
  ));

test("vlc: VLC's rules give names and addresses, and options to the channel that they are of", () => {
  const entries = readAsVlc(listOf(nasty, 'vlc'));
  assert.deepEqual(
    entries.map(({ name, url }) => [name, url]),
    expected('vlc').map(({ name, url }) => [name, url]),
  );
  assert.deepEqual(
    entries.filter(({ options }) => options.length > 0).map(({ name, options }) => [name, options]),
    [
      ['Known', ['deinterlace=1']],
      ['Hints', ['network-caching=300', 'a http://evil/']],
      ['Headers', ['http-user-agent=Moz/5.0 (X11)', 'http-referrer=https://r.example/p?a=b&c', 'http-reconnect=true']],
    ],
  );
});

test('TXT: the TVBox family reads groups, names and alternatives', () => {
  const channels = readTxtAsTvbox(listOf(nasty, 'tvbox', 'txt'));
  const ours = (key: string) => `${base}/stream/${key}`;
  assert.deepEqual(
    channels.map(({ group, name, urls }) => [group, name, ...urls]),
    [
      ['UK', 'BBC One', ours('plain222'), ours('alike222')],
      ['UK', 'Known', ours('known222')],
      ['UK', 'Hints', ours('hints222')],
      ['Film · Drama', 'Good · Bad', ours('comma222')],
      ["a 'b' c", "The 'Best'", ours('quote222')],
      ['One; two', "A&E 'HD'<1>", ours('same2222')],
      ["Kids' TV", "L'Exemple Zoë", ours('apost222')],
      ['央视', '央视 · 一套 高清', ours('cjk22222')],
      ['Radio', 'Radio 5 - Live', ours('radio222')],
      ['US', '5 USA', ours('usa22222')],
      ["radio＝'true' http：//evil/", 'Two lines ＃EXTINF:-1 · evil end', ours('break222')],
      ['其他', 'empty222', ours('empty222')],
      ['catchup＝default', 'media＝1 tvg-chno＝9 E=mc²', ours('media222')],
      ['Web', 'Headers', 'https://cdn.example/x.m3u8?a=1%2C2&%6Dedia=1'],
      ['Web', 'Query', 'http://[2001:db8::1]:8080/a/index.m3u8?live=1'],
      ['Web', 'Group', 'rtp://@239.1.1.1:1234?fec=1'],
      ['Web', 'Sender', 'rtp://10.0.0.1@239.1.1.1:1234'],
      ['Web', 'Six', 'udp://@[ff3e::1]:1234'],
      ['Web', 'Unicast', 'udp://10.0.0.1:1234'],
      ['＃x · y', '＃1 A＃genre＃ http：//x · y', 'http://h.example/a%20b%24c%23d%7Ce'],
    ],
  );
});

test('our own reader takes the generic list without a problem, and iptv-playlist-parser agrees with it', () => {
  const { entries, problems, differences } = readPlaylist(Buffer.from(listOf(nasty)));
  assert.deepEqual(
    problems.map(({ line, message }) => `${line}: ${message}`),
    ['30: The attribute tvg-country stands twice; the first one counts.'],
  );
  assert.equal(differences, 0);
  const readUrl = (url: string) => url.replace('://@', '://');
  assert.deepEqual(
    entries.map(({ tvgId, name, number, groups, urls: [first] }) => [tvgId, name, number, groups, first?.url]),
    expected('generic').map(({ id, name, number, groups, url }) => [id, name, number, groups, readUrl(url)]),
  );
  const headers = entries.find(({ tvgId }) => tvgId === 'heads222')?.headers;
  assert.deepEqual(
    { ...headers },
    { 'User-Agent': 'Moz/5.0 (X11)', Referer: 'https://r.example/p?a=b&c', Cookie: 'a=b' },
  );
});
