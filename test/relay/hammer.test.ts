import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Control } from '../support/control.js';
import { Viewer, watch } from '../support/http.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { type Pump, startPump } from '../support/pump.js';
import { seeded } from '../support/random.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';

const skip = privateNetwork() || needs('compiler');
const native = fileURLToPath(new URL('../../../native', import.meta.url));
/** The third sends nothing, the fourth no media. */
const groups = ['239.1.15.1', '239.1.15.2', '239.1.15.3', '239.1.15.4'];
const steps = 600;

type Game = { pump: Pump; control: Control; viewers: Viewer[]; random: () => number };

const moves: { weight: number; play: (game: Game) => unknown }[] = [
  { weight: 8, play: ({ pump, viewers, random }) => viewers.push(new Viewer(pump.url, `/${pick(groups, random)}`)) },
  { weight: 4, play: ({ viewers, random }) => take(viewers, random)?.close() },
  { weight: 2, play: ({ viewers, random }) => take(viewers, random)?.reset() },
  { weight: 3, play: ({ viewers, random }) => pick(viewers, random)?.pause() },
  { weight: 3, play: ({ viewers, random }) => pick(viewers, random)?.resume() },
  {
    weight: 6,
    play: ({ pump, control, random }) =>
      pump.open(control, pick(groups, random) ?? '', pick(groups, random) ?? '', 5000),
  },
  {
    weight: 1,
    play: ({ control, random }) => control.request('close', { stream: pick(groups, random) ?? '', reason: 'closed' }),
  },
  {
    weight: 2,
    play: ({ control, random }) =>
      control.request('dismiss', { viewer: `viewer-${Math.floor(random() * steps)}`, reason: 'dismissed' }),
  },
  { weight: 1, play: ({ control }) => control.request('stats') },
  { weight: 1, play: async ({ pump }) => (await pump.connect()).write('rubbish\n') },
  {
    weight: 2,
    play: async ({ viewers, random }) =>
      await pick(viewers, random)
        ?.answered(20)
        .catch(() => undefined),
  },
];

for (const seed of [1, 2]) {
  test(`viewers and streams that come and go at random leave the pump sound (ASan, UBSan; seed ${seed})`, {
    skip,
    timeout: 240_000,
  }, async (t) => {
    execFileSync('make', ['-s', '-C', native, 'build/sane-pump'], { stdio: 'inherit' });
    for (const [index, address] of groups.entries()) {
      await startSource(t, {
        address,
        port: 5000,
        mbit: 8,
        paused: index === 2,
        framing: index === 3 ? 'other' : 'rtp',
      });
    }
    const pump = await startPump(t, { program: join(native, 'build', 'sane-pump') });
    const control = await pump.control();
    const game: Game = { pump, control, viewers: [], random: seeded(seed) };
    t.after(() => game.viewers.map((viewer) => viewer.close()));
    for (let step = 0; step < steps; step += 1) {
      await choose(game.random).play(game);
      assert.equal(pump.exitCode, null, `the pump ended at step ${step}`);
    }
    await pump.open(control, 'last', groups[0] ?? '', 5000);
    const last = await (await watch(t, pump.url, '/last')).received(500);
    assert.deepEqual([last.ts.missing, last.ts.damaged], [[], 0]);
    await control.request('stop');
    await until('the pump to end', () => pump.exitCode !== null);
    // The sanitizers, the one for leaks too, would have ended it with another code.
    assert.equal(pump.exitCode, 0);
  });
}

function choose(random: () => number): (typeof moves)[number] {
  const tickets = moves.flatMap((move) => Array.from({ length: move.weight }, () => move));
  const chosen = pick(tickets, random);
  if (chosen === undefined) throw new Error('there is always a move');
  return chosen;
}

function pick<T>(from: readonly T[], random: () => number): T | undefined {
  return from[Math.floor(random() * from.length)];
}

function take<T>(from: T[], random: () => number): T | undefined {
  return from.splice(Math.floor(random() * from.length), 1)[0];
}
