import type { Channel, Extras, ProfileId } from '../../../src/model/channel.js';
import type { PlaylistFormat } from '../../../src/playlist/write/options.js';
import { writePlaylist } from '../../../src/playlist/write/write.js';

export const base = 'http://192.0.2.1:5140';

const upstream = { kind: 'udp', address: '239.1.1.1', port: 5000, source: null, interface: null } as const;

export function channel(given: Partial<Channel>): Channel {
  return {
    ...{ id: 1, key: 'abcd2345', name: 'News', number: null, groups: [], logo: null, tvgId: null, guideShift: null },
    ...{ radio: false, extras: null, upstream, direct: null, membershipRefresh: null, archive: null },
    ...given,
  };
}

/** A channel that the relay cannot receive. */
export function direct(url: string, given: Partial<Channel> = {}): Channel {
  return channel({ upstream: null, direct: url, ...given });
}

export function extras(given: Partial<Extras>): Extras {
  return { attributes: [], directives: [], headers: {}, hints: {}, ...given };
}

export function listOf(channels: readonly Channel[], profile: ProfileId = 'generic', format: PlaylistFormat = 'm3u') {
  const guideUrl = `${base}/epg.xml`;
  return Buffer.concat([...writePlaylist(channels, { base, guideUrl, profile, format })]).toString();
}

const logo = 'http://pictures.example/bbc one.png?size="big"&media=1';

