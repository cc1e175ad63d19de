import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { identityOf, matchEntries } from '../../src/playlist/identity.js';

type Said = { name: string; url: string; tvgId?: string; group?: string; missing?: boolean };

const identities = (list: readonly Said[]) =>
  list.map(({ name, url, tvgId = null, group, missing = false }) =>
    identityOf({ name, url, tvgId, groups: group === undefined ? [] : [group], missing }),
  );
const match = (previous: readonly Said[], next: readonly Said[]) =>
  matchEntries(identities(previous), identities(next));
const udp = (host: number, port = 5000) => `udp://239.1.0.${host}:${port}`;

const cases: { what: string; previous: Said[]; next: Said[]; continues: (number | null)[] }[] = [
  {
    what: 'an entry inserted before others moves none of them',
    previous: [
      { name: 'A', url: udp(1) },
      { name: 'B', url: udp(2) },
    ],
    next: [
      { name: 'New', url: udp(3) },
      { name: 'A', url: udp(1) },
      { name: 'B', url: udp(2) },
    ],
    continues: [null, 0, 1],
  },
  {
    what: 'two that swap their addresses keep their names',
    previous: [
      { name: 'A', url: udp(1) },
      { name: 'B', url: udp(2) },
    ],
    next: [
      { name: 'A', url: udp(2) },
      { name: 'B', url: udp(1) },
    ],
    continues: [0, 1],
  },
  {
    what: 'qualities of one channel that share an id and swap their addresses keep their names',
    previous: [
      { name: 'News HD', url: udp(1), tvgId: 'news' },
      { name: 'News SD', url: udp(2), tvgId: 'news' },
    ],
    next: [
      { name: 'News SD', url: udp(1), tvgId: 'news' },
      { name: 'News HD', url: udp(2), tvgId: 'news' },
    ],
    continues: [1, 0],
  },
  {
    what: 'a new name at the same address is a rename',
    previous: [{ name: 'A', url: udp(1) }],
    next: [{ name: 'A HD', url: udp(1) }],
    continues: [0],
  },
  {
    what: 'a new name and group with the same id at the same address is a rename',
    previous: [{ name: 'A', url: udp(1), group: 'G', tvgId: 'a' }],
    next: [{ name: 'Z', url: udp(1), group: 'H', tvgId: 'a' }],
    continues: [0],
  },
  {
    what: 'case, blanks and punctuation of a name do not matter',
    previous: [{ name: 'Das Erste', url: udp(1), group: 'G' }],
    next: [{ name: 'DAS-ERSTE', url: udp(2), group: 'G' }],
    continues: [0],
  },
  {
    what: 'a new address with the same id and name is the same channel',
    previous: [{ name: 'A', url: udp(1), tvgId: 'a', group: 'Old' }],
    next: [{ name: 'A', url: udp(2), tvgId: 'a', group: 'New' }],
    continues: [0],
  },
  {
    what: 'rtp in place of udp, and VLC spelling, are the same address',
    previous: [{ name: 'A', url: 'udp://@239.1.0.1:5000' }],
    next: [{ name: 'B', url: 'rtp://239.1.0.1:5000' }],
    continues: [0],
  },
  {
    what: 'another sender of the same group is another address',
    previous: [{ name: 'A', url: 'udp://10.0.0.1@239.1.0.1:5000' }],
    next: [{ name: 'B', url: 'udp://10.0.0.2@239.1.0.1:5000' }],
    continues: [null],
  },
  {
    what: 'a token, host and scheme that change do not matter',
    previous: [{ name: 'A', url: 'http://u:p@old.example/live/7.ts?id=3&token=abc' }],
    next: [{ name: 'B', url: 'https://new.example/live/7.ts?token=def&id=3' }],
    continues: [0],
  },
  {
    what: 'an address that moves to a renamed channel while the old name goes elsewhere follows the name',
    previous: [
      { name: 'A', url: udp(1), group: 'G' },
      { name: 'B', url: udp(2), group: 'G' },
    ],
    next: [
      { name: 'C', url: udp(1), group: 'G' },
      { name: 'A', url: udp(3), group: 'G' },
    ],
    continues: [null, 0],
  },
  {
    what: 'entries alike in everything are matched in their order, and one that is gone is the last',
    previous: [
      { name: 'A', url: udp(1) },
      { name: 'A', url: udp(1) },
      { name: 'A', url: udp(1) },
    ],
    next: [
      { name: 'A', url: udp(1) },
      { name: 'A', url: udp(1) },
    ],
    continues: [0, 1],
  },
  {
    what: 'a missing entry comes back',
    previous: [{ name: 'A', url: udp(1), group: 'G', missing: true }],
    next: [{ name: 'A', url: udp(7), group: 'G' }],
    continues: [0],
  },
  {
    what: 'one that is present goes before a missing one of the same name',
    previous: [
      { name: 'A', url: udp(1), missing: true },
      { name: 'A', url: udp(2) },
    ],
    next: [{ name: 'A', url: udp(3) }],
    continues: [1],
  },
];

