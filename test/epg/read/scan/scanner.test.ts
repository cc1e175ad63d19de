import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScanner } from '../../../../src/epg/read/scan/scanner.js';
import { noon, problems, programme, scan, titles } from './events.js';

test('a guide without a prolog and with a line feed behind its end is read (X07)', () => {
  const { events, stats } = scan('<tv>\n<channel id="a"><display-name>A</display-name></channel></tv>\n');
  assert.deepEqual(events, ['5 channel <channel id="a"><display-name>A</display-name></channel>']);
  assert.equal(stats.closed, true);
});

test('three programmes of a line, closed in themselves, are three, and an offset with a colon counts (X19)', () => {
  const tag = '<programme start="20240101120000 +02:00" stop="20240101130000 +02:00" channel="A"/>';
  const { events, stats } = scan(`<tv>${tag}${tag}${tag}</tv>`);
  assert.equal(stats.programmes, 3);
  assert.deepEqual(
    events,
    [4, 4 + tag.length, 4 + 2 * tag.length].map((offset) => `${offset} a -7200 -3600 `),
  );
});

test('a time without a zone has that of the source, and UTC when it has none (X20)', () => {
  const guide = `<tv>${programme('T', 'start="20240101120000" channel="a"')}</tv>`;
  assert.equal(scan(guide, { timeZone: 'Europe/Berlin' }).stats.channels[0]?.first, noon - 3600);
  assert.equal(scan(guide).stats.channels[0]?.first, noon);
});

test('in an hour that comes twice a programme starts after the one before, and ends after it starts', () => {
  const times = ['013000-023000', '023000-023000', '023000-024500', '024500-031500'];
  const guide = times.map((time) => {
    const [start, stop] = time.split('-');
    return programme(time, `start="20241027${start}" stop="20241027${stop}" channel="a"`);
  });
  const scanned = scan(`<tv>${guide.join('')}</tv>`, { timeZone: 'Europe/Berlin' });
  const first = Date.parse('2024-10-26T23:30Z') / 1000 - noon;
  assert.deepEqual(
    scanned.events.map((event) =>
      event
        .split(' ')
        .slice(2, 4)
        .map((time) => (Number(time) - first) / 60),
    ),
    [
      [0, 60],
      [60, 120],
      [120, 135],
      [135, 165],
    ],
  );
});

test('attributes are read in any order, with either quotation mark or none, with blanks and `>` in them', () => {
  for (const attributes of [
    `channel='a>b' stop = "20240101130000 +0000"\n\tstart= '20240101120000 +0000' clumpidx="0/1"`,
    'start=20240101120000 stop=20240101130000 channel=a>b',
  ]) {
    const { events } = scan(`<tv>${programme('T', attributes)}</tv>`);
    const key = attributes.startsWith('channel') ? 'a>b' : 'a';
    const content = key === 'a' ? 'b><title>T</title>' : '<title>T</title>';
    assert.deepEqual(events, [`4 ${key} 0 3600 ${content}`]);
  }
});

test('the rest of unwanted programmes is not told, and all are counted', () => {
  const guide = `<tv>${programme('A')}${programme('B', 'start="20240102120000 +0000" stop="20240102130000 +0000" channel="b"')}</tv>`;
  const scanned = scan(guide, { wanted: (key) => key === 'a' });
  assert.deepEqual(titles(scanned), ['A']);
  const seen = { programmes: 1, near: 1 };
  assert.deepEqual(scanned.stats.channels, [
    { guideId: 'a', key: 'a', ...seen, first: noon, last: noon, soon: 1 },
    { guideId: 'b', key: 'b', ...seen, first: noon + 86_400, last: noon + 90_000, soon: 0 },
  ]);
  assert.deepEqual(scanned.stats.days, [
    { day: 19_723, programmes: 1 },
    { day: 19_724, programmes: 1 },
  ]);
  assert.equal(scanned.stats.median, noon);
});

