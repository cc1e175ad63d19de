import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readGuide } from '../../../../src/epg/read/read.js';
import type { ProgrammeContent } from '../../../../src/model/programme.js';

const now = Date.UTC(2024, 0, 1) / 1000;

async function read(content: string, attributes = '') {
  const body = `<tv><programme start="20240101120000" channel="a" ${attributes}>${content}</programme></tv>`;
  const found = await readGuide(Readable.from([Buffer.from(body)]), { wanted: 'all', now, timeZone: 'Europe/Berlin' });
  const problems = Object.fromEntries(found.problems.map(({ code, count }) => [code, count]));
  return { content: found.byChannel.get('a')?.[0]?.content, problems };
}

const elements: readonly [string, Partial<ProgrammeContent>][] = [
  ['<sub-title> The\n  pilot </sub-title>', { subTitles: [{ text: 'The pilot', lang: null }] }],
  ['<desc>One\n\n\n  two  three\nfour</desc>', { descs: [{ text: 'One\n\ntwo three\nfour', lang: null }] }],
  [
    '<credits><actor role="R" guest="yes">A<image type="person" size="3">http://i</image><url system="imdb">http://u</url></actor><director>D</director></credits>',
    {
      credits: [
        {
          as: 'actor',
          name: 'A',
          role: 'R',
          guest: true,
          images: [{ url: 'http://i', type: 'person', size: '3', orient: null, system: null }],
          urls: [{ url: 'http://u', system: 'imdb' }],
        },
        { as: 'director', name: 'D', role: null, guest: false, images: [], urls: [] },
      ],
    },
  ],
  ['<date>2024</date>', { date: '2024' }],
  ['<category lang="en">News</category>', { categories: [{ text: 'News', lang: 'en' }] }],
  ['<keyword>k</keyword>', { keywords: [{ text: 'k', lang: null }] }],
  ['<language>de</language>', { language: { text: 'de', lang: null } }],
  ['<orig-language>fr</orig-language>', { origLanguage: { text: 'fr', lang: null } }],
  ['<length units="minutes">90</length>', { length: { value: 90, units: 'minutes' } }],
  [
    '<icon src="http://p?a=1&amp;b=2" width="10" height="20"/>',
    { icons: [{ src: 'http://p?a=1&b=2', width: 10, height: 20 }] },
  ],
  ['<url>http://w</url>', { urls: [{ url: 'http://w', system: null }] }],
  ['<country>GB</country>', { countries: [{ text: 'GB', lang: null }] }],
  [
    '<episode-num system="xmltv_ns">1 . 2 . 0/1</episode-num>',
    { episodes: [{ system: 'xmltv_ns', value: '1 . 2 . 0/1' }] },
  ],
  ['<video><aspect>16:9</aspect><quality>HDTV</quality></video>', { video: { aspect: '16:9', quality: 'HDTV' } }],
  ['<audio><stereo>dolby</stereo></audio>', { audio: { stereo: 'dolby' } }],
  [
    '<previously-shown start="20230601100000" channel="b"/>',
    { previouslyShown: { start: '20230601080000 +0000', channel: 'b' } },
  ],
  ['<premiere/>', { premiere: { text: '', lang: null } }],
  ['<last-chance lang="en">Really</last-chance>', { lastChance: { text: 'Really', lang: 'en' } }],
  ['<new/>', { isNew: true }],
  [
    '<subtitles type="teletext"><language>en</language></subtitles>',
    { subtitles: [{ type: 'teletext', language: { text: 'en', lang: null } }] },
  ],
  [
    '<rating system="FSK"><value>12</value><icon src="http://r"/></rating>',
    { ratings: [{ value: '12', system: 'FSK', icons: [{ src: 'http://r', width: null, height: null }] }] },
  ],
  ['<star-rating><value>3 / 5</value></star-rating>', { starRatings: [{ value: '3 / 5', system: null, icons: [] }] }],
  [
    '<review type="text" reviewer="X">Good</review>',
    { reviews: [{ type: 'text', value: 'Good', source: null, reviewer: 'X', lang: null }] },
  ],
  [
    '<image type="poster" orient="P">http://m</image>',
    { images: [{ url: 'http://m', type: 'poster', size: null, orient: 'P', system: null }] },
  ],
];

