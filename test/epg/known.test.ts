import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Airings } from '../../src/epg/known.js';

type Row = readonly [channel: number, start: number, stop: number, hash: number, text: number];

const hash = fc.integer({ min: 0, max: 2 ** 52 - 1 });
const airing = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 50 }), fc.constantFrom(0, 90), hash);

test('airings are found by what they are, texts by what they say, whatever came before', () => {
  fc.assert(
    fc.property(fc.uniqueArray(airing, { selector: String, maxLength: 300 }), fc.nat(300), (all, cut) => {
      const texts = new Map<number, number>();
      const rows = all.map(([channel, start, stop, hash]): Row => {
        const text = texts.get(hash) ?? texts.size + 1;
        texts.set(hash, text);
        return [channel, start, stop, hash, text];
      });
      const [known, added] = [rows.slice(0, cut), rows.slice(cut)];
      const table = new Airings([Float64Array.from(known.flat()), new Float64Array(0)]);
      for (const [channel, start, stop, hash] of known) assert.ok(table.find(channel, start, stop, hash) >= 0);
      for (const [channel, start, stop, hash] of added) assert.equal(table.find(channel, start, stop, hash), -1);
      for (const row of added) table.add(...row);
      for (const [channel, start, stop, hash, text] of rows) {
        assert.ok(table.find(channel, start, stop, hash) >= 0);
        assert.equal(table.textOf(hash), text);
      }
      assert.equal(table.textOf(2 ** 52), 0);
    }),
  );
});

test('what was neither seen nor added is unseen, and many more rows than there were find their place', () => {
  const row = (n: number): Row => [n % 7, n * 60, 0, n * 1_000_003, n];
  const known = Array.from({ length: 1000 }, (_, n) => row(n + 1));
  const table = new Airings(known.map((one) => Float64Array.from(one)));
  for (let n = 1001; n <= 20_000; n += 1) table.add(...row(n));
  for (let n = 1; n <= 1000; n += 2) {
    const found = table.find(...(row(n).slice(0, 4) as [number, number, number, number]));
    assert.equal(table.see(found), true);
    assert.equal(table.see(found), false);
  }
  const unseen = table.unseen((channel) => channel !== 3);
  const expected = known.filter(([channel, , , , text]) => text % 2 === 0 && channel !== 3);
  assert.deepEqual([...unseen], expected.flat());
});