test('tags in comments, CDATA sections, document types and attributes are none', () => {
  const hidden = programme('hidden');
  const guide = [
    `<!DOCTYPE tv [<!ENTITY x "${hidden.replaceAll('"', "'")}">]>`,
    `<tv><!-- ${hidden} </tv> --><![CDATA[ ${hidden} ]]>`,
    '<programme start="20240101120000 +0000" channel="a"><title><![CDATA[</programme><programme>]]></title>',
    '<!-- </programme> <channel id="x"/> --><icon src="</programme>"/></programme>',
    `<icon src="${hidden.replaceAll('"', "'").replaceAll('>', ' ')}"/>`,
    programme('B'),
    '</tv>',
  ].join('\n');
  for (const wanted of [true, false]) {
    const scanned = scan(guide, { wanted: () => wanted });
    assert.deepEqual(problems(scanned), []);
    assert.equal(scanned.stats.programmes, 2);
    assert.deepEqual(titles(scanned), wanted ? ['<![CDATA[</programme><programme>]]>', 'B'] : []);
  }
});

test('an element that is not closed is dropped alone', () => {
  const open = '<programme start="20240101120000 +0000" channel="a"><title>open</title>';
  for (const next of [programme('B'), '<channel id="b"></channel>', '</tv>']) {
    const scanned = scan(`<tv>${programme('A')}${open}${next}</tv>`);
    assert.deepEqual(problems(scanned), ['bad-nesting']);
    assert.deepEqual(titles(scanned), next.includes('title') ? ['A', 'B'] : ['A']);
    assert.equal(scanned.stats.closed, true);
  }
});

test('a start tag without its end or with a quotation mark missing costs no sibling', () => {
  for (const broken of [
    '<programme start="20240101120000 +0000" channel="a',
    '<programme start="20240101120000 channel=a',
  ]) {
    for (const rest of ['><title lang="en">broken</title></programme>', '\n']) {
      const scanned = scan(`<tv>${programme('A')}${broken}${rest}${programme('B')}</tv>`);
      assert.ok(titles(scanned).includes('A') && titles(scanned).includes('B'), broken + rest);
      assert.ok(problems(scanned).length > 0);
    }
  }
});

test('a comment without an end hides nothing', () => {
  const scanned = scan(`<tv>${programme('A')}<!-- ${programme('B')}</tv>`);
  assert.deepEqual(titles(scanned), ['A', 'B']);
  assert.deepEqual(problems(scanned), ['bad-markup']);
});

test('an element of more than a megabyte is skipped, and what follows is read', () => {
  const long = programme('x'.repeat(1024 * 1024));
  for (const cuts of [[], [60_000], [1_000_000]]) {
    const scanned = scan(`<tv>${programme('A')}${long}${programme('B')}</tv>`, { cuts });
    assert.deepEqual(titles(scanned), ['A', 'B']);
    assert.deepEqual(problems(scanned), ['element-too-long']);
  }
});

test('a programme is told to have no channel, no start, a start that is none or that is decades away', () => {
  const guide = [
    programme('1', 'start="20240101120000 +0000"'),
    programme('2', 'start="20240101120000 +0000" channel=" "'),
    programme('3', 'channel="a"'),
    programme('4', 'start="" channel="a"'),
    programme('5', 'start="tomorrow" channel="a"'),
    programme('6', 'start="19700101000000 +0000" channel="a"'),
  ];
  const scanned = scan(`<tv>${guide.join('')}</tv>`);
  assert.deepEqual(problems(scanned), ['no-channel', 'no-channel', 'no-time', 'bad-time', 'bad-time', 'too-far']);
  assert.equal(scanned.stats.programmes, 0);
});

test('a stop that is none, not after its start or a year later is not said', () => {
  const stops = ['later', '20240101120000 +0000', '20250101120000 +0000', ''];
  const guide = stops.map((stop) => programme('T', `start="20240101120000 +0000" stop="${stop}" channel="a"`));
  const scanned = scan(`<tv>${guide.join('')}</tv>`);
  assert.deepEqual(problems(scanned), ['bad-time', 'backwards', 'too-far']);
  assert.equal(scanned.events.filter((event) => / a 0 0 </.test(event)).length, 4);
});

