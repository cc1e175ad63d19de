import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { programme, scan, titles } from './events.js';

/** Whole and broken pieces of guides. */
const pieces = [
  ...[
    '<tv>',
    '</tv>',
    '</tv',
    '</tvx>',
    '<?xml version="1.0"?>',
    '<!DOCTYPE tv SYSTEM "xmltv.dtd">',
    '<!DOCTYPE tv [',
    ']>',
  ],
  ...['<!--', '-->', '<![CDATA[', ']]>', '<!', '!', '<', '>', '"', "'", '&', ' ', '\n', '/', '=', 'x'.repeat(50)],
  ...[
    '<channel id="c"><display-name>C</display-name></channel>',
    '<channel id="d"/>',
    '<channel',
    '</channel>',
    '<channels>',
  ],
  ...[
    programme('T'),
    programme('U', 'start="20240101130000" channel="b" stop="x"'),
    '<programme ',
    '</programme >',
    '<programmes/>',
  ],
  ...['<programme start="20240101120000 +0000" channel="a">', '<programme channel="a" start="2024"/>', '</programme>'],
  ...['<icon src="', '"/>', '<title>!</title>', 'start="20240101"'],
];
const guide = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const lead = 1024;
/** Longer than what is copied where two chunks meet. */
const filler = `\n${' '.repeat(3000)}\n`;

test('however a guide is cut into chunks, the same is told', () => {
  fc.assert(
    fc.property(guide, cuts, fc.boolean(), (text, sizes, wanted) => {
      // Nothing is told before it is known how the first bytes are to be read.
      const padded = ' '.repeat(lead) + text;
      const whole = scan(padded, { wanted: () => wanted });
      assert.deepEqual(scan(padded, { cuts: sizes, lead, wanted: () => wanted }), whole);
      assert.deepEqual(scan(padded, { cuts: [1], lead, wanted: () => wanted }), whole);
      const long = padded + filler + text;
      const larger = sizes.map((size) => size * 97);
      assert.deepEqual(scan(long, { cuts: larger, lead, wanted: () => wanted }), scan(long, { wanted: () => wanted }));
    }),
    { numRuns: 500 },
  );
});

test('junk between elements loses none of them', () => {
  const junk = fc
    .array(
      fc.constantFrom('&', '<', '>', '"', ' = ', '<x>', '</x>', '</programme>', '</tv>', '<tv>', '&nbsp;', '\u0000'),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(' '))
    // A quotation mark in an open tag may hide what follows, as XML has it.
    .map((text) => `${text} >`);
  fc.assert(
    fc.property(fc.array(junk, { minLength: 1, maxLength: 6 }), (between) => {
      const guide = between.map((text, index) => `${programme(`T${index}`)}${text}`).join('');
      assert.deepEqual(
        titles(scan(`<tv>${guide}`)),
        between.map((_, index) => `T${index}`),
      );
    }),
  );
});
