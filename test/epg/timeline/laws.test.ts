import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cleanTimeline } from '../../../src/epg/timeline/clean.js';
import { marginOf, mergeTimeline, type TimelineSource } from '../../../src/epg/timeline/merge.js';
import type { Window } from '../../../src/epg/timeline/placeholder.js';
import type { Placeholder } from '../../../src/model/guide.js';
import type { Programme, TimelineItem } from '../../../src/model/programme.js';
import { day } from './airings.js';

const minute = 60;
const span = 4 * 24 * 60;
const programme: fc.Arbitrary<Programme> = fc
  .record({
    start: fc.integer({ min: 0, max: span }),
    length: fc.option(fc.integer({ min: -10, max: 240 })),
    title: fc.constantFrom('A', 'B', 'C', 'a'),
    said: fc.constantFrom('', 'x', 'xyz'),
  })
  .map(({ start, length, title, said }) => ({
    start: day + start * minute,
    stop: length === null ? null : day + (start + length) * minute,
    content: { titles: [{ text: title, lang: null }], descs: [{ text: said, lang: null }] },
  }));
const programmes = fc.array(programme, { maxLength: 60 });
const source: fc.Arbitrary<TimelineSource> = fc.record({
  guideSource: fc.integer({ min: 1, max: 9 }),
  guideId: fc.constant('id'),
  shift: fc.integer({ min: -300, max: 300 }).map((minutes) => minutes * minute),
  programmes,
});
const sources = fc.array(source, { maxLength: 3 });
const placeholder: fc.Arbitrary<Placeholder | null> = fc.option(
  fc.record({ minutes: fc.integer({ min: 5, max: 720 }), title: fc.constant('{name}') }),
);
const all = { from: day - 86_400, to: day + (span + 1440) * minute, name: 'X' };

const isTimeline = (items: readonly { readonly start: number; readonly stop: number }[]) =>
  items.every(({ start, stop }, index) => stop > start && (items[index + 1]?.start ?? stop) >= stop);

test('whatever a guide says, its timeline is sorted, without overlaps, and each programme ends after its start', () =>
  fc.assert(fc.property(programmes, (said) => assert.ok(isTimeline(cleanTimeline(said))))));

test('cleaning a timeline again changes nothing, nor does merging it again', () =>
  fc.assert(
    fc.property(programmes, (said) => {
      const cleaned = cleanTimeline(said);
      assert.deepEqual(cleanTimeline(cleaned), cleaned);
      const again = mergeTimeline([{ guideSource: 1, guideId: 'id', shift: 0, programmes: cleaned }], {
        ...all,
        placeholder: null,
      });
      assert.deepEqual(
        again.map(({ from, ...item }) => item),
        cleaned,
      );
    }),
  ));

test('whatever several guides say, the timeline is one, and nothing of a guide is shortened by those behind it', () =>
  fc.assert(
    fc.property(sources, placeholder, (given, filler) => {
      const merged = mergeTimeline(given, { ...all, placeholder: filler });
      assert.ok(isTimeline(merged));
      for (let count = 0; count < given.length; count += 1) {
        const before = mergeTimeline(given.slice(0, count), { ...all, placeholder: null });
        const shown = new Set(merged.map((item) => JSON.stringify(item)));
        for (const item of before) assert.ok(shown.has(JSON.stringify(item)));
      }
    }),
  ));

test('with a placeholder no five minutes are empty', () =>
  fc.assert(
    fc.property(sources, placeholder, (given, filler) => {
      fc.pre(filler !== null);
      const merged = mergeTimeline(given, { ...all, placeholder: filler });
      const empty = merged.filter(({ stop }, index) => (merged[index + 1]?.start ?? stop) - stop >= 5 * minute);
      assert.deepEqual(empty, []);
      assert.ok((merged[0]?.start ?? Number.POSITIVE_INFINITY) < all.from + 5 * minute);
      assert.ok((merged.at(-1)?.stop ?? 0) >= all.to);
    }),
  ));

test('merging what is near a window is the same as cutting the window out of all', () =>
  fc.assert(
    fc.property(sources, placeholder, fc.integer({ min: 0, max: span }), (given, filler, offset) => {
      const window = { from: day + offset * minute, to: day + (offset + 300) * minute };
      const near = given.map((one) => ({
        ...one,
        programmes: one.programmes.filter((item) => isNear(item, one.shift, window, marginOf(given.length, filler))),
      }));
      const whole = mergeTimeline(given, { ...all, placeholder: filler });
      const overlaps = ({ start, stop }: TimelineItem) => start < window.to && stop > window.from;
      const cut = mergeTimeline(near, { ...window, placeholder: filler, name: 'X' });
      assert.deepEqual(cut, whole.filter(overlaps));
    }),
    { numRuns: 500 },
  ));

/** As a store finds them: what starts within the window and its margin, or lasts into that as far as anybody knows. */
function isNear({ start, stop }: Programme, shift: number, { from, to }: Window, margin: number): boolean {
  const ends = stop === null || stop <= start ? start + 86_400 : stop;
  return start + shift < to + margin && ends + shift > from - margin;
}
