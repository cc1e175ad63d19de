import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { suggest } from '../../src/playlist/suggest.js';
import type { NamedChannel } from '../../src/store/listing.js';

type Some = Partial<Omit<NamedChannel, 'channel'>> & { readonly name: string };

/** Channels 1, 2, 3 … of sources 1, 2, 3 … unless said otherwise. */
const channels = (...list: readonly (Some | string)[]): NamedChannel[] =>
  list.map((some, index) => {
    const plain = { channel: index + 1, source: index + 1, tvgId: null, groups: [], radio: false, isEdited: false };
    return typeof some === 'string' ? { ...plain, name: some } : { ...plain, ...some };
  });
const options = { sources: [1, 2, 3, 4, 5], limit: 1000 };
const pairsOf = (list: readonly NamedChannel[]) =>
  suggest(list, options).pairs.map(({ channel, other }) => [channel, other]);

const together: [string | Some, string | Some][] = [
  ['BBC One', 'BBC One'],
  ['BBC One', 'BBC ONE FHD'],
  ['BBC One HD', 'BBC One SD'],
  ['BBC One', 'BBC One ᴴᴰ'],
  ['UK: BBC One', 'BBC One'],
  ['UK: BBC One', '|UK| BBC One 4K'],
  ['UK ┃ BBC One', 'BBC One (UK)'],
  ['UK - BBC One', 'BBC One [1080p]'],
  ['USA: CNN', 'US| CNN'],
  ['ZDF (Germany)', 'DE: ZDF'],
  ['Das Erste Full HD', 'Das Erste H.265'],
  ['CCTV-1 高清', 'CCTV1'],
  ['CCTV1HD', 'cctv 1'],
  ['湖南卫视高清', '湖南卫视'],
  ['ＣＣＴＶ５＋', 'CCTV-5+ 超高清'],
  ['Télé 2', 'TELE2'],
  ['Sport 01', 'Sport 1'],
  ['ITV +1', 'ITV (+1)'],
  ['BBC One (backup)', 'BBC One'],
  ['BBC One (London)', 'BBC One'],
  ['4K', '4K'],
  [
    { name: 'News', groups: ['UK | News'] },
    { name: 'News', tvgId: 'news.uk' },
  ],
  [
    { name: 'News', source: 1 },
    { name: 'News HD', source: 1 },
  ],
  [
    { name: 'NRJ', radio: true },
    { name: 'NRJ', radio: true },
  ],
];
for (const [one, two] of together) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(two)} may be one`, () => {
    assert.deepEqual(pairsOf(channels(one, two)), [[1, 2]]);
  });
}

const apart: [string | Some, string | Some][] = [
  ['Sport 2', 'Sport 3'],
  ['Sport (2)', 'Sport (3)'],
  ['Sport (2)', 'Sport'],
  ['Sport 1 2', 'Sport 12'],
  ['Sport 7.1', 'Sport 7.10'],
  ['ITV', 'ITV +1'],
  ['ITV +1', 'ITV +2'],
  ['ITV', 'ITV+1'],
  ['ITV', 'ITV (+1)'],
  ['Canal +1', 'Canal+ 1'],
  ['Canal', 'Canal+'],
  ['CCTV-5', 'CCTV-5+'],
  ['UK: CNN', 'US: CNN'],
  ['CNN (UK)', 'US: CNN'],
  ['ZDF', 'ZDFneo'],
  ['BBC One (London)', 'BBC One (Scotland)'],
  ['★★★', '★★★'],
  [
    { name: 'Discovery', tvgId: 'discovery.uk' },
    { name: 'Discovery', tvgId: 'discovery.de' },
  ],
  [
    { name: 'Discovery', groups: ['UK| Docu'] },
    { name: 'Discovery', groups: ['Germany'] },
  ],
  [{ name: 'NRJ', radio: true }, { name: 'NRJ' }],
  [
    { name: 'News', tvgId: 'a' },
    { name: 'Film', tvgId: 'a' },
  ],
];
for (const [one, two] of apart) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(two)} are never suggested to be one`, () => {
    assert.deepEqual(pairsOf(channels(one, two)), []);
  });
}

test('a channel that names no country joins those of one country, and stays alone among those of two', () => {
  assert.deepEqual(pairsOf(channels('News', 'UK: News', 'UK: News HD')), [
    [1, 2],
    [1, 3],
  ]);
  assert.deepEqual(pairsOf(channels('News', 'UK: News', 'DE: News', 'DE: News HD')), [[3, 4]]);
});

test('the suffix of a guide id that is no country, such as .tv, keeps nothing apart', () => {
  assert.deepEqual(pairsOf(channels({ name: 'News', tvgId: 'news.tv' }, { name: 'News', tvgId: 'news.uk' })), [[1, 2]]);
});

test('the one that stays is one that a user changed, else of the best source, else the oldest', () => {
  const list = channels(
    { name: 'A', source: 3 },
    { name: 'A', source: 2 },
    { name: 'A', source: 2 },
    { name: 'A', source: 9 },
  );
  const stays = (isEdited: readonly number[], sources: readonly number[]) =>
    suggest(
      list.map((one) => ({ ...one, isEdited: isEdited.includes(one.channel) })),
      { sources, limit: 10 },
    ).pairs[0]?.channel;
  assert.equal(stays([], [2, 3]), 2);
  assert.equal(stays([], [3, 2]), 1);
  assert.equal(stays([], []), 1);
  assert.equal(stays([4], [2, 3]), 4);
  assert.equal(stays([4, 3], [2, 3]), 3);
});