test('all that the DTD knows is kept, in whatever order it stands', async () => {
  const expected = Object.assign({ titles: [{ text: 'T', lang: null }] }, ...elements.map(([, content]) => content));
  const forward = elements.map(([xml]) => xml).join('\n');
  const backward = elements
    .map(([xml]) => xml)
    .reverse()
    .join('');
  assert.deepEqual(await read(`<title>T</title>${forward}`), { content: expected, problems: {} });
  assert.deepEqual(await read(`${backward}<title>T</title>`), { content: expected, problems: {} });
});

test('attributes that are neither time nor channel are kept', async () => {
  const { content } = await read('<title>T</title>', 'showview="1" clumpidx="0/2" pdc-start="20240101" own="x"');
  assert.deepEqual(content?.attributes, { 'pdc-start': '20240101', showview: '1', clumpidx: '0/2' });
});

test('what the DTD does not know is left out and counted, and values that it does not allow are', async () => {
  const { content, problems } = await read(
    '<title>T</title><live/><quality>HD</quality><video><fps>50</fps></video><credits><stunt>S</stunt></credits>' +
      '<length units="days">1</length><image type="banner">http://i</image><icon/><date>1</date><date>2024</date>' +
      '<language>de</language><language>en</language>',
  );
  assert.deepEqual(problems, { 'unknown-element': 4, 'bad-value': 5 });
  const image = { url: 'http://i', type: null, size: null, orient: null, system: null };
  assert.deepEqual(content, {
    titles: [{ text: 'T', lang: null }],
    images: [image],
    date: '2024',
    language: { text: 'de', lang: null },
  });
});

test('text on both sides of an element that is not to be in it keeps its place, as does what CDATA holds', async () => {
  const { content, problems } = await read(
    '<title>A <x>B <y/>C</x> D <![CDATA[<b> &amp; ]]>E</title><category>F<z>&amp;</z></category>',
  );
  assert.deepEqual(content, {
    titles: [{ text: 'A B C D <b> &amp; E', lang: null }],
    categories: [{ text: 'F&', lang: null }],
  });
  assert.deepEqual(problems, { 'unknown-element': 3 });
});

test('an episode number without a system is one as it is shown on the screen, as the DTD has it', async () => {
  const { content } = await read('<title>T</title><episode-num>E42</episode-num>');
  assert.deepEqual(content?.episodes, [{ system: 'onscreen', value: 'E42' }]);
});

test('elements that come again in every programme keep their place, and what they tell is told each time', async () => {
  const content =
    '<category>News</category><title>T</title><category>A &amp; B</category><date>2024</date><rating><value>12</value></rating>' +
    '<category lang="en">X & Y</category><category>News</category><premiere/><length units="days">1</length>';
  for (let time = 0; time < 3; time += 1) {
    const { content: found, problems } = await read(content);
    assert.deepEqual(Object.keys(found ?? {}), ['categories', 'titles', 'date', 'ratings', 'premiere']);
    assert.deepEqual(found?.categories, [
      { text: 'News', lang: null },
      { text: 'A & B', lang: null },
      { text: 'X & Y', lang: 'en' },
      { text: 'News', lang: null },
    ]);
    assert.deepEqual(found?.ratings, [{ value: '12', system: null, icons: [] }]);
    assert.deepEqual(problems, { 'bare-ampersand': 1, 'bad-value': 1 });
  }
});

test('a long text keeps its references, line feeds and whatever looks like the end of CDATA', async () => {
  const long = 'It goes on and on and on and on and on';
  const { content, problems } = await read(
    `<title>${long} &amp;lt; &eacute; ]]</title><desc>${long}\r\n ]]&gt; ]]> ${long}<!-- ]]> -->${long}</desc>`,
  );
  assert.deepEqual(content, {
    titles: [{ text: `${long} &lt; é ]]`, lang: null }],
    descs: [{ text: `${long}\n]]> ]]> ${long}${long}`, lang: null }],
  });
  assert.deepEqual(problems, {});
});
