import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killInImports } from '../support/guide-kills.js';
import { needs } from '../support/needs.js';

test('kill -9 while a guide is taken over: the old or the new one is there, whole and valid, and the next refresh is as any', {
  skip: needs('xmllint', 'xmltv'),
}, async (t) => {
  const killed = await killInImports(t, { count: 6, seed: 1, say: (line) => t.diagnostic(line) });
  t.diagnostic(JSON.stringify(killed));
  assert.ok(killed.staging > 0, 'nothing was being staged at any of them');
});
