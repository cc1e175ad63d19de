import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { UndoStack } from '../../src/lib/undo.js';
import { protocol, pumpPrefix } from '../../src/relay/pump-process.js';
import { watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { startPump } from '../support/pump.js';
import { seeded } from '../support/random.js';
import { startSource } from '../support/rtp-source.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const path = '/rtp/239.1.14.1:5000';
const random = seeded(11);
const broken: { title: string; bytes: Buffer }[] = [
  { title: 'random bytes', bytes: Buffer.from(Array.from({ length: 5000 }, () => Math.floor(random() * 256))) },
  { title: 'a line without an end', bytes: Buffer.alloc(40_000, 'a') },
  { title: 'a frame with bytes that no frame has', bytes: Buffer.from('closed?viewer=\u0001\n') },
];

/** A weir whose control connections to a real pump pass through here; its side of the last one. */
async function weirThroughUs(owner: Parameters<typeof startPump>[0]) {
  // Weir has ended before what it writes into is removed.
  const undo = new UndoStack();
  owner.after(() => undo.run());
  const own = { after: (step: () => void | Promise<void>) => undo.push(step) };
  const pump = await startPump(own);
  const data = join(tempDir(own), 'data');
  mkdirSync(data, { mode: 0o700 });
  const [theirs, ours] = [pump.dir, data].map((dir) => pumpPrefix(dir, protocol));
  symlinkSync(`${theirs}.fds`, `${ours}.fds`);
  const connections: Socket[] = [];
  const between = createServer((fromWeir) => {
    const toPump = connect(`${theirs}.sock`);
    connections.push(fromWeir);
    for (const socket of [fromWeir, toPump]) {
      socket.on('error', () => undefined);
      socket.on('close', () => [fromWeir, toPump].map((other) => other.destroy()));
    }
    fromWeir.pipe(toPump).pipe(fromWeir);
  }).listen(`${ours}.sock`);
  own.after(() => {
    between.close();
    for (const socket of connections) socket.destroy();
  });
  return { weir: await startWeir(own, { data }), connections };
}

for (const { title, bytes } of broken) {
  test(`${title} from the pump end that connection alone: weir connects again, its viewer goes on`, {
    skip,
  }, async (t) => {
    await startSource(t, { address: '239.1.14.1', port: 5000 });
    const { weir, connections } = await weirThroughUs(t);
    const viewer = await (await watch(t, weir.url, path)).received(100);
    const [before] = await weir.viewers();
    const link = connections.at(-1);
    link?.write(bytes);
    await until('weir to end the connection', () => link?.closed);
    await until('weir to connect again', () => connections.at(-1) !== link);
    const again = await until('the viewer to be listed again', async () => (await weir.viewers())[0]);
    assert.equal(again.id, before?.id);
    const second = await (await watch(t, weir.url, path)).received(100);
    await viewer.received(100);
    for (const { ended, ts } of [viewer, second]) assert.deepEqual([ended, ts.missing, ts.damaged], [null, [], 0]);
  });
}