for (const { what, previous, next, continues } of cases) {
  test(what, () => assert.deepEqual(match(previous, next).continues, continues));
}

test('an address whose name, group and id are all new is suspect and becomes a new channel', () => {
  const previous = [{ name: 'Match 1', url: udp(1), group: 'Events', tvgId: 'e1' }];
  const next = [{ name: 'Film', url: udp(1), group: 'Cinema', tvgId: 'f1' }];
  const { continues, suspects, doubts } = match(previous, next);
  assert.deepEqual(continues, [null]);
  assert.deepEqual(suspects, [[0, 0]]);
  assert.deepEqual(doubts, ['The address is the same, but name, group and guide id are not.']);
});

/** Channels that differ in name, id and address; groups repeat. */
const household = fc.integer({ min: 1, max: 30 }).chain((size) =>
  fc
    .array(fc.record({ group: fc.integer({ max: 3, min: 0 }), hasId: fc.boolean() }), {
      minLength: size,
      maxLength: size,
    })
    .map((list) =>
      list.map(({ group, hasId }, index): Said => {
        const said = { name: `Channel ${index}`, url: udp(index), group: `G${group}` };
        return hasId ? { ...said, tvgId: `id${index}` } : said;
      }),
    ),
);
type Change = 'keep' | 'rename' | 'move' | 'remove' | 'replace';
const change = fc.constantFrom<Change>('keep', 'keep', 'rename', 'move', 'remove', 'replace');
const history = household.chain((before) =>
  fc.record({
    before: fc.constant(before),
    changes: fc.array(change, { minLength: before.length, maxLength: before.length }),
    order: fc.shuffledSubarray([...before.keys()], { minLength: before.length }),
    targets: fc.shuffledSubarray([...before.keys()], { minLength: before.length }),
  }),
);

/** Moved channels take the addresses that moved and removed ones leave, in an order of chance: swaps and rings among them. */
function apply(
  before: readonly Said[],
  changes: readonly Change[],
  order: readonly number[],
  targets: readonly number[],
) {
  const left = targets
    .filter((index) => changes[index] === 'move' || changes[index] === 'remove')
    .map((index) => before[index]?.url ?? '');
  return order.flatMap((index): { said: Said; origin: number | null }[] => {
    const said = before[index];
    if (said === undefined || changes[index] === 'remove') return [];
    if (changes[index] === 'rename') return [{ said: { ...said, name: `Renamed ${index}` }, origin: index }];
    if (changes[index] === 'move') return [{ said: { ...said, url: left.shift() ?? '' }, origin: index }];
    const stranger = { name: `Stranger ${index}`, url: said.url, group: `S${index}`, tvgId: `s${index}` };
    return [changes[index] === 'replace' ? { said: stranger, origin: null } : { said, origin: index }];
  });
}

test('whatever is renamed, moved, swapped, removed, replaced and reordered at once, each channel is found again and none is mistaken', () => {
  fc.assert(
    fc.property(history, ({ before, changes, order, targets }) => {
      const after = apply(before, changes, order, targets);
      const { continues } = match(
        before,
        after.map(({ said }) => said),
      );
      assert.deepEqual(
        continues,
        after.map(({ origin }) => origin),
      );
    }),
    { numRuns: 1000 },
  );
});

test('no previous entry is continued twice, and the order of the next list does not change who continues whom', () => {
  const few = fc.integer({ min: 0, max: 3 });
  const any = fc.record({ name: few, url: few, tvgId: few, group: few, missing: fc.boolean() });
  const lists = fc.tuple(fc.array(any, { maxLength: 8 }), fc.array(any, { maxLength: 8 }), fc.infiniteStream(fc.nat()));
  const said = ({
    name,
    url,
    tvgId,
    group,
    missing,
  }: Record<'name' | 'url' | 'tvgId' | 'group', number> & { missing: boolean }) => {
    const plain = { name: `N${name}`, url: udp(url), group: `G${group}`, missing };
    return tvgId === 0 ? plain : { ...plain, tvgId: `id${tvgId}` };
  };
  const whole = (entry: Said) => JSON.stringify({ ...entry, missing: null });
  fc.assert(
    fc.property(lists, ([previous, next]) => {
      const before = previous.map(said);
      const after = next.map((entry) => ({ ...said(entry), missing: false }));
      const { continues } = match(before, after);
      const used = continues.filter((index) => index !== null);
      assert.equal(new Set(used).size, used.length);
      const backwards = match(before, after.toReversed()).continues.toReversed();
      const pairs = (list: readonly (number | null)[]) =>
        list
          .map(
            (from, to) =>
              `${from === null ? '' : whole(before[from] ?? { name: '', url: '' })} ${whole(after[to] ?? { name: '', url: '' })}`,
          )
          .sort();
      assert.deepEqual(pairs(backwards), pairs(continues));
    }),
    { numRuns: 1000 },
  );
});
