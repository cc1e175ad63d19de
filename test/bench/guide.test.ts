import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { z } from 'zod';
import { type GuideOptions, guideText } from '../../bench/guide/generate.js';
import { runBench } from '../support/bench.js';
import { needs } from '../support/needs.js';
import { tempDir } from '../support/temp.js';
import { dtdProblems } from '../support/xmllint.js';

const step = z.object({ wall: z.number().positive(), cpu: z.number().positive(), peak: z.number().positive() });
const record = z.object({
  runs: z.tuple([
    z.object({
      steps: z.object({ first: step, again: step, later: step, links: step, busy: step, whole: step }),
      gunzip: z.object({ first: z.number().positive(), again: z.number().positive() }),
      fxp: z.number().positive(),
      during: z.array(z.object({ took: z.number().positive() })).min(1),
      faults: z.tuple([]),
    }),
  ]),
  verdicts: z.array(z.object({ what: z.string(), result: z.enum(['aim met', 'must met', 'missed']) })).length(8),
});

test('a quick bench of small guides finds them taken over as they should be, and writes down what it measured', {
  skip: needs('xmllint', 'xmltv'),
}, (t) => {
  const json = join(tempDir(t), 'guide.json');
  const { code, out, err } = runBench('guide', '--quick', '--json', json);
  assert.equal(code, 0, out + err);
  record.parse(JSON.parse(readFileSync(json, 'utf8')));
  assert.match(out, /^### Budgets$/m);
});

const day = 86_400;
const firstDay = 19_700 * day;
const programmesOf = (options: Partial<GuideOptions>) => {
  const all = [...guideText({ channels: 3, days: 3, firstDay, reruns: 0, ...options })].map(({ text }) => text);
  return all.join('').split(/(?=<programme )/);
};

test('the guide of the bench is valid, the same each time, and its days do not depend on the first', {
  skip: needs('xmllint', 'xmltv'),
}, () => {
  assert.equal(dtdProblems({ text: programmesOf({}).join('') }), '');
  assert.deepEqual(programmesOf({}), programmesOf({}));
  const next = new Date((firstDay + day) * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  const onNext = (options: Partial<GuideOptions>) =>
    programmesOf(options).filter((text) => text.startsWith(`<programme start="${next}`));
  // The last one ends the file.
  const early = onNext({}).slice(0, 30);
  assert.equal(early.length, 30);
  assert.deepEqual(early, onNext({ firstDay: firstDay + day }).slice(0, 30));
});

test('contents of the guide of the bench are all different without reruns, and some are not with them', () => {
  const contents = (reruns: number) =>
    programmesOf({ days: 14, reruns })
      .slice(1)
      .map((text) => text.slice(text.indexOf('>') + 1, text.indexOf('</programme>')));
  assert.equal(new Set(contents(0)).size, contents(0).length);
  assert.ok(new Set(contents(0.2)).size < contents(0.2).length * 0.95);
});
