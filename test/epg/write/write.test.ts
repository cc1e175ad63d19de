import assert from 'node:assert/strict';
import { test } from 'node:test';
import { titleLimit } from '../../../src/epg/write/profiles.js';
import { type WrittenChannel, writeGuide } from '../../../src/epg/write/write.js';
import type { ProgrammeContent, TimelineItem } from '../../../src/model/programme.js';
import { needs } from '../../support/needs.js';
import { dtdProblems } from '../../support/xmllint.js';
import { whole, written } from './whole.js';

const start = Date.UTC(2024, 0, 1, 12) / 1000;
const item = (content: ProgrammeContent, hours = 0): TimelineItem => {
  return { start: start + hours * 3600, stop: start + (hours + 1) * 3600, content, from: null };
};
const titled = (text: string, hours = 0) => item({ titles: [{ text, lang: null }] }, hours);
const channel = (id: string, items: readonly TimelineItem[], names: readonly string[] = ['News']): WrittenChannel => {
  return { id, names, icon: null, items: () => items };
};
const guide = (channels: readonly WrittenChannel[], limit: number | null = null) =>
  [...writeGuide({ channels, titleLimit: limit })].join('');

/** The guide as it is written, once xmllint has found it valid. */
function valid(channels: readonly WrittenChannel[], limit: number | null = null): string {
  const text = guide(channels, limit);
  assert.equal(dtdProblems({ text }), '');
  return text;
}

const skip = needs('xmllint', 'xmltv');

test('a guide begins with the prolog, in its first byte (X08), also when it is empty', { skip }, () => {
  for (const text of [valid([]), valid([channel('a', [titled('A')])])]) {
    assert.equal(Buffer.from(text).subarray(0, 5).toString(), '<?xml');
    assert.ok(text.endsWith('</tv>\n'));
  }
});

test('ids are escaped in the channel and in its programmes alike (X13)', { skip }, () => {
  const text = valid([channel('A&E "HD"<1>', [titled('A')])]);
  assert.equal(text.split(' id="A&amp;E &quot;HD&quot;&lt;1&gt;"').length, 2);
  assert.equal(text.split(' channel="A&amp;E &quot;HD&quot;&lt;1&gt;"').length, 2);
});

test('a text is UTF-8 with `&amp;` (X14)', { skip }, () => {
  assert.match(valid([channel('a', [titled('Zoë & Çelik')])]), /<title>Zoë &amp; Çelik<\/title>/);
});

test('a title of 300 characters is whole, and cut to 255 for TVBox players, its siblings kept (X16)', { skip }, () => {
  const items = [titled('before'), titled('x'.repeat(300), 1), titled('😀'.repeat(300), 2), titled('behind', 3)];
  const titles = (text: string) => [...text.matchAll(/<title>([^<]*)</g)].map(([, title]) => title);
  const all = ['before', 'x'.repeat(300), '😀'.repeat(300), 'behind'];
  assert.deepEqual(titles(valid([channel('a', items)], titleLimit('generic'))), all);
  assert.deepEqual(titles(valid([channel('a', items)], titleLimit('tvbox'))), [
    ...['before', `${'x'.repeat(254)}…`, `${'😀'.repeat(254)}…`, 'behind'],
  ]);
});

test('all that the DTD knows is written in its order, and words that it does not know are left out', { skip }, () => {
  const head = '<programme start="20240101120000 +0000" stop="20240101130000 +0000"';
  const attributes = 'showview="12" vps-start="20240102120000 +0000" channel="a"';
  assert.ok(valid([channel('a', [item(whole)])]).includes(`  ${head} ${attributes}>${written}</programme>\n`));
});

test('channels stand before programmes, each with its names once and in order, and with its picture', { skip }, () => {
  const picture = { ...channel('b', [titled('B')], ['', '']), icon: 'http://h/logos/b?v=1&x' };
  const text = valid([channel('a', [titled('A')], ['News, HD', '5', 'News, HD', '7']), picture]);
  assert.equal(
    text,
    [
      '<?xml version="1.0" encoding="UTF-8"?>\n<tv generator-info-name="Weir">\n',
      '  <channel id="a"><display-name>News, HD</display-name><display-name>5</display-name>',
      '<display-name>7</display-name></channel>\n',
      '  <channel id="b"><display-name>b</display-name><icon src="http://h/logos/b?v=1&amp;x"/></channel>\n',
      '  <programme start="20240101120000 +0000" stop="20240101130000 +0000" channel="a"><title>A</title></programme>\n',
      '  <programme start="20240101120000 +0000" stop="20240101130000 +0000" channel="b"><title>B</title></programme>\n',
      '</tv>\n',
    ].join(''),
  );
});

test('what XML forbids is left out: control characters, halves of characters, non-characters', { skip }, () => {
  const text = valid([channel('a\t\n\0', [titled('a\0b\u001fc\ud800d\udc00e\uffff\u0085f😀')])]);
  assert.match(text, /<title>abcdef😀<\/title>/);
  assert.match(text, /<channel id="a&#9;&#10;">/);
});

test('a long guide comes in pieces of which none is much longer than the texts in it', () => {
  const items = Array.from({ length: 2000 }, (_, index) => titled(`Programme ${index}`, index));
  const pieces = [...writeGuide({ channels: [channel('a', items)], titleLimit: null })];
  assert.ok(pieces.length > 5);
  assert.ok(pieces.every(({ length }) => length < 17_000));
});