test('ids are compared without case and blanks, their references are resolved, and the first spelling is kept', () => {
  const ids = ['A&amp;E', ' a&#38;e ', 'A&amp;E', 'Zo\u00eb', '0'];
  const guide = ids.map((id) => programme('T', `start="20240101120000 +0000" channel="${id}"`)).join('');
  const { channels } = scan(`<tv>${guide}</tv>`).stats;
  assert.deepEqual(
    channels.map(({ guideId, key, programmes }) => [guideId, key, programmes]),
    [
      ['A&E', 'a&e', 3],
      ['Zoë', 'zoë', 1],
      ['0', '0', 1],
    ],
  );
});

test('an id in the encoding of the prolog or of the source is read in it', () => {
  const guide = (prolog: string) =>
    Buffer.from(`${prolog}<tv>${programme('T', 'start="20240101" channel="\u00e0"')}</tv>`, 'latin1');
  assert.equal(scan(guide('<?xml version="1.0" encoding="ISO-8859-1"?>')).stats.channels[0]?.key, 'à');
  assert.equal(scan(guide(''), { encoding: 'windows-1251' }).stats.channels[0]?.key, 'а');
});

test('UTF-16 in either order of bytes, with a mark or without, is told as UTF-8', () => {
  const guide = `<?xml version="1.0" encoding="UTF-16"?><tv>${programme('Zoë').repeat(100)}</tv>`;
  const little = Buffer.from(guide, 'utf16le');
  const mark = Buffer.from('\ufeff', 'utf16le');
  for (const bytes of [little, Buffer.concat([mark, little]), Buffer.concat([mark, little]).swap16()]) {
    for (const cuts of [[], [7]]) {
      const scanned = scan(bytes, { cuts });
      assert.equal(Buffer.from(titles(scanned)[99] ?? '', 'latin1').toString(), 'Zoë');
      assert.equal(scanned.declared, 'utf-8');
      assert.equal(scanned.stats.closed, true);
    }
  }
});

test('a guide that ends early is told to be so, whether in an element, a start tag or between', () => {
  const guide = `<tv>${programme('A')}\n${programme('B')}</tv>`;
  for (let end = 20; end < guide.length - 1; end += 1) {
    const scanned = scan(guide.slice(0, end));
    assert.equal(problems(scanned).filter((code) => code === 'truncated').length, 1, `${end}`);
    assert.equal(scanned.stats.closed, false);
  }
  assert.deepEqual(problems(scan(guide)), []);
  assert.deepEqual(scan('').events, []);
});

test('several guides, one behind the other, are one', () => {
  const scanned = scan(
    `<?xml version="1.0"?><tv>${programme('A')}</tv>\n<?xml version="1.0"?><tv>${programme('B')}</tv>`,
  );
  assert.deepEqual(titles(scanned), ['A', 'B']);
  assert.deepEqual(problems(scanned), []);
});

test('a guide of any size is scanned in the memory of a few chunks, unwanted programmes make no objects (X28)', () => {
  let wanted = 0;
  const sink = {
    channel: () => undefined,
    head: () => false,
    programme: () => (wanted += 1),
    problem: () => undefined,
  };
  const scanner = createScanner(sink, { timeZone: null, encoding: null, now: noon });
  const chunk = Buffer.from(programme('x'.repeat(600)).repeat(300));
  scanner.push(Buffer.from('<tv>'));
  const before = process.memoryUsage();
  for (let size = 0; size < 100_000_000; size += chunk.length) scanner.push(chunk);
  const after = process.memoryUsage();
  assert.ok(after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers < 16e6);
  assert.ok(scanner.end().programmes > 140_000);
  assert.equal(wanted, 0);
});

test('an end of the guide in a comment or CDATA section is none, whatever follows', () => {
  for (const rest of ['<programmes/>', '<channels', '<programme channel="a"', `${programme('T').slice(0, -3)}`]) {
    for (const hidden of ['<!--</tv>-->', '<![CDATA[</tv>]]>'])
      assert.equal(scan(`<tv>${hidden}${rest}`).stats.closed, false, `${hidden}${rest}`);
  }
});
