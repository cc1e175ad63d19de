import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { tempDir } from '../support/temp.js';

const skip = privateNetwork() || needs('compiler', 'ip');
const root = fileURLToPath(new URL('../../../', import.meta.url));

const record = z.object({
  loads: z.array(
    z.object({
      load: z.object({ name: z.string() }),
      series: z.array(
        z.object({
          relay: z.string(),
          runs: z.array(
            z.object({
              cpu: z.number(),
              pumpCpu: z.number(),
              pumpWakeUps: z.number(),
              delivered: z.number(),
              firstByte: z.number(),
              delay: z.number(),
            }),
          ),
        }),
      ),
    }),
  ),
  firstBytes: z.array(z.object({ mbps: z.number(), values: z.array(z.number()) })),
  zaps: z.array(z.object({ relay: z.string(), values: z.array(z.number()) })),
  verdicts: z.array(z.object({ what: z.string(), result: z.string() })),
});

test('a quick bench measures Weir under every load, writes it all down and leaves no namespace behind', {
  skip,
}, (t) => {
  const json = join(tempDir(t), 'bench.json');
  const command = [join(root, 'dist/bench/main.js'), 'relay', '--quick', '--only', 'weir', '--json', json];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);

  const { loads, firstBytes, zaps, verdicts } = record.parse(JSON.parse(readFileSync(json, 'utf8')));
  assert.equal(loads.length, 4);
  for (const { load, series } of loads) {
    assert.match(stdout, new RegExp(`^### ${load.name}$`, 'm'));
    assert.deepEqual(
      series.map(({ relay, runs }) => [relay, runs.length]),
      [['weir', 1]],
    );
    const run = series[0]?.runs[0];
    assert.ok(run !== undefined && run.pumpCpu > 0 && run.cpu >= run.pumpCpu && run.delivered > 0, JSON.stringify(run));
  }
  assert.deepEqual(
    firstBytes.map(({ mbps, values }) => [mbps, values.length]),
    [
      [0.128, 1],
      [40, 1],
    ],
  );
  assert.deepEqual(
    zaps.map(({ relay, values }) => [relay, values.length]),
    [['weir', 2]],
  );
  assert.ok(verdicts.some(({ what, result }) => what.startsWith('zap') && result !== 'not measured'));
  assert.ok(verdicts.some(({ what, result }) => what.startsWith('first byte') && result !== 'not measured'));
  assert.deepEqual(readdirSync('/run/netns'), []);
});

test('a relay that does not start is shown as such, and the load that was named alone is measured for the others', {
  skip,
}, (t) => {
  const peers = tempDir(t);
  writeFileSync(join(peers, 'udpxy'), '#!/bin/sh\necho no licence\nexit 1\n', { mode: 0o755 });
  const command = [join(root, 'dist/bench/main.js'), 'relay', '--quick', '--loads', '60x8', '--peers', peers];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...command, '--only', 'weir,udpxy'], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.match(/^### .*$/gm), ['### 1 group × 8 Mbit/s → 60 viewers', '### Budgets']);
  assert.match(stdout, /^\| weir .* 100 % /m);
  assert.match(stdout, /^- udpxy: udpxy does not listen on port \d+: no licence$/m);
});
