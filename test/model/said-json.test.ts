import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { catchupModes, entryKinds, type SaidEntry } from '../../src/model/entry.js';
import { saidJson, saidOfJson } from '../../src/model/said-json.js';

/** Records with the prototype that parsed JSON has. */
const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true });
const text = fc.string({ unit: 'binary' });
const maybe = fc.option(text);
const headers = fc.dictionary(
  text.filter((name) => name !== '__proto__'),
  text,
  { noNullPrototype: true },
);
const said: fc.Arbitrary<SaidEntry> = record({
  line: fc.nat(),
  kind: fc.constantFrom(...entryKinds),
  name: text,
  tvgId: maybe,
  groups: fc.array(text),
  tvgName: maybe,
  number: maybe,
  logo: maybe,
  radio: fc.boolean(),
  guideShift: fc.option(fc.integer()),
  urls: fc.array(record({ url: text, label: maybe, headers }), { minLength: 1 }),
  headers,
  catchup: fc.option(
    record({
      mode: fc.constantFrom(...catchupModes),
      source: maybe,
      days: fc.option(fc.nat()),
      correction: fc.option(fc.integer()),
    }),
  ),
  attributes: fc.array(fc.tuple(text, text)),
  directives: fc.array(record({ name: text, value: text, before: fc.boolean() })),
});

test('whatever a list says of an entry is the same after it was stored, and is one line', () => {
  fc.assert(
    fc.property(said, (entry) => {
      const json = saidJson(entry);
      assert.deepEqual(saidOfJson(JSON.parse(json)), entry);
      assert.ok(!json.includes('\n'));
    }),
  );
});

test('what is ordinary takes no room', () => {
  const ordinary: SaidEntry = {
    ...{ line: 2, kind: 'live', name: 'One', tvgId: null, groups: [], tvgName: null, number: null, logo: null },
    ...{ radio: false, guideShift: null, urls: [{ url: 'udp://239.1.1.1:5000', label: null, headers: {} }] },
    ...{ headers: {}, catchup: null, attributes: [], directives: [] },
  };
  assert.equal(saidJson(ordinary), '{"line":2,"name":"One","urls":[{"url":"udp://239.1.1.1:5000"}]}');
});
