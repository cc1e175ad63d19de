import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Guide, readGuide } from '../../../src/epg/read/read.js';
import { WeirError } from '../../../src/lib/errors.js';
import { linkKey } from '../../../src/model/guide.js';
import { cases, guide, programme } from './cases.js';

const now = Date.UTC(2024, 0, 1) / 1000;

async function read(body: string | Uint8Array, encoding: string | null = null): Promise<Guide> {
  return await readGuide(Readable.from([Buffer.from(body)]), { wanted: 'all', now, encoding });
}

function titles({ byChannel }: Guide, id: string): string[] {
  return (byChannel.get(linkKey(id)) ?? []).map(({ content }) => content.titles[0]?.text ?? '');
}

function counts({ problems }: Guide): Record<string, number> {
  return Object.fromEntries(problems.map(({ code, count }) => [code, count]));
}

for (const { id, title, body, titles: wanted, problems, refusal = null } of cases)
  test(`${id}: ${title}`, async () => {
    const found = await read(body);
    assert.equal(found.refusal, refusal);
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((one) => [one, titles(found, one)])), wanted);
    assert.equal(found.byChannel.size, Object.keys(wanted).length);
    assert.deepEqual(counts(found), problems);
  });

test('a date that is none is not there, and one in digits is', async () => {
  const dates = ['2', '2024', '202401', '2024-01-31', '20240131 +0100', '2024-01-31T10:00:00Z', '20241301', 'soon'];
  const found = await read(guide(...dates.map((date, at) => programme(at, `<title>T</title><date>${date}</date>`))));
  const said = found.byChannel.get('a')?.map(({ content }) => content.date ?? null);
  assert.deepEqual(said, [null, '2024', '202401', '20240131', '20240131', '20240131100000', null, null]);
  assert.deepEqual(counts(found), { 'bad-value': 3 });
});

test('the encoding that the source is set to goes before the one that is declared', async () => {
  const body = Buffer.from(
    `<?xml version="1.0" encoding="ISO-8859-1"?><tv>${programme(1, '<title>\u00cd\u00ee</title>')}</tv>`,
    'latin1',
  );
  assert.deepEqual(titles(await read(body), 'a'), ['Íî']);
  assert.deepEqual(titles(await read(body, 'windows-1251'), 'a'), ['Но']);
});

test('Chinese text that is not UTF-8 is read as GB 18030', async () => {
  // 新闻联播 with what is around it in ASCII.
  const title = Buffer.from('d0c2cec5c1aab2a5', 'hex');
  const body = Buffer.concat([
    Buffer.from('<tv><programme start="20240101120000" channel="a"><title>'),
    title,
    Buffer.from('</title></programme></tv>'),
  ]);
  const found = await read(body);
  assert.deepEqual(titles(found, 'a'), ['新闻联播']);
  assert.deepEqual(counts(found), { 'wrong-encoding': 1 });
});

test('channels are listed in file order, one for each id in any case, then those that programmes alone name', async () => {
  const found = await read(
    guide(
      programme(12, '<title>T</title>', 'B'),
      '<channel id="a"><display-name lang="en">A</display-name><icon src="http://1" width="5"/></channel>',
      '<channel id="A"><display-name lang="en">A</display-name><display-name>A 2</display-name><url>http://u</url></channel>',
      '<channel id=" "><display-name>None</display-name></channel>',
    ),
  );
  assert.deepEqual(found.channels, [
    {
      guideId: 'a',
      names: [
        { text: 'A', lang: 'en' },
        { text: 'A 2', lang: null },
      ],
      icons: [{ src: 'http://1', width: 5, height: null }],
      urls: [{ url: 'http://u', system: null }],
    },
    { guideId: 'B', names: [], icons: [], urls: [] },
  ]);
  assert.deepEqual(counts(found), { 'duplicate-channel': 1, 'no-channel': 1 });
});

test('programmes that cannot be read are not counted, and an end that is not said is the start', async () => {
  const found = await read(
    guide(
      programme(10, '<title>T</title>'),
      programme(3, '<title>T<date></title>'),
      '<programme start="20240101230000" channel="b"><title>T</title></programme>',
    ),
  );
  assert.deepEqual(found.programmes, { count: 2, first: now + 10 * 3600, last: now + 23 * 3600 });
});

test('only the programmes of wanted channels are kept, and all are read', async () => {
  const body = guide(programme(1, '<title>A</title>'), programme(2, '<title>B<x></title>', 'b'));
  const found = await readGuide(Readable.from([Buffer.from(body)]), { wanted: (key) => key === 'a', now });
  assert.deepEqual([...found.byChannel.keys()], ['a']);
  assert.deepEqual(counts(found), { 'bad-nesting': 1 });
});

test('of a guide whose bytes end in a fault, what came before is read and the fault is told', async () => {
  async function* chunks() {
    yield Buffer.from(guide(programme(1, '<title>A</title>'), programme(2, '<title>B</title>')));
    await Promise.resolve();
    throw new WeirError('invalid', 'The gzip file is cut off: its end is missing.');
  }
  const found = await readGuide(chunks(), { wanted: 'all', now });
  assert.deepEqual(titles(found, 'a'), ['A', 'B']);
  assert.deepEqual(counts(found), { truncated: 1 });
});

test('what has nothing in it that can be read is refused', async () => {
  const found = await read(guide('<programme start="20240101120000" channel="a"><title>T</programme>'));
  assert.deepEqual(counts(found), { 'bad-nesting': 1 });
  assert.equal(found.channels[0]?.guideId, 'a');
  assert.equal((await read('<tv></tv>')).refusal, 'It names no channel, and holds no programme that can be read.');
});

test('whatever stands in a programme, its siblings are read', async () => {
  const parts = [
    '<',
    '>',
    '</',
    '/>',
    'title',
    'b',
    '&',
    '"',
    "'",
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    ' ',
    'x',
    '=',
    '\u0000',
    'é',
  ];
  const junk = fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((some) => some.join(''));
  await fc.assert(
    fc.asyncProperty(junk, async (text) => {
      // What opens a comment or CDATA hides what comes after it: that is no other element then.
      fc.pre(!/<!(?:--|\[CDATA\[)/.test(text));
      const body = guide(
        programme(1, '<title>A</title>'),
        programme(2, `<title>${text}</title>`),
        programme(3, '<title>C</title>'),
      );
      const found = titles(await read(body), 'a');
      assert.equal(found[0], 'A');
      assert.equal(found.at(-1), 'C');
    }),
    { numRuns: 300 },
  );
});
