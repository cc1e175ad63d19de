import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { Impairer } from './impair.js';
import type { Command, SourceOptions, SourceReport } from './rtp-source.js';
import { nullPacket, packetSize, performanceTime, TsMaker } from './ts.js';

/** A program of its own, so that the test's work does not disturb its pace: started by `startSource`. */
const options = JSON.parse(process.argv[2] ?? '{}') as SourceOptions;
const { framing = 'rtp', mbit = 2, impair = {}, seed = 1 } = options;
const perSecond = (mbit * 1e6) / 8 / packetSize;
const maker = new TsMaker({
  tag: options.tag ?? 1,
  first: options.first ?? 0,
  tablesEvery: options.tables === false ? 0 : Math.max(1, Math.round(perSecond / 20)),
  pictureEvery: Math.max(1, Math.round(perSecond / 2)),
});
const impairer = new Impairer(impair, seed);
const dropped: number[] = [];
const socket = createSocket({ type: isIPv6(options.address) ? 'udp6' : 'udp4', reuseAddr: true });
let ssrc = options.ssrc ?? randomInt(2 ** 32);
let sequence = options.sequence ?? randomInt(2 ** 16);
let chop = Buffer.alloc(0);
/** TS packets made so far, and the time from which they are counted. */
let made = 0;
let since = performanceTime();
let paused = options.paused === true;
let datagrams = 0;
let ticked = performanceTime();
let longestPause = 0;
let nulls = options.nulls === true;

socket.bind(0, options.from, () => {
  socket.setSendBufferSize(1 << 21);
  if (options.interface !== undefined) socket.setMulticastInterface(options.interface);
  since = performanceTime();
  setInterval(tick, 2);
  process.send?.({ event: 'ready' });
});
process.on('message', (command: Command) => commands[command.do](command));
process.on('disconnect', () => process.exit(0));

const commands: Record<Command['do'], (command: Command) => void> = {
  begin: () => {
    nulls = false;
  },
  pause: () => {
    paused = true;
  },
  resume: () => {
    paused = false;
    made = 0;
    since = performanceTime();
  },
  restart: ({ what }) => {
    if (what === 'ssrc') ssrc += 1;
    sequence = what === 'ssrc' ? 0 : sequence + 30_000;
  },
  report: ({ id }) => {
    for (const datagram of impairer.flush()) send(socket, datagram);
    const report: SourceReport = { next: maker.number, dropped, datagrams, longestPause };
    process.send?.({ event: 'report', id, report });
  },
};

function tick(): void {
  const now = performanceTime();
  longestPause = Math.max(longestPause, now - ticked);
  ticked = now;
  if (paused) return;
  const due = ((now - since) / 1000) * perSecond;
  // A process that was not scheduled for long goes on at the right pace instead of with a burst.
  if (due - made > perSecond / 5) since += ((due - made) / perSecond) * 1000;
  else while (made + 7 <= due) step();
}

function step(): void {
  const count = impairer.packets();
  made += count;
  const first = maker.number;
  const lost = impairer.loses();
  const payload = nulls ? Buffer.concat(Array.from({ length: count }, nullPacket)) : makePayload(count);
  if (lost) for (let number = first; number < maker.number; number += 1) dropped.push(number);
  const wrapped = wrap(payload);
  for (const datagram of wrapped.flatMap((one) => impairer.pass(lost ? null : one))) send(socket, datagram);
}

function makePayload(count: number): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => maker.next()));
}

/** The payload as the datagrams that carry it. */
function wrap(payload: Buffer): Buffer[] {
  switch (framing) {
    case 'rtp':
      return [impairer.rtp(payload, sequence++, ssrc, Math.floor(performanceTime() * 90))];
    case 'bare':
      return [payload];
    case 'other':
      return [Buffer.from(`v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=not media ${datagrams}\r\n`)];
    case 'rtp-other': {
      const packet = impairer.rtp(
        Buffer.alloc(payload.length, 0x11),
        sequence++,
        ssrc,
        Math.floor(performanceTime() * 90),
      );
      packet[1] = 96;
      return [packet];
    }
    case 'chopped':
      return chopped(payload);
  }
}

/** Datagrams of 1,472 bytes that break TS packets anywhere, as ffmpeg sends them when it is not told a size. */
function chopped(payload: Buffer): Buffer[] {
  chop = Buffer.concat([chop, payload]);
  const whole: Buffer[] = [];
  for (; chop.length >= 1472; chop = chop.subarray(1472)) whole.push(chop.subarray(0, 1472));
  return whole;
}

function send(through: Socket, datagram: Buffer): void {
  datagrams += 1;
  // An error here (the interface is gone, nobody listens on a unicast port) is loss on the way, as on a real network.
  through.send(datagram, options.port, options.address, () => undefined);
}
