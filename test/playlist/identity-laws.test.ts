import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Identity, identityOf, matchEntries } from '../../src/playlist/identity.js';

/** Few names, addresses, ids and groups, so that entries rival one another in every way. */
const entry = fc.record({
  name: fc.constantFrom('', 'News', 'News HD', 'News SD', 'UK: News', 'Sport 1', 'Sport 2', '体育'),
  url: fc.constantFrom(
    'udp://@239.1.1.1:5000',
    'rtp://239.1.1.2:5000',
    'http://one.example/live/u/p/7.ts',
    'http://two.example/live/a/b/7.m3u8?token=1',
    'http://one.example/live/u/p/8.ts?token=2',
    'https://cdn.example/play/9f86d081884c7d659a2feaa0c55ad015/7/index.m3u8',
    'https://cdn.example/play/b94d27b9934d3e08a52e52d7da7dabfa/7/index.m3u8',
  ),
  tvgId: fc.constantFrom(null, 'news.tv', 'sport.tv'),
  groups: fc.constantFrom<string[][]>([], ['UK'], ['DE']),
});
const list = (missing: boolean) =>
  fc
    .array(
      missing
        ? fc.record({ said: entry, missing: fc.boolean() })
        : fc.record({ said: entry, missing: fc.constant(false) }),
      {
        maxLength: 9,
      },
    )
    .map((lines) => lines.map(({ said, missing: isMissing }) => identityOf({ ...said, missing: isMissing })));
const lists = fc.record({ previous: list(true), next: list(false) });
const runs = { numRuns: 2000 };

/** What tells entries apart to the eye. */
const lookOf = ({ url, title, tvgId, group, missing }: Identity) => JSON.stringify([url, title, tvgId, group, missing]);

function pairsOf(previous: readonly Identity[], next: readonly Identity[]) {
  return matchEntries(previous, next).continues.flatMap((from, to): (readonly [Identity, Identity])[] => {
    const was = previous[from ?? -1];
    const is = next[to];
    return was === undefined || is === undefined ? [] : [[was, is]];
  });
}

/** Without tokens, so that doubles but for those look alike. */
const looks = (pairs: readonly (readonly [Identity, Identity])[]) =>
  pairs
    .map((pair) =>
      pair
        .map(lookOf)
        .join(' ')
        .replaceAll(/token=\d/g, ''),
    )
    .sort();

test('no previous entry is continued twice, and each continued one has a reason', () => {
  fc.assert(
    fc.property(lists, ({ previous, next }) => {
      const { continues, reasons, addressed } = matchEntries(previous, next);
      const used = continues.filter((from) => from !== null);
      assert.equal(new Set(used).size, used.length);
      assert.equal(continues.length, next.length);
      for (const [to, from] of continues.entries()) {
        assert.equal(from === null, reasons[to] === null);
        assert.equal(from === null, addressed[to] === null);
      }
    }),
    runs,
  );
});

test('a list that did not change continues itself, line by line where lines differ', () => {
  fc.assert(
    fc.property(list(false), (entries) => {
      const { continues, reasons, suspects } = matchEntries(entries, entries);
      assert.deepEqual(
        continues.map((from) =>
          lookOf(entries[from ?? -1] ?? identityOf({ url: '', name: '', tvgId: null, groups: [] })),
        ),
        entries.map(lookOf),
      );
      assert.deepEqual(
        reasons,
        entries.map(() => 'everything'),
      );
      assert.deepEqual(suspects, []);
    }),
    runs,
  );
});

test('the order of either list makes no difference but among entries that are alike', () => {
  const shuffledLists = lists.chain(({ previous, next }) =>
    fc.record({
      previous: fc.constant(previous),
      next: fc.constant(next),
      otherPrevious: fc.shuffledSubarray(previous, { minLength: previous.length }),
      otherNext: fc.shuffledSubarray(next, { minLength: next.length }),
    }),
  );
  fc.assert(
    fc.property(shuffledLists, ({ previous, next, otherPrevious, otherNext }) => {
      assert.deepEqual(looks(pairsOf(otherPrevious, otherNext)), looks(pairsOf(previous, next)));
    }),
    runs,
  );
});

test('what continues what is the same seen from either list while these are too short to learn from', () => {
  const short = fc.array(entry, { maxLength: 4 });
  const plain = short.map((lines) => lines.map((said) => identityOf({ ...said, groups: ['G'] })));
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      const back = pairsOf(other, one).map(([was, is]) => [is, was] as const);
      assert.deepEqual(looks(back), looks(pairsOf(one, other)));
    }),
    runs,
  );
});

test('entries that share neither address nor name nor guide id are never taken for one channel', () => {
  const place = ({ place: where }: Identity) => where.replace(/[\da-f]{32}|\/live\/[^/]+\/[^/]+|\.\w+$/g, '');
  fc.assert(
    fc.property(lists, ({ previous, next }) => {
      for (const [was, is] of pairsOf(previous, next)) {
        const isShared =
          place(was) === place(is) ||
          (was.name !== '' && was.name === is.name) ||
          (was.tvgId !== null && was.tvgId === is.tvgId);
        assert.ok(isShared, `${lookOf(was)} ${lookOf(is)}`);
      }
    }),
    runs,
  );
});

test('a suspect pair shares its address, and neither of the two is matched', () => {
  fc.assert(
    fc.property(lists, ({ previous, next }) => {
      const { continues, suspects, doubts } = matchEntries(previous, next);
      assert.equal(doubts.length, suspects.length);
      for (const [from, to] of suspects) {
        assert.equal(continues[to], null);
        assert.equal(continues.includes(from), false);
      }
    }),
    runs,
  );
});
