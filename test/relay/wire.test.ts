import assert from 'node:assert/strict';
import { openSync } from 'node:fs';
import { test } from 'node:test';
import type { Control } from '../support/control.js';
import { Viewer, watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { joins } from '../support/proc.js';
import { startPump } from '../support/pump.js';
import { seeded } from '../support/random.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';

const skip = privateNetwork();
const group = '239.1.12.1';
const broken: { title: string; bytes: (random: () => number) => Buffer }[] = [
  { title: 'random bytes', bytes: (random) => noise(random, 200) },
  { title: 'random bytes, many lines', bytes: (random) => Buffer.concat([noise(random, 5000), Buffer.from('\n\n')]) },
  { title: 'a line without an end', bytes: () => Buffer.alloc(40_000, 'a') },
  { title: 'a name that is none', bytes: () => Buffer.from('nonsense?id=1\n') },
  { title: 'a broken escape', bytes: () => Buffer.from('stats?id=%4\n') },
  { title: 'an empty line', bytes: () => Buffer.from('\n') },
  { title: 'zero bytes', bytes: () => Buffer.alloc(64) },
];

/** A pump with one stream and a viewer on it. */
async function streaming(owner: Parameters<typeof startSource>[0] & Parameters<typeof watch>[0]) {
  await startSource(owner, { address: group, port: 5000 });
  const pump = await startPump(owner);
  const control = await pump.control();
  await pump.open(control, 'one', group, 5000);
  const viewer = await (await watch(owner, pump.url, '/one')).received(200);
  return { pump, control, viewer };
}

async function assertServes(control: Control, viewer: Viewer): Promise<void> {
  await viewer.received(100);
  assert.deepEqual([viewer.ended, viewer.ts.missing, viewer.ts.damaged], [null, [], 0]);
  assert.equal((await control.request('stats')).at(-1)?.name, 'ok');
}

test('hello lists streams and viewers with their notes, then makes the caller the only controller', {
  skip,
}, async (t) => {
  const { pump, control } = await streaming(t);
  const next = await pump.connect();
  const frames = await next.request('hello', { version: String(pump.version) });
  assert.deepEqual(
    frames.map(({ name }) => name),
    ['stream', 'viewer', 'ok'],
  );
  assert.equal(frames[0]?.values.get('stream'), 'one');
  assert.equal(frames[1]?.values.get('stream'), 'one');
  assert.equal(frames[2]?.values.get('pid'), String(pump.pid));
  await until('the older controller to be disconnected', () => control.closed);
});

for (const { title, bytes } of broken) {
  test(`${title} on the control socket end that connection, and that alone`, { skip }, async (t) => {
    const { pump, control, viewer } = await streaming(t);
    const random = seeded(3);
    for (let round = 0; round < 20; round += 1) {
      const stranger = await pump.connect();
      stranger.write(bytes(random));
      stranger.write('\n');
      await until('the connection to be ended', () => stranger.closed);
    }
    await assertServes(control, viewer);
  });
}

test('random bytes as hand-over messages harm no stream, their descriptors are closed', { skip }, async (t) => {
  const { pump, control, viewer } = await streaming(t);
  const random = seeded(5);
  const descriptor = openSync('/dev/null', 'r');
  for (let round = 0; round < 50; round += 1) {
    try {
      pump.handOver(noise(random, 300).toString('latin1'), descriptor);
    } catch {
      break;
    }
  }
  await assertServes(control, viewer);
});

test('a pump that is left alone ends by itself with code 0', { skip }, async (t) => {
  const began = performance.now();
  const pump = await startPump(t, { alone: 1 });
  await until('the pump to end', () => pump.exitCode !== null, { within: 4000 });
  assert.equal(pump.exitCode, 0);
  assert.ok(performance.now() - began > 900);
});

test('a pump without a controller stays as long as somebody watches, then ends by itself', { skip }, async (t) => {
  await startSource(t, { address: group, port: 5000 });
  const pump = await startPump(t, { alone: 1 });
  const control = await pump.control();
  await pump.open(control, 'one', group, 5000);
  const viewer = await (await watch(t, pump.url, '/one')).received(100);
  control.close();
  // 2 Mbit/s are 1,300 packets a second: this is more than twice as long as it would wait alone.
  await viewer.received(3000);
  assert.equal(pump.exitCode, null);
  viewer.close();
  await until('the pump to end', () => pump.exitCode !== null, { within: 4000 });
  assert.equal(pump.exitCode, 0);
  assert.equal(joins(group), 0);
});

test('drain: the viewers there go on, nothing more is opened, the pump ends with the last one', { skip }, async (t) => {
  const { pump, control, viewer } = await streaming(t);
  assert.equal((await control.request('drain')).at(-1)?.name, 'ok');
  await assert.rejects(pump.open(control, 'two', '239.1.12.2', 5000), /refused/);
  await viewer.received(300);
  assert.deepEqual([viewer.ended, viewer.ts.missing], [null, []]);
  viewer.close();
  await until('the pump to end', () => pump.exitCode !== null);
  assert.equal(pump.exitCode, 0);
});

test('a viewer of a stream that is not there is told to Node as no-stream, its client left to Node', {
  skip,
}, async (t) => {
  const pump = await startPump(t);
  const control = await pump.control();
  const viewer = new Viewer(pump.url, '/nowhere');
  t.after(() => viewer.close());
  const event = await until('closed', () => control.events.find(({ name }) => name === 'closed'));
  assert.deepEqual([event.values.get('reason'), event.values.get('sent')], ['no-stream', '0']);
  assert.equal(viewer.status, 0);
});

function noise(random: () => number, size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 256)));
}
