import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import type { StreamDetail } from '../../src/model/stream.js';
import { ask, watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { nullPacket, pids, TsMaker } from '../support/ts.js';
import { until } from '../support/until.js';
import { adminKey, startWeir, type Weir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.16.1';
const port = 5000;

/** What becomes of a packet: another one, or none. */
type Fault = (packet: Buffer) => Buffer | null;

/**
 * Sends 1 Mbit/s of sound TS, seven packets each 10 ms: PAT and PMT about every 53 ms, PCR about every 32 ms. Faults are put
 * into what is sent.
 */
class Sender {
  /** Times that it was not scheduled for so long that what it sent looked late. */
  late = 0;
  readonly #socket = createSocket('udp4');
  readonly #maker = new TsMaker({ tag: 1, first: 0, tablesEvery: 35, pictureEvery: 21 });
  readonly #faults: { readonly matches: (packet: Buffer) => boolean; readonly fault: Fault; left: number }[] = [];
  #extra: Buffer[] = [];
  #sentAt = 0;

  async start(t: TestContext): Promise<void> {
    this.#socket.bind(0, '127.0.0.1');
    await once(this.#socket, 'listening');
    this.#socket.setMulticastInterface('127.0.0.1');
    const timer = setInterval(() => this.#send(), 10);
    t.after(() => {
      clearInterval(timer);
      this.#socket.close();
    });
  }

  /** Does this to the next packets that match. */
  spoil(matches: (packet: Buffer) => boolean, times: number, fault: Fault): void {
    this.#faults.push({ matches, fault, left: times });
  }

  /** Sends a datagram of packets that do not belong to the TS. */
  add(packets: readonly Buffer[]): void {
    this.#extra.push(Buffer.concat(packets));
  }

  /** Waits until everything wrong has been sent. */
  async done(): Promise<void> {
    await until('the faults to be sent', () => this.#faults.length === 0 && this.#extra.length === 0);
  }

  #send(): void {
    const now = performance.now();
    if (this.#sentAt > 0 && now - this.#sentAt > 60) this.late += 1;
    this.#sentAt = now;
    for (const datagram of this.#extra.splice(0)) this.#socket.send(datagram, port, group);
    const packets = Array.from({ length: 7 }, () => this.#spoiled(this.#maker.next()) ?? nullPacket());
    this.#socket.send(Buffer.concat(packets), port, group);
  }

  #spoiled(packet: Buffer): Buffer | null {
    const at = this.#faults.findIndex(({ matches }) => matches(packet));
    const found = this.#faults[at];
    if (found === undefined) return packet;
    found.left -= 1;
    if (found.left === 0) this.#faults.splice(at, 1);
    return found.fault(packet);
  }
}

const pidOf = (packet: Buffer) => packet.readUInt16BE(1) & 0x1fff;
const isPat = (packet: Buffer) => pidOf(packet) === pids.pat;
const isPmt = (packet: Buffer) => pidOf(packet) === pids.pmt;
const hasPcr = (packet: Buffer) => pidOf(packet) === pids.media && ((packet[3] ?? 0) & 0x20) !== 0;
const isMedia = (packet: Buffer) => pidOf(packet) === pids.media && !hasPcr(packet);
const gone: Fault = () => null;

/** The packet with bits of one byte turned over. */
function flipped(packet: Buffer, at: number, bits: number): Buffer {
  packet[at] = (packet[at] ?? 0) ^ bits;
  return packet;
}

async function watched(t: TestContext) {
  const sender = new Sender();
  await sender.start(t);
  const weir = await startWeir(t);
  const viewer = await (await watch(t, weir.url, `/udp/${group}:${port}`)).received(100);
  const { id } = await weir.stream();
  return { sender, weir, viewer, detail: () => weir.api<StreamDetail>(`/api/v1/streams/${id}`) };
}

async function metric(weir: Weir, name: string): Promise<number> {
  const { body } = await ask(weir.url, '/metrics');
  return Number(new RegExp(`^weir_stream_${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(body)?.[1]);
}

test('a sound TS: its intervals are told, nothing is wrong, and each PID is named with its share', {
  skip,
}, async (t) => {
  const { sender, weir, detail } = await watched(t);
  sender.add([nullPacket()]);
  const {
    health,
    pids: found,
    ...stream
  } = await until(
    'all intervals',
    async () => {
      const now = await detail();
      const { patInterval, pmtInterval, pcrInterval, pcrJitter } = now.health;
      const isKnown = [patInterval, pmtInterval, pcrInterval, pcrJitter].every((value) => value !== null);
      return isKnown && now.pids.every(({ pid, bitrate }) => pid === pids.null || bitrate > 0) ? now : null;
    },
    { within: 15_000 },
  );
  const { patInterval, pmtInterval, pcrInterval, pcrJitter, ...counts } = health;
  const none = { syncLosses: 0, patErrors: 0, pmtErrors: 0, pidErrors: 0, transportErrors: 0, crcErrors: 0 };
  if (sender.late === 0) assert.deepEqual(counts, { ...none, pcrErrors: 0, scrambled: 0 });
  assert.equal(stream.continuityErrors, 0);
  for (const [interval, usual] of [
    [patInterval, 0.053],
    [pmtInterval, 0.053],
    [pcrInterval, 0.032],
  ] as const) {
    assert.ok(interval !== null && interval > usual * 0.7, `${interval} s`);
    if (sender.late === 0) assert.ok(interval < usual + 0.1, `${interval} s`);
  }
  assert.ok(pcrJitter !== null && pcrJitter < 0.1, `${pcrJitter} s`);
  assert.deepEqual(
    found.map(({ pid, role, type, pcr, continuityErrors, scrambled }) => ({
      pid,
      role,
      type,
      pcr,
      continuityErrors,
      scrambled,
    })),
    [
      { pid: 0, role: 'pat', type: null, pcr: false, continuityErrors: 0, scrambled: 0 },
      { pid: 0x100, role: 'component', type: 27, pcr: true, continuityErrors: 0, scrambled: 0 },
      { pid: 0x1000, role: 'pmt', type: null, pcr: false, continuityErrors: 0, scrambled: 0 },
      { pid: 0x1fff, role: 'null', type: null, pcr: false, continuityErrors: 0, scrambled: 0 },
    ],
  );
  const sum = found.reduce((total, { bitrate }) => total + bitrate, 0);
  assert.ok(Math.abs(sum - stream.bitrate) < stream.bitrate / 4, `${sum} of ${stream.bitrate} bit/s`);
  assert.ok((await metric(weir, 'pat_interval_seconds')) > 0);
});

test('what is wrong with a TS is counted, each for itself', { skip }, async (t) => {
  const { sender, weir, viewer, detail } = await watched(t);
  for (const _ of [1, 2, 3]) {
    sender.spoil(isMedia, 1, gone);
    await sender.done();
  }
  sender.spoil(isMedia, 2, (packet) => flipped(packet, 3, 0x80));
  sender.spoil(isPat, 1, (packet) => flipped(packet, 20, 0xff));
  sender.spoil(isMedia, 1, (packet) => flipped(packet, 1, 0x80));
  sender.add([nullPacket(), nullPacket(), flipped(nullPacket(), 0, 0xff), nullPacket()]);
  await sender.done();
  // About 0.8 s without PAT, as long without PMT, and 0.2 s without PCR; what is missing breaks the count of its PID too.
  sender.spoil(isPat, 14, gone);
  await sender.done();
  sender.spoil(isPmt, 14, gone);
  await sender.done();
  sender.spoil(hasPcr, 6, (packet) => flipped(packet, 5, 0x10));
  await sender.done();
  const { health, ...stream } = await until('the last fault to be counted', async () => {
    const now = await detail();
    return now.health.pcrErrors > 0 && now.health.pmtErrors > 0 ? now : null;
  });
  const { patErrors, pmtErrors, pcrErrors, ...exact } = health;
  assert.deepEqual(
    [
      exact.syncLosses,
      exact.transportErrors,
      exact.crcErrors,
      exact.scrambled,
      exact.pidErrors,
      stream.continuityErrors,
    ],
    [1, 1, 1, 2, 0, 5],
  );
  // More only if this machine kept the sender from sending.
  for (const errors of [patErrors, pmtErrors, pcrErrors]) {
    assert.ok(errors >= 1 && errors <= 1 + sender.late, `${JSON.stringify(health)}, ${sender.late} times late`);
  }
  const perPid = stream.pids.map(({ pid, continuityErrors, scrambled }) => [pid, continuityErrors, scrambled]);
  assert.deepEqual(perPid, [
    [0, 1, 0],
    [0x100, 3, 2],
    [0x1000, 1, 0],
    [0x1fff, 0, 0],
  ]);
  assert.equal(await metric(weir, 'crc_errors_total'), 1);
  const page = await ask(weir.url, `/status/streams/${stream.id}`, {
    headers: { Authorization: `Bearer ${adminKey}` },
  });
  assert.match(page.body, /<span class="bad">CRC<\/span>/);
  assert.equal(viewer.ended, null);
});

test('a stream that is not open is 404', { skip }, async (t) => {
  const weir = await startWeir(t);
  const headers = { Authorization: `Bearer ${adminKey}` };
  assert.equal((await ask(weir.url, '/api/v1/streams/000000000000', { headers })).status, 404);
});
