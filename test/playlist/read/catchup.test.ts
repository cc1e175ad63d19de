import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Catchup } from '../../../src/model/entry.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';

function catchupOf(header: string, attributes: string, url = 'http://h/a.ts'): Catchup | null | undefined {
  const list = `#EXTM3U ${header}\n#EXTINF:-1 ${attributes},A\n${url}`;
  return readPlaylist(Buffer.from(list)).entries[0]?.catchup;
}

const none = { mode: 'default', source: null, days: null, correction: null } as const;

const said: [attributes: string, expected: Catchup | null][] = [
  ['', null],
  ['catchup="default" catchup-source="http://h/x?u={utc}"', { ...none, source: 'http://h/x?u={utc}' }],
  ['catchup-type="shift" catchup-days="2"', { ...none, mode: 'shift', days: 2 }],
  ['CATCHUP="Append" catchup-source="?a=$utc"', { ...none, mode: 'append', source: '?a=$utc' }],
  ['catchup="xc" catchup-days="1.5" catchup-correction="-2.5"', { ...none, mode: 'xc', days: 1.5, correction: -2.5 }],
  ['catchup="vod"', { ...none, mode: 'vod' }],
  ['catchup="timeshift" tvg-rec="3"', { ...none, mode: 'timeshift', days: 3 }],
  ['catchup="archive" timeshift="4"', { ...none, mode: 'archive', days: 4 }],
  ['catchup="shift" catchup-time="259200"', { ...none, mode: 'shift', days: 3 }],
  ['catchup="shift" catchup-days="7" timeshift="4"', { ...none, mode: 'shift', days: 7 }],
  ['timeshift="5"', { ...none, mode: 'shift', days: 5 }],
  ['tvg-rec="1"', { ...none, mode: 'shift', days: 1 }],
  ['tvg-rec="0"', null],
  ['catchup="default" catchup-days="0"', { ...none, days: 0 }],
  ['catchup-days="7"', null],
  ['catchup-source="http://h/x?u={utc}"', { ...none, source: 'http://h/x?u={utc}' }],
  ['catchup-source="&u={utc}"', { ...none, mode: 'append', source: '&u={utc}' }],
  ['catchup="disabled" catchup-source="?u={utc}"', null],
  ['catchup="default" catchup-days="many" catchup-correction="+1,5"', { ...none, correction: 1.5 }],
  ['tvg-logo="http://l/i?timeshift=3" x-catchup="shift"', null],
];

for (const [attributes, expected] of said) {
  test(`catch-up of an entry with ${attributes || 'nothing'} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(catchupOf('', attributes), expected);
  });
}

const aliases: [alias: string, url: string, mode: string][] = [
  ['fs', 'http://h/325/index.m3u8?token=s', 'flussonic-hls'],
  ['fs', 'http://h/151/mpegts?token=s', 'flussonic-ts'],
  ['fs', 'http://h/325/live?token=s', 'flussonic-ts'],
  ['flussonic', 'http://h/325/mono.m3u8', 'flussonic-hls'],
  ['Flussonic', 'http://h/151/mpegts', 'flussonic-ts'],
  ['flussonic', 'http://h/325/live', 'flussonic-hls'],
  ['flussonic-ts', 'http://h/325/index.m3u8', 'flussonic-ts'],
  ['flussonic-hls', 'http://h/151/mpegts', 'flussonic-hls'],
];

for (const [alias, url, mode] of aliases) {
  test(`catchup="${alias}" of ${url} is ${mode}, as Kodi would ask`, () => {
    assert.equal(catchupOf('', `catchup="${alias}"`, url)?.mode, mode);
  });
}

const list = 'catchup="append" catchup-source="?utc={utc}" catchup-days="7" catchup-correction="1"';
const ofList: Catchup = { mode: 'append', source: '?utc={utc}', days: 7, correction: 1 };

const inherited: [attributes: string, expected: Catchup | null][] = [
  ['', ofList],
  ['catchup-days="3"', { ...ofList, days: 3 }],
  ['timeshift="2"', { ...ofList, days: 2 }],
  ['catchup="shift"', { ...ofList, mode: 'shift' }],
  ['catchup-source="?own"', { ...ofList, source: '?own' }],
  ['catchup-days="0"', null],
  ['tvg-rec="0"', null],
  ['catchup="none"', null],
];

for (const [attributes, expected] of inherited) {
  test(`where the list has defaults, catch-up of an entry with ${attributes || 'nothing'} is its own first`, () => {
    assert.deepEqual(catchupOf(list, attributes), expected);
  });
}

test('defaults of a second header hold from there on', () => {
  const lines = [
    '#EXTM3U catchup="shift" catchup-days="2"',
    '#EXTINF:-1,A',
    'http://h/1',
    '#EXTM3U catchup-days="5"',
    '#EXTINF:-1,B',
    'http://h/2',
  ];
  const days = readPlaylist(Buffer.from(lines.join('\n'))).entries.map(({ catchup }) => [catchup?.mode, catchup?.days]);
  assert.deepEqual(days, [
    ['shift', 2],
    ['shift', 5],
  ]);
});

test('a movie has no archive, whatever the list says of all entries', () => {
  const [entry] = readPlaylist(Buffer.from(`#EXTM3U ${list}\n#EXTINF:-1,Film\nhttp://h/movie/u/p/1.mkv`)).entries;
  assert.deepEqual([entry?.kind, entry?.catchup], ['movie', null]);
});
