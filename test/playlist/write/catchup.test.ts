import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { type Channel, type ProfileId, profileIds } from '../../../src/model/channel.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';
import { find } from '../../support/players/player.js';
import { readAsKodi } from '../../support/readers/kodi.js';
import { openParser } from '../../support/readers/parser.js';
import { base, channel, direct, listOf } from './channels.js';

const parser = openParser();
after(() => parser.close());

/** What each profile has of an archive of seven days. */
const dialects: Readonly<Record<ProfileId, string>> = {
  generic: 'catchup="shift" catchup-days="7"',
  jellyfin: 'catchup="shift" catchup-days="7"',
  vlc: 'catchup="shift" catchup-days="7"',
  kodi: `catchup="default" catchup-days="7" catchup-source="${base}/stream/abcd2345.ts?utc={utc}&utcend={utcend}&lutc={lutc}"`,
  tivimate: `catchup="default" catchup-days="7" catchup-source="${base}/stream/abcd2345.ts?utc=\${start}&utcend=\${end}&lutc=\${timestamp}"`,
  ott: `catchup="default" catchup-days="7" catchup-source="${base}/stream/abcd2345.ts?utc=\${start}&utcend=\${end}&lutc=\${timestamp}"`,
  aptv: `catchup="append" catchup-days="7" catchup-source="?starttime=\${(b)timestamp}&endtime=\${(e)timestamp}"`,
  tvbox: `catchup="append" catchup-days="7" catchup-source="?playseek=\${(b)yyyyMMddHHmmss}-\${(e)yyyyMMddHHmmss}"`,
};

/** What stands between the name of the guide's channel and the name. */
function past(given: Channel, profile: ProfileId): string {
  const [, found = ''] = / tvg-name="[^"]*" ?(.*),[^,]*$/.exec(listOf([given], profile).split('\n').at(-3) ?? '') ?? [];
  return found;
}

const archive = { days: 7, scheme: 'rtsp' } as const;

for (const profile of profileIds.filter((id) => id !== 'vlc')) {
  test(`${profile}: an archive that Weir carries is published in the player's own dialect`, () =>
    assert.equal(past(channel({ archive }), profile), dialects[profile]));
}

test('vlc: an archive is said in front of its options', () =>
  assert.match(listOf([channel({ archive })], 'vlc'), new RegExp(` ${dialects.vlc},News\n`)));

test('TXT says nothing of archives', () =>
  assert.equal(listOf([channel({ archive })], 'tvbox', 'txt'), listOf([channel({})], 'tvbox', 'txt')));

test('an archive that is reached by what Weir cannot carry yet is not published', () => {
  for (const scheme of ['http', 'https', 'other'] as const) {
    for (const profile of profileIds) assert.equal(past(channel({ archive: { days: 7, scheme } }), profile), '');
  }
});

test('an archive of ours never names the provider, whatever its list said of it (C07)', () => {
  const said = { mode: 'append', source: '?utc=$utc&duration=1800', days: 3, correction: null } as const;
  for (const profile of profileIds) {
    const given = channel({ direct: 'http://p/1.ts', archive: { days: 3, scheme: 'rtsp', said } });
    assert.doesNotMatch(listOf([given], profile), /http:\/\/p\/|\$utc|1800/);
  }
});

test("a channel that is published with its provider's address has the provider's archive, as it fits that address", () => {
  const said = { mode: 'append', source: '?utc=$utc&duration=1800', days: 3, correction: -1.5 } as const;
  const given = direct('http://p/1.ts', { archive: { days: 3, scheme: 'http', said } });
  const expected =
    'catchup="append" catchup-days="3" catchup-correction="-1.5" catchup-source="?utc=$utc&duration=1800"';
  for (const profile of ['generic', 'kodi', 'aptv'] as const) assert.equal(past(given, profile), expected);
});

test('a template of the provider ends no attribute and no line, and keeps the bars in its placeholders', () => {
  const source = `?a="\${(b)yyyyMMdd|UTC}\n#EXTINF:-1,evil&timeshift=3`;
  const given = direct('http://p/1.ts', {
    archive: { days: 3, scheme: 'http', said: { mode: 'append', source, days: null, correction: null } },
  });
  const expected = `catchup="append" catchup-source="?a=%22\${(b)yyyyMMdd|UTC} #EXTINF:-1,evil&%74imeshift=3"`;
  assert.equal(past(given, 'kodi'), expected);
});

const days = fc.integer({ min: 1, max: 30 });
const name = fc.string({ unit: fc.constantFrom(...'abc XYZ09é央,;\'"=$&{}'), minLength: 1, maxLength: 12 });

test('whatever a channel with an archive is called, Kodi, iptv-playlist-parser and our reader find mode, days and template', () =>
  fc.assert(
    fc.asyncProperty(days, name, fc.constantFrom(...profileIds), async (reach, called, profile) => {
      const list = listOf([channel({ name: called, archive: { days: reach, scheme: 'rtsp' } })], profile);
      const [, mode = '', , source = null] =
        /catchup="(\w+)" catchup-days="(\d+)"(?: catchup-source="([^"]*)")?/.exec(list) ?? [];
      const [kodi] = readAsKodi(list).channels;
      assert.equal(kodi?.hasCatchup, true);
      const [read] = readPlaylist(Buffer.from(list)).entries;
      assert.deepEqual(read?.catchup, { mode, source, days: reach, correction: null });
      const [item] = (await parser.parse(list)).items;
      assert.deepEqual(
        [item?.catchup.type, item?.catchup.days, item?.catchup.source],
        [mode, `${reach}`, source ?? ''],
      );
      assert.equal(
        find(
          list,
          list
            .trimEnd()
            .split('\n')
            .findLast((line) => line.startsWith('#EXTINF'))
            ?.split(',')
            .at(-1) ?? '',
        ).catchup,
        mode,
      );
    }),
    { numRuns: 200 },
  ));

test('without an archive a list is what it was', () => {
  for (const profile of profileIds) assert.doesNotMatch(listOf([channel({})], profile), /catchup/);
});
