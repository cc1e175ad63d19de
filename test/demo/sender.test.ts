import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { channels } from '../../demo/channels.js';
import { pidOf } from '../../demo/packet.js';
import { startLoop } from '../../demo/sender.js';
import { until } from '../support/until.js';

const file = channels.find(({ name }) => name === 'Clock')?.file ?? '';

type Arrival = { readonly datagram: Buffer; readonly at: number };

/** Receives from a group on loopback, told by address alone: no route is needed. */
async function listen(t: TestContext, group: string): Promise<{ port: number; arrivals: Arrival[] }> {
  const socket = createSocket('udp4');
  t.after(() => void socket.close());
  socket.bind(0, group);
  await once(socket, 'listening');
  socket.addMembership(group, '127.0.0.1');
  const arrivals: Arrival[] = [];
  socket.on('message', (datagram) => arrivals.push({ datagram, at: performance.now() }));
  return { port: socket.address().port, arrivals };
}

test('a loop sent as RTP arrives in sequence, seven TS packets a datagram, and not before it is due', async (t) => {
  const { port, arrivals } = await listen(t, '239.255.82.1');
  const sender = await startLoop({ file, address: '239.255.82.1', port, rtp: true });
  t.after(() => sender.stop());
  await until('100 datagrams', () => arrivals.length >= 100);
  for (const [index, { datagram }] of arrivals.entries()) {
    assert.equal(datagram.length, 12 + 7 * 188);
    assert.equal(datagram.readUInt16BE(0), 0x8021);
    assert.equal(datagram.readUInt16BE(2), index);
    assert.equal(datagram[12], 0x47);
  }
  const media = arrivals.map(({ datagram }) => datagram.readUInt32BE(4) / 90);
  const [first, last] = [arrivals[0]?.at ?? 0, arrivals.at(-1)?.at ?? 0];
  assert.ok(last - first >= (media.at(-1) ?? 0) - (media[0] ?? 0) - 50, 'no faster than its clock');
});

test('a loop sent without RTP begins with its tables, and nothing comes after stop', async (t) => {
  const { port, arrivals } = await listen(t, '239.255.82.2');
  const sender = await startLoop({ file, address: '239.255.82.2', port, rtp: false });
  await until('a datagram', () => arrivals.length > 0);
  await sender.stop();
  const first = arrivals[0]?.datagram ?? Buffer.alloc(0);
  assert.equal(first.length, 7 * 188);
  assert.deepEqual(
    [0, 1, 2].map((index) => pidOf(first.subarray(index * 188))),
    [0x11, 0, 0x1000],
  );

  const other = await startLoop({ file, address: '239.255.82.2', port, rtp: true });
  t.after(() => other.stop());
  const isRtp = ({ datagram }: Arrival) => datagram.length > 7 * 188;
  await until('ten datagrams of another sender', () => arrivals.filter(isRtp).length >= 10);
  const since = arrivals.findIndex(isRtp);
  assert.ok(arrivals.slice(since).every(isRtp));
});

test('a missing recording is refused by name', async () => {
  await assert.rejects(
    startLoop({ file: '/nowhere.mpegts', address: '239.255.82.3', port: 5004, rtp: true }),
    /nowhere\.mpegts/,
  );
});