test('a pair says why: what the names are, where they stand, and the guide id that both have', () => {
  const list = channels(
    { name: 'BBC One', tvgId: 'BBCOne.uk' },
    { name: 'UK: BBC One HD', tvgId: 'bbcone.uk@HD' },
    { name: 'BBC One', source: 1 },
  );
  assert.deepEqual(suggest(list, options).pairs, [
    {
      kind: 'same-guide-id',
      channel: 1,
      other: 2,
      reason:
        '"BBC One" and "UK: BBC One HD" are the same name but for quality, country and brackets, in two lists, and both have guide id "BBCOne.uk".',
    },
    { kind: 'same-name', channel: 1, other: 3, reason: 'Both are called "BBC One", in one list.' },
  ]);
});

test('pairs over the limit are counted, and the surest are not among them', () => {
  const list = channels('A', 'A', { name: 'B', tvgId: 'b' }, { name: 'B', tvgId: 'b' }, 'C', 'C');
  const { pairs, leftOut } = suggest(list, { ...options, limit: 2 });
  assert.deepEqual(
    pairs.map(({ kind, channel }) => [kind, channel]),
    [
      ['same-guide-id', 3],
      ['same-name', 1],
    ],
  );
  assert.equal(leftOut, 1);
});

const pick = <T>(...values: T[]) => fc.constantFrom(...values);
const anyChannel = fc.record({
  name: fc
    .tuple(
      pick('', 'UK: ', 'DE| ', 'VIP: '),
      pick('Sport', 'News', '央视'),
      pick('', ' 1', ' 2', ' +1'),
      pick('', ' HD', ' [4K]', ' (West)'),
    )
    .map((parts) => parts.join('')),
  source: pick(1, 2, 9),
  tvgId: pick(null, 'a.uk', 'b.de', 'c'),
  groups: pick<string[]>([], ['Germany'], ['UK| X', 'All']),
  radio: fc.boolean(),
  isEdited: fc.boolean(),
});

test('the order of the channels plays no part, and each is to be merged into one other at most, which stays', () => {
  fc.assert(
    fc.property(fc.array(anyChannel, { maxLength: 14 }), fc.infiniteStream(fc.nat()), (list, chance) => {
      const known = list.map((one, index): NamedChannel => ({ ...one, channel: index + 1 }));
      const shuffled = known.map((one) => ({ one, at: chance.next().value ?? 0 })).sort((a, b) => a.at - b.at);
      const { pairs, leftOut } = suggest(known, options);
      assert.deepEqual(
        suggest(
          shuffled.map(({ one }) => one),
          options,
        ),
        { pairs, leftOut },
      );
      const goes = pairs.map(({ other }) => other);
      assert.equal(new Set(goes).size, goes.length);
      assert.ok(pairs.every(({ channel }) => !goes.includes(channel)));
    }),
    { numRuns: 1000 },
  );
});

test('no pair differs in the numbers of its names, in a shift, in a country that both name, or in being radio', () => {
  const numbers = (name: string) =>
    name
      .replace('4K', '')
      .match(/\+?\d+/g)
      ?.join() ?? '';
  const country = (name: string) => /^(?:UK|DE)/.exec(name)?.[0];
  fc.assert(
    fc.property(fc.array(anyChannel, { maxLength: 14 }), (list) => {
      for (const { channel, other } of suggest(
        list.map((one, index) => ({ ...one, channel: index })),
        options,
      ).pairs) {
        const [one, two] = [list[channel], list[other]];
        assert.ok(one !== undefined && two !== undefined);
        assert.equal(numbers(one.name), numbers(two.name));
        assert.equal(one.radio, two.radio);
        const [from, to] = [country(one.name), country(two.name)];
        if (from !== undefined && to !== undefined) assert.equal(from, to);
      }
    }),
    { numRuns: 1000 },
  );
});

test('once what is suggested was merged, nothing is left to suggest', () => {
  fc.assert(
    fc.property(fc.array(anyChannel, { maxLength: 14 }), (list) => {
      const known = list.map((one, index): NamedChannel => ({ ...one, channel: index + 1 }));
      const gone = new Set(suggest(known, options).pairs.map(({ other }) => other));
      const left = known.filter(({ channel }) => !gone.has(channel));
      assert.deepEqual(suggest(left, options), { pairs: [], leftOut: 0 });
    }),
    { numRuns: 1000 },
  );
});

test('four times as many channels take no more than ten times as long', () => {
  const time = (count: number) => {
    const list = Array.from({ length: count }, (_, index) => ({
      name: `UK: Channel ${index >> 2} [HD]`,
      source: index % 3,
    }));
    const known = channels(...list);
    const times = [1, 2, 3, 4, 5].map(() => {
      const before = process.cpuUsage();
      suggest(known, options);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...times);
  };
  const few = time(5_000);
  const many = time(20_000);
  assert.ok(many < 10 * few, `${few} µs, then ${many} µs`);
});
