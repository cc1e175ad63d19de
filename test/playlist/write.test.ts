import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Channel } from '../../src/model/channel.js';
import { readPlaylist } from '../../src/playlist/read/read.js';
import { writePlaylist } from '../../src/playlist/write.js';

const base = 'http://192.0.2.1:5140';
const upstream = { kind: 'udp', address: '239.1.1.1', port: 5000, source: null, interface: null } as const;
const channel = (given: Partial<Channel>): Channel => ({
  ...{ id: 1, key: 'abcd2345', name: 'News', groups: [], logo: null, tvgId: null, upstream, membershipRefresh: null },
  ...given,
});

test('a list is the header, then a line of attributes and the address right below it', () => {
  const full = channel({ groups: ['News', 'HD'], logo: 'http://l/n.png', tvgId: 'news.uk' });
  assert.equal(
    writePlaylist([full, channel({ key: 'wxyz6789', name: 'Film' })], { base, guideUrl: `${base}/epg.xml` }),
    `#EXTM3U x-tvg-url="${base}/epg.xml" url-tvg="${base}/epg.xml"\n` +
      '#EXTINF:-1 tvg-id="news.uk" tvg-name="News" tvg-logo="http://l/n.png" group-title="News;HD",News\n' +
      `${base}/stream/abcd2345\n` +
      `#EXTINF:-1 tvg-id="wxyz6789" tvg-name="Film",Film\n${base}/stream/wxyz6789\n`,
  );
});

test('no channels give a header alone', () => assert.equal(writePlaylist([], { base }), '#EXTM3U\n'));

test('M32: channels of one id are all written', () => {
  const list = writePlaylist([channel({ tvgId: 'same' }), channel({ tvgId: 'same', key: 'wxyz6789' })], { base });
  assert.deepEqual(list.match(/^http.*$/gm), [`${base}/stream/abcd2345`, `${base}/stream/wxyz6789`]);
});

const names: [name: string, written: string][] = [
  ['Good, Bad', 'Good，Bad'],
  ['The "Best"', "The 'Best'"],
  ['Two\nlines\r\tmore\u2028end', 'Two lines more end'],
  ['  ', 'abcd2345'],
  ["L'Exemple Zoë 央视", "L'Exemple Zoë 央视"],
];

for (const [name, written] of names) {
  test(`the name ${JSON.stringify(name)} is written ${JSON.stringify(written)}`, () => {
    const [, line] = writePlaylist([channel({ name })], { base }).split('\n');
    assert.equal(line, `#EXTINF:-1 tvg-id="abcd2345" tvg-name="${written}",${written}`);
  });
}

const logos: [logo: string, written: string | null][] = [
  ['http://l/a b"c.png', 'http://l/a%20b%22c.png'],
  ['http://l/?media=1', 'http://l/?media%3D1'],
  ['no address', null],
];

for (const [logo, written] of logos) {
  test(`the logo ${JSON.stringify(logo)} is written ${JSON.stringify(written)}`, () => {
    const found = /tvg-logo="([^"]*)"/.exec(writePlaylist([channel({ logo })], { base }))?.[1] ?? null;
    assert.equal(found, written);
  });
}

test('whatever a provider says, each channel is two lines that our own reader reads back', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  const odd = fc.oneof(text, fc.constantFrom('a", b', '\r\n#EXTINF:-1,x', '",group-title="', ',', '""'));
  const said = fc.record({ name: odd, tvgId: odd, groups: fc.array(odd, { maxLength: 2 }), logo: fc.option(odd) });
  fc.assert(
    fc.property(said, (given) => {
      const list = writePlaylist([channel(given), channel({ key: 'wxyz6789' })], { base });
      assert.equal(list.split('\n').length, 6);
      const { entries, problems } = readPlaylist(Buffer.from(list));
      assert.deepEqual(problems, []);
      assert.deepEqual(
        entries.map(({ urls }) => urls[0]?.url),
        [`${base}/stream/abcd2345`, `${base}/stream/wxyz6789`],
      );
    }),
    { numRuns: 500 },
  );
});
