import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { type Channel, profileIds } from '../../../src/model/channel.js';
import { guideId } from '../../../src/model/guide-id.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';
import { readAsJellyfin } from '../../support/readers/jellyfin.js';
import { readAsKodi } from '../../support/readers/kodi.js';
import { openParser } from '../../support/readers/parser.js';
import { readM3uAsTvbox, readTxtAsTvbox } from '../../support/readers/tvbox.js';
import { readAsVlc } from '../../support/readers/vlc.js';
import { base, channel, direct, listOf } from './channels.js';

const parser = openParser();
after(() => parser.close());

const tricks = [
  ...[
    '"',
    "'",
    ',',
    '，',
    ';',
    '=',
    '|',
    '$',
    '#',
    '\n',
    '\r\n',
    '\u2028',
    '\u0085',
    '\0',
    '\ud800',
    ' ',
    ' - ',
    '5 ',
    '-1',
  ],
  ...[
    'radio=true',
    'radio="true"',
    'media=',
    'media-dir=x',
    'tvg-chno=9',
    'tvg-id=',
    'tvg-name="x"',
    'group-title="x"',
  ],
  ...['catchup=shift', 'timeshift=3', 'tvg-shift=2', 'realtime="false"', 'tvg-logo=http://evil/x', 'url-tvg=', 'x'],
  ...['\n#EXTINF:-1,evil\nhttp://evil/', '#genre#', ',#genre#', 'http://evil/', '\n#EXTGRP:x', '央视', 'é', '\ufeff'],
];
const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.constantFrom(...tricks), { maxLength: 5 }).map((parts) => parts.join('')),
);
const said = fc.record({
  name: odd,
  tvgId: fc.option(odd),
  number: fc.option(odd),
  groups: fc.array(odd, { maxLength: 3 }),
  extras: fc.option(
    fc.record({
      attributes: fc.array(fc.tuple(fc.oneof(odd, fc.constantFrom('tvg-country', 'xRadio', 'tvg-logo', 'lang')), odd), {
        maxLength: 2,
      }),
      directives: fc.array(
        fc.record({
          name: fc.constantFrom('EXTX', 'EXTVLCOPT', 'KODIPROP', 'EXTGRP', 'EXTINF'),
          value: odd,
          before: fc.boolean(),
        }),
        { maxLength: 2 },
      ),
      headers: fc.dictionary(odd, odd, { maxKeys: 2 }),
      hints: fc.dictionary(fc.constantFrom(...profileIds), fc.array(odd, { maxLength: 2 }), { maxKeys: 2 }),
    }),
  ),
});
/** Whether the relay carries it. */
const wild = fc
  .tuple(said, fc.boolean())
  .map(([given, isOurs]) => (isOurs ? channel(given) : direct('http://h/1', given)));

const first = channel({ key: 'first222', name: 'First', number: '1', groups: ['A'], tvgId: 'first' });
const last = channel({ key: 'last2222', name: 'Last', groups: ['B'] });
const around = (middle: Channel) => [first, middle, last];
const pathOf = (url: string) => url.replace(/\.ts$|\|.*$/g, '');
const addresses = (middle: Channel) => [
  `${base}/stream/first222`,
  middle.direct ?? `${base}/stream/${middle.key}`,
  `${base}/stream/last2222`,
];