/** What lists are written badly for. */
export const nasty: readonly Channel[] = [
  channel({ key: 'plain222', name: 'BBC One', number: '1', groups: ['UK', 'HD'], logo, tvgId: 'bbc1.uk' }),
  channel({ key: 'comma222', name: 'Good, Bad', number: '7.1', groups: ['Film, Drama', 'UK'], tvgId: 'a, b' }),
  channel({ key: 'quote222', name: 'The "Best"', number: '7.10', groups: ['a "b" c'], tvgId: 'same' }),
  channel({ key: 'same2222', name: 'A&E "HD"<1>', number: '7-2', groups: ['One; two'], tvgId: 'same' }),
  channel({ key: 'apost222', name: "L'Exemple Zoë", number: '12A', groups: ["Kids' TV"], tvgId: 'Ex.FR' }),
  channel({ key: 'cjk22222', name: '央视，一套 高清', groups: ['央视', '高清'], tvgId: 'CCTV1' }),
  channel({ key: 'radio222', name: 'Radio 5 - Live', groups: ['Radio'], radio: true, guideShift: -5400 }),
  channel({ key: 'usa22222', name: '5 USA', groups: ['US'], guideShift: 1 }),
  channel({
    ...{ key: 'break222', name: 'Two\nlines\r#EXTINF:-1,evil\u2028end', number: '3\n4' },
    ...{ groups: ['\n', 'radio="true"\nhttp://evil/'], tvgId: 'x" radio="true' },
  }),
  channel({ key: 'empty222', name: ' \t', number: ' ', groups: ['', ' '], logo: 'no address', tvgId: '' }),
  channel({ key: 'media222', name: 'media=1 tvg-chno=9 E=mc²', groups: ['catchup=default'], tvgId: 'tvg-name=x' }),
  channel({ key: 'alike222', name: 'BBC One', groups: ['UK'], logo: '//pictures.example/x.png' }),
  channel({
    ...{ key: 'known222', name: 'Known', groups: ['UK'] },
    extras: extras({
      attributes: [
        ['tvg-country', 'GB, "IE"'],
        ['X-TVG-ID', 'other'],
        ['webradio', 'true'],
        ['catchup', 'shift'],
        ['timeshift', '3'],
        ['tvg-rec', '1'],
        ['media', '1'],
        ['user-agent', 'theirs'],
        ['group-logo', 'http://pictures.example/uk.png?media=1'],
        ['backup', 'http://provider.example/user/password/1'],
        ['bad name', 'x'],
        ['cuid', ''],
        ['tvg-country', 'again'],
      ],
      directives: [
        { name: 'EXTVLCOPT', value: 'http-user-agent=theirs', before: false },
        { name: 'EXTVLCOPT', value: 'deinterlace=1', before: false },
        { name: 'EXTVLCOPT--http-reconnect', value: 'true', before: false },
        { name: 'EXTHTTP', value: '{"cookie":"theirs"}', before: false },
        { name: 'KODIPROP', value: 'inputstream=inputstream.adaptive', before: true },
        { name: 'KODIPROP', value: 'inputstream.adaptive.license_key=theirs', before: true },
        { name: 'KODIPROP', value: 'mimetype=application/x-mpegURL', before: true },
        { name: 'KODIPROP', value: 'colour=blue', before: true },
        { name: 'EXTGRP', value: 'Sticky', before: true },
        { name: 'EXT-X-PLAYLIST-TYPE', value: 'VOD', before: false },
        { name: 'EXTATTRFROMURL', value: 'http://provider.example/user/password', before: false },
        { name: 'EXTCUSTOM', value: 'kept', before: false },
        { name: 'EXTBYT', value: '', before: false },
      ],
      headers: { 'User-Agent': 'theirs' },
    }),
  }),
  channel({
    ...{ key: 'hints222', name: 'Hints', groups: ['UK'] },
    extras: extras({
      hints: {
        kodi: ['#KODIPROP:mimetype=video/mp2t; charset=x', '#EXTGRP:Sticky', 'http://evil/', '#EXTINF:-1,evil'],
        vlc: ['#EXTVLCOPT:network-caching=300', '#EXTVLCOPT:a\nhttp://evil/'],
        generic: ['#EXTM3U'],
      },
    }),
  }),
  direct('https://cdn.example/x.m3u8?a=1,2&media=1', {
    ...{ key: 'heads222', name: 'Headers', groups: ['Web'] },
    extras: extras({
      attributes: [['provider', 'CDN']],
      directives: [
        { name: 'KODIPROP', value: 'inputstream=inputstream.adaptive', before: true },
        { name: 'EXTVLCOPT', value: 'http-user-agent=Moz/5.0 (X11)', before: false },
        { name: 'EXTVLCOPT', value: 'http-reconnect=true', before: false },
        { name: 'EXTHTTP', value: '{"cookie":"a=b"}', before: false },
      ],
      headers: { 'User-Agent': 'Moz/5.0 (X11)', Referer: 'https://r.example/p?a=b&c', Cookie: 'a=b', 'Bad\nName': 'x' },
    }),
  }),
  direct('http://[2001:db8::1]:8080/a/index.m3u8?', { key: 'query222', name: 'Query', groups: ['Web'] }),
  direct('rtp://239.1.1.1:1234?fec=1', { key: 'group222', name: 'Group', groups: ['Web'] }),
  direct('rtp://10.0.0.1@239.1.1.1:1234', { key: 'sends222', name: 'Sender', groups: ['Web'] }),
  direct('udp://[ff3e::1]:1234', { key: 'six22222', name: 'Six', groups: ['Web'] }),
  direct('udp://10.0.0.1:1234', { key: 'uni22222', name: 'Unicast', groups: ['Web'] }),
  direct('http://h.example/a b$c#d|e', { key: 'odd22222', name: '#1 A#genre# http://x, y', groups: ['#x, y'] }),
  channel({ key: 'none2222', name: 'Unplayable', upstream: null }),
];

/** Archives: ours, one that is not carried, and one of a channel that is published with its provider's address. */
export const archived: readonly Channel[] = [
  channel({ key: 'past2222', name: 'Past', groups: ['Web'], archive: { days: 7, scheme: 'rtsp' } }),
  channel({ key: 'later222', name: 'Not yet', groups: ['Web'], archive: { days: 7, scheme: 'https' } }),
  direct('http://h.example/p', {
    ...{ key: 'theirs22', name: 'Theirs', groups: ['Web'] },
    archive: {
      ...{ days: 3, scheme: 'http' },
      said: {
        mode: 'append',
        source: `?timeshift="\${(b)yyyyMMddHHmmss|UTC}&media=1\n#genre#`,
        ...{ days: 3, correction: -1.5 },
      },
    },
  }),
];
