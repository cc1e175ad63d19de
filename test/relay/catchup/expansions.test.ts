import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { utc } from '../../../src/lib/zone-clock.js';
import type { ArchiveMode } from '../../../src/model/archive.js';
import { writeArchive } from '../../../src/relay/catchup/plan.js';
import { catchupOf } from './catchup.js';

// Every value was written out without the code that is tested here. `-` is nothing.
const file = new URL('../../../../test/fixtures/catchup/expansions.tsv', import.meta.url);
const [, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
const rows = lines.map((line) => line.split('\t').map((cell) => (cell === '-' ? null : cell)));

test('the table has its rows', () => {
  assert.ok(rows.length >= 190);
});

for (const [template = null, mode, live, start, end, now, zone = null, formatted, correction, expected] of rows) {
  const title = `${mode} ${template ?? ''} ${live ?? ''} from ${start} to ${end ?? 'open'} in ${zone}, ${formatted}, ${correction} h`;
  test(`${title} is ${expected}`, () => {
    const catchup = catchupOf(mode as ArchiveMode, template, {
      zone,
      formatted: formatted as 'utc' | 'zone',
      correction: Number(correction),
      urls: typeof live === 'string' ? [live] : [],
    });
    const wish = { start: Number(start), end: end === null ? null : Number(end) };
    const plan = writeArchive(catchup, wish, { now: Number(now), openEnd: null, household: utc });
    assert.equal('url' in plan ? plan.url : plan.problem, expected);
  });
}
