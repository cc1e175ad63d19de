import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { groupCount, groupOf, listOf, nameOf } from '../../bench/catalogue/list.js';
import { readPlaylist } from '../../src/playlist/read/read.js';
import { tempDir } from '../support/temp.js';

const program = fileURLToPath(new URL('../../bench/main.js', import.meta.url));
const step = z.object({ published: z.number().nullable(), settled: z.number().positive(), cpu: z.number() });
const sample = z.object({ kind: z.string(), took: z.number().positive(), fault: z.null() });
const record = z.object({
  runs: z.tuple([
    z.object({
      steps: z.object({ 'import alone': step, import: step, unchanged: step, 'new token': step, renamed: step }),
      during: z.array(sample).min(1),
      lists: z.object({ first: z.array(z.number()), again: z.array(z.number()), known: z.array(z.number()) }),
      bytes: z.object({ in: z.number().positive(), out: z.number().positive() }),
      rss: z.object({ before: z.number().positive(), after: z.number().positive() }),
      faults: z.tuple([]),
    }),
  ]),
  verdicts: z.array(z.object({ what: z.string(), result: z.enum(['aim met', 'must met', 'missed']) })).length(7),
});

test('a quick bench of 2,000 entries finds every list and every edit right, and writes down what it measured', (t) => {
  const json = join(tempDir(t), 'catalogue.json');
  const command = [program, 'catalogue', '--quick', '--entries', '2000', '--rate', '50', '--json', json];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);

  const [run] = record.parse(JSON.parse(readFileSync(json, 'utf8'))).runs;
  for (const name of ['import alone', 'import'] as const) {
    const { published, settled } = run.steps[name];
    assert.ok(published !== null && published <= settled, name);
  }
  assert.equal(run.steps.unchanged.published, null);
  assert.match(stdout, /^### Budgets$/m);
});

test('the list of the bench reads as it is meant: 200 groups, three qualities, a token in each http address', () => {
  const read = (token: string, renamed: boolean) =>
    readPlaylist(Buffer.from(listOf({ entries: 2000, token, renamed }))).entries;
  const [list, other, renamed] = [read('a', false), read('b', false), read('a', true)];
  assert.equal(list.length, 2000);
  assert.equal(new Set(list.flatMap(({ groups }) => groups)).size, groupCount);
  assert.deepEqual([list[1799]?.name, list[1799]?.groups], [nameOf(1799), [groupOf(1799)]]);
  assert.ok(list.every(({ kind, attributes }) => kind === 'live' && attributes.some(([name]) => name === 'x-rank')));
  const differing = (lists: readonly (typeof list)[], of: (entry: (typeof list)[number]) => unknown) =>
    list.filter((_, index) => new Set(lists.map((one) => one[index]).map((one) => one && of(one))).size > 1).length;
  assert.equal(
    differing([list, other], ({ urls }) => urls[0]?.url),
    1500,
  );
  assert.equal(
    differing([list, other], ({ name }) => name),
    0,
  );
  assert.equal(
    differing([list, renamed], ({ name }) => name),
    600,
  );
  assert.equal(
    differing([list, renamed], ({ urls }) => urls[0]?.url),
    0,
  );
});