test('whatever a channel is called, Kodi reads it with its id and no more, and its neighbours as they are', () =>
  fc.assert(
    fc.property(wild, (middle) => {
      const { channels } = readAsKodi(listOf(around(middle), 'kodi'));
      assert.deepEqual(
        channels.map(({ url }) => pathOf(url)),
        addresses(middle),
      );
      const [before, read, behind] = channels;
      assert.deepEqual([before?.name, before?.number, before?.groups], ['First', '1', ['A']]);
      assert.deepEqual([behind?.name, behind?.number, behind?.groups], ['Last', null, ['B']]);
      assert.deepEqual(behind?.properties, { mimetype: 'video/mp2t' });
      assert.equal(read?.id, Buffer.from(guideId(middle)).toString());
      assert.equal(read?.tvgName, read?.name);
      assert.ok(read?.name !== '' && !/["\n\r]/.test(read?.name ?? ''));
      const { isRadio, isRecording, isRealTime, hasCatchup, shift, logo } = read ?? {};
      assert.deepEqual([isRadio, isRecording, isRealTime, hasCatchup, shift, logo], [false, false, true, false, 0, '']);
      assert.match(read?.number ?? '0', /^\d+(?:\.\d+)?$/);
      if (!/\d/.test(middle.number ?? '')) assert.equal(read?.number, null);
    }),
    { numRuns: 600 },
  ));

test('whatever a channel is called, Jellyfin reads one channel of its id and the name that stands in tvg-name', () =>
  fc.assert(
    fc.property(wild, (middle) => {
      const list = listOf(around(middle), 'jellyfin');
      const channels = readAsJellyfin(list);
      assert.deepEqual(
        channels.map(({ url }) => pathOf(url)),
        addresses(middle),
      );
      const [, read] = channels;
      assert.deepEqual([read?.id, read?.logo], [Buffer.from(guideId(middle)).toString(), null]);
      assert.equal(read?.name, [...list.matchAll(/^#EXTINF.* tvg-name="([^"]*)"/gm)][1]?.[1]);
      assert.deepEqual([channels[0]?.name, channels[2]?.name, channels[2]?.number], ['First', 'Last', null]);
    }),
    { numRuns: 600 },
  ));

for (const profile of profileIds.filter((id) => id !== 'vlc')) {
  test(`${profile}: whatever a channel is called, iptv-playlist-parser reads three channels with names, ids and addresses`, () =>
    fc.assert(
      fc.asyncProperty(wild, async (middle) => {
        const { items } = await parser.parse(listOf(around(middle), profile));
        assert.deepEqual(
          items.map(({ url }) => pathOf(url)),
          addresses(middle),
        );
        assert.deepEqual([items[0]?.name, items[2]?.name], ['First', 'Last']);
        assert.equal(items[1]?.tvg.id, Buffer.from(guideId(middle)).toString());
        assert.equal(items[1]?.name, items[1]?.tvg.name);
        assert.deepEqual([items[1]?.tvg.logo, items[2]?.group.title, items[1]?.catchup.type], ['', 'B', '']);
      }),
      { numRuns: 100 },
    ));
}

test('whatever a channel is called, VLC shows one entry for it, and its neighbours as they are', () =>
  fc.assert(
    fc.property(wild, (middle) => {
      const entries = readAsVlc(listOf(around(middle), 'vlc'));
      assert.deepEqual(
        entries.map(({ url }) => url),
        addresses(middle),
      );
      assert.deepEqual([entries[0]?.name, entries[2]?.name, entries[2]?.options], ['First', 'Last', []]);
      assert.ok(listOf([middle], 'vlc').includes(` tvg-name="${entries[1]?.name}"`));
    }),
    { numRuns: 500 },
  ));

test('whatever a channel is called, the TVBox family reads one channel for it in either format', () =>
  fc.assert(
    fc.property(wild, (middle) => {
      const list = listOf(around(middle), 'tvbox');
      const channels = readM3uAsTvbox(list);
      assert.deepEqual(
        channels.map(({ url }) => url),
        addresses(middle),
      );
      assert.deepEqual([channels[0]?.name, channels[2]?.name, channels[2]?.groups], ['First', 'Last', ['B']]);
      const txt = readTxtAsTvbox(listOf(around(middle), 'tvbox', 'txt'));
      assert.deepEqual(txt.flatMap(({ urls }) => urls).toSorted(), addresses(middle).toSorted());
      assert.deepEqual(txt.find(({ name }) => name === 'Last')?.group, 'B');
    }),
    { numRuns: 500 },
  ));

test('whatever a channel is called, our own reader takes the generic list for three channels', () =>
  fc.assert(
    fc.property(wild, (middle) => {
      const { entries } = readPlaylist(Buffer.from(listOf(around(middle))));
      assert.deepEqual(
        entries.map(({ urls: [one] }) => one?.url),
        addresses(middle),
      );
      assert.deepEqual([entries[0]?.name, entries[2]?.name, entries[2]?.groups], ['First', 'Last', ['B']]);
    }),
    { numRuns: 500 },
  ));

const word = fc.string({ unit: fc.constantFrom(..."abcXYZ0189éß央视&<>'()[]!?+*/.@~^"), minLength: 1, maxLength: 8 });
const tame = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

test('names, ids, numbers and groups of ordinary characters are read back by every reader as they were given', () =>
  fc.assert(
    fc.asyncProperty(
      fc.record({
        name: tame,
        tvgId: tame.map((id) => `i${id}`),
        groups: fc.uniqueArray(tame, { minLength: 1, maxLength: 3 }),
        number: fc.nat(9999),
      }),
      async ({ name, tvgId, groups, number }) => {
        const given = [channel({ name, tvgId, groups, number: `${number + 1}` })];
        const [kodi] = readAsKodi(listOf(given, 'kodi')).channels;
        const facts = [name, tvgId, `${number + 1}`, groups];
        assert.deepEqual([kodi?.name, kodi?.id, kodi?.number, kodi?.groups], facts);
        const [jellyfin] = readAsJellyfin(listOf(given, 'jellyfin'));
        const jellyfinName = jellyfin?.name.replace('\u00a0', ' ');
        assert.deepEqual(
          [jellyfinName, jellyfin?.id, jellyfin?.number, jellyfin?.groups],
          [...facts.slice(0, 3), groups.slice(0, 1)],
        );
        const { items } = await parser.parse(listOf(given));
        assert.deepEqual([items[0]?.name, items[0]?.tvg.id, items[0]?.group.title], [name, tvgId, groups.join(';')]);
        const [own] = readPlaylist(Buffer.from(listOf(given))).entries;
        assert.deepEqual([own?.name, own?.tvgId, own?.number, own?.groups], facts);
        const [box] = readM3uAsTvbox(listOf(given, 'tvbox'));
        assert.deepEqual([box?.name, box?.id, box?.groups], [name, tvgId, groups.slice(0, 1)]);
        const [txt] = readTxtAsTvbox(listOf(given, 'tvbox', 'txt'));
        assert.deepEqual([txt?.name, txt?.group], [name, groups[0]]);
        assert.equal(readAsVlc(listOf(given, 'vlc'))[0]?.name, name);
      },
    ),
    { numRuns: 200 },
  ));
