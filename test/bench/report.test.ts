import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failureList, loadTable, zapTable } from '../../bench/report.js';
import { wholeRun } from './whole-run.js';

/** The cell of each column in a table's only row. */
function row(table: string): (title: string) => string | undefined {
  const cells = (line: string | undefined) => (line ?? '').split('|').map((cell) => cell.trim());
  const [head, , first] = table.split('\n');
  const values = new Map(cells(head).map((title, index) => [title, cells(first)[index]]));
  return (title) => values.get(title);
}

test('a load in which a viewer stalled shows that viewer apart from those that may lose nothing', () => {
  const run = { ...wholeRun, stalled: { delivered: 0.5, errors: 3 } };
  const cell = row(loadTable([{ relay: 'weir', runs: [run], failures: [] }]));
  assert.equal(cell('delivered'), '100 %');
  assert.equal(cell('stalled viewer'), '50.000 %, 3 errors');
});

test('viewers that a relay did not answer are counted beside what it delivered', () => {
  const run = { ...wholeRun, delivered: 0.75, refused: 250 };
  const cell = row(loadTable([{ relay: 'peer', runs: [run], failures: [] }]));
  assert.equal(cell('delivered'), '75.000 % (1 of 1 not whole) (up to 250 viewers without an answer)');
});

test('a relay that fails in every run says so once', () => {
  const series = { relay: 'peer', runs: [], failures: ['It does not listen.', 'It does not listen.'] };
  assert.deepEqual(failureList([series, { relay: 'weir', runs: [wholeRun], failures: [] }]), [
    '- peer: It does not listen.',
  ]);
});

test('zaps are shown by their median, 95th percentile and worst, and those that saw no picture are counted', () => {
  const values = [...Array.from({ length: 20 }, (_, index) => 20 - index), null];
  const cell = row(zapTable([{ relay: 'weir', values }]));
  assert.deepEqual([cell('least ms'), cell('median ms'), cell('p95 ms')], ['1.0', '10.0', '19.0']);
  assert.deepEqual([cell('most ms'), cell('zaps'), cell('never')], ['20.0', '21', '1']);
});
