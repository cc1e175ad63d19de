import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { timeText } from '../../../src/epg/write/programme.js';
import { writeGuide } from '../../../src/epg/write/write.js';
import { creditRoles, type ProgrammeContent, type TimelineItem } from '../../../src/model/programme.js';
import { needs } from '../../support/needs.js';
import { readAsJellyfin, readAsKodi } from '../../support/readers/xmltv-times.js';
import { dtdProblems } from '../../support/xmllint.js';

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(fc.constantFrom('&', '<', '>', '"', "'", ']]>', '\t', '\n', '\r', '&amp;', '\ud800', '\0', ' ', '央', 'a'), {
      maxLength: 6,
    })
    .map((parts) => parts.join('')),
);
const lang = fc.record({ text: odd, lang: fc.option(odd) });
const langs = fc.array(lang, { maxLength: 2 });
const icons = fc.array(fc.record({ src: odd, width: fc.option(fc.nat()), height: fc.option(fc.nat()) }), {
  maxLength: 2,
});
const urls = fc.array(fc.record({ url: odd, system: fc.option(odd) }), { maxLength: 1 });
const image = { url: odd, type: fc.option(odd), size: fc.option(odd), orient: fc.option(odd), system: fc.option(odd) };
const images = fc.array(fc.record(image), { maxLength: 1 });
const credit = fc.record({
  ...{ as: fc.constantFrom(...creditRoles), name: odd, role: fc.option(odd), guest: fc.boolean(), images, urls },
});
const rating = fc.record({ value: odd, system: fc.option(odd), icons });
const content: fc.Arbitrary<ProgrammeContent> = fc.record(
  {
    titles: fc.array(lang, { minLength: 1, maxLength: 2 }),
    ...{ subTitles: langs, descs: langs, credits: fc.array(credit, { maxLength: 3 }), date: odd, categories: langs },
    ...{ keywords: langs, language: lang, origLanguage: lang, icons, urls, countries: langs },
    length: fc.record({ value: fc.nat(), units: fc.constantFrom('seconds', 'minutes', 'hours') }),
    episodes: fc.array(fc.record({ system: fc.option(odd), value: odd }), { maxLength: 2 }),
    ...{ video: fc.record({ present: odd, aspect: odd }), audio: fc.record({ stereo: odd }) },
    previouslyShown: fc.record({ start: fc.option(odd), channel: fc.option(odd) }),
    ...{ premiere: lang, lastChance: lang, isNew: fc.constant(true) },
    subtitles: fc.array(fc.record({ type: fc.option(odd), language: fc.option(lang) }), { maxLength: 2 }),
    ...{ ratings: fc.array(rating, { maxLength: 1 }), starRatings: fc.array(rating, { maxLength: 1 }), images },
    attributes: fc.record({ clumpidx: odd }),
  },
  { requiredKeys: ['titles'] },
);
const item: fc.Arbitrary<TimelineItem> = fc
  .tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 1, max: 86_400 }), content)
  .map(([start, length, said]) => ({ start, stop: start + length, content: said, from: null }));
const channels = fc.array(
  fc.record({
    id: odd,
    names: fc.array(odd, { maxLength: 2 }),
    icon: fc.option(odd),
    items: fc.array(item, { maxLength: 3 }),
  }),
  { maxLength: 4 },
);

test('whatever is said of programmes, the guide is valid by the DTD', { skip: needs('xmllint', 'xmltv') }, () =>
  fc.assert(
    fc.property(channels, (given) => {
      const written = given.map((channel, index) => ({
        ...channel,
        id: `${index}${channel.id}`,
        items: () => channel.items,
      }));
      const text = [...writeGuide({ channels: written, titleLimit: null })].join('');
      assert.equal(dtdProblems({ text }), '');
    }),
    { numRuns: 150 },
  ),
);

test('what is said of a programme is read back as it was said', () => {
  const parser = new XMLParser({
    ...{ ignoreAttributes: false, attributeNamePrefix: '', parseTagValue: false, parseAttributeValue: false },
    ...{ trimValues: false, htmlEntities: true, isArray: (name: string) => name === 'programme' },
  });
  const plain = (text: string) => text.replace(/\p{Cs}|[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '').replace(/\r\n?/g, '\n');
  fc.assert(
    fc.property(odd, odd, (title, id) => {
      fc.pre(plain(title).trim() !== '' && plain(id) !== '');
      const items = [{ start: 0, stop: 60, content: { titles: [{ text: title, lang: null }] }, from: null }];
      const written = [{ id, names: [title], icon: null, items: () => items }];
      const { tv } = parser.parse([...writeGuide({ channels: written, titleLimit: null })].join('')) as {
        tv: { channel: { id: string; 'display-name': string }; programme: { channel: string; title: string }[] };
      };
      assert.deepEqual(
        [tv.channel.id, tv.channel['display-name'], tv.programme[0]?.channel, tv.programme[0]?.title],
        [plain(id), plain(title).trim(), plain(id), plain(title).trim()],
      );
    }),
  );
});

test('Kodi and Jellyfin read each time as the instant that it is, also where clocks change', () => {
  const changes = [
    '2024-03-31T01:00Z',
    '2024-10-27T01:00Z',
    '2024-03-10T07:00Z',
    '2024-11-03T06:00Z',
    '2024-04-06T16:00Z',
  ];
  const near = fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -7200, max: 7200 }));
  const instant = fc.oneof(
    fc.integer({ min: 0, max: 4_000_000_000 }),
    near.map(([change, seconds]) => Date.parse(change) / 1000 + seconds),
  );
  fc.assert(
    fc.property(instant, (seconds) => {
      const text = timeText(seconds);
      assert.match(text, /^\d{14} \+0000$/);
      assert.deepEqual([readAsKodi(text), readAsJellyfin(text)], [seconds, seconds]);
    }),
  );
});
