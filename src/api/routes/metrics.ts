import { Counter, Gauge, Registry } from 'prom-client';
import { version } from '../../lib/version.js';
import type { StreamStatus } from '../../model/stream.js';
import { formatUpstream } from '../../model/upstream.js';
import type { ViewerStatus } from '../../model/viewer.js';
import type { Relay } from '../../relay/contract.js';
import type { ApiRouter, Handler } from '../context.js';

/**
 * A measured value of each member, by the last part of its metric's name; totals are since the member began. What is null
 * is not known, and left out.
 */
type Measures<T> = Readonly<Record<string, { help: string; of: (member: T) => number | null }>>;

const streamTotals: Measures<StreamStatus> = {
  packets: { help: 'Datagrams received', of: (stream) => stream.packets },
  bytes: { help: 'Media bytes received', of: (stream) => stream.bytes },
  continuity_errors: { help: 'TS continuity errors in what was received', of: (stream) => stream.continuityErrors },
  reordered: { help: 'RTP packets put in order', of: (stream) => stream.reordered },
  duplicates: { help: 'RTP packets received twice', of: (stream) => stream.duplicates },
  lost: { help: 'RTP packets that never came in time', of: (stream) => stream.lost },
  strays: { help: 'Datagrams that were not media', of: (stream) => stream.strays },
  kernel_drops: {
    help: 'Datagrams dropped by the kernel, its receive buffer being full',
    of: (stream) => stream.kernelDrops,
  },
  restarts: { help: 'Times that the sender started anew', of: (stream) => stream.restarts },
  rejoins: { help: 'Times that the group was joined again', of: (stream) => stream.rejoins },
  jumps: { help: 'Jumps of slow viewers', of: (stream) => stream.jumps },
  sync_losses: { help: 'Times that the TS lost its sync bytes', of: ({ health }) => health.syncLosses },
  pat_errors: { help: 'PAT missing for 500 ms, or wrong', of: ({ health }) => health.patErrors },
  pmt_errors: { help: 'PMT missing for 500 ms, or wrong', of: ({ health }) => health.pmtErrors },
  pid_errors: { help: 'Components missing for 5 s', of: ({ health }) => health.pidErrors },
  transport_errors: { help: 'TS packets marked as damaged', of: ({ health }) => health.transportErrors },
  crc_errors: { help: 'PAT and PMT sections with a wrong checksum', of: ({ health }) => health.crcErrors },
  pcr_errors: { help: 'PCRs more than 100 ms apart, or jumping', of: ({ health }) => health.pcrErrors },
  scrambled_packets: { help: 'Scrambled TS packets', of: ({ health }) => health.scrambled },
};

const streamValues: Measures<StreamStatus> = {
  viewers: { help: 'Viewers of the stream', of: (stream) => stream.viewers },
  bitrate_bits: { help: 'Media bits a second, over the last second or so', of: (stream) => stream.bitrate },
  look_back_bytes: { help: 'Bytes kept for viewers that come later', of: (stream) => stream.lookBack },
  uptime_seconds: { help: 'Seconds since the stream opened', of: (stream) => stream.uptime },
  live: {
    help: '1 while media flows',
    of: (stream) => (stream.state === 'live' || stream.state === 'lingering' ? 1 : 0),
  },
  pat_interval_seconds: { help: 'Longest time between PATs, lately', of: ({ health }) => health.patInterval },
  pmt_interval_seconds: { help: 'Longest time between PMTs, lately', of: ({ health }) => health.pmtInterval },
  pcr_interval_seconds: { help: 'Longest time between PCRs, lately', of: ({ health }) => health.pcrInterval },
  pcr_jitter_seconds: { help: 'How far PCRs and their arrival differ, lately', of: ({ health }) => health.pcrJitter },
};

const viewerTotals: Measures<ViewerStatus> = {
  bytes: { help: 'Bytes sent to the viewer', of: (viewer) => viewer.bytes },
  jumps: { help: 'Times that the viewer was too slow and went on at a later place', of: (viewer) => viewer.jumps },
  lost_bytes: { help: 'Bytes that the viewer missed by jumping', of: (viewer) => viewer.lostBytes },
};

const viewerValues: Measures<ViewerStatus> = {
  lag_bytes: { help: 'Bytes that the viewer has not accepted yet', of: (viewer) => viewer.lag },
  uptime_seconds: { help: 'Seconds since the viewer was attached', of: (viewer) => viewer.uptime },
};

/** `/metrics` in the text format of Prometheus. Everything is asked of the relay when it is scraped. */
export function addMetricsRoutes(router: ApiRouter, relay: Relay, access: Handler): void {
  router.get('/metrics', access, async (ctx) => {
    const registry = collect(await relay.streams(), await relay.viewers());
    ctx.set('Cache-Control', 'no-store');
    ctx.body = await registry.metrics();
    ctx.type = registry.contentType;
  });
}

function collect(streams: readonly StreamStatus[], viewers: readonly ViewerStatus[]): Registry {
  const registry = new Registry();
  const registers = [registry];
  new Gauge({ name: 'weir_info', help: 'The version of Weir', labelNames: ['version'], registers }).set({ version }, 1);
  new Gauge({ name: 'weir_streams', help: 'Open streams', registers }).set(streams.length);
  new Gauge({ name: 'weir_viewers', help: 'Viewers', registers }).set(viewers.length);
  const ofStream = ({ id, upstream }: StreamStatus) => ({ stream: id, address: formatUpstream(upstream) });
  const ofViewer = ({ id, stream }: ViewerStatus) => ({ viewer: id, stream });
  addTotals(registry, 'weir_stream', ['stream', 'address'], streamTotals, streams, ofStream);
  addValues(registry, 'weir_stream', ['stream', 'address'], streamValues, streams, ofStream);
  addTotals(registry, 'weir_viewer', ['viewer', 'stream'], viewerTotals, viewers, ofViewer);
  addValues(registry, 'weir_viewer', ['viewer', 'stream'], viewerValues, viewers, ofViewer);
  return registry;
}

type Labels<T> = (member: T) => Record<string, string>;

function addTotals<T>(
  registry: Registry,
  prefix: string,
  labelNames: string[],
  measures: Measures<T>,
  members: readonly T[],
  labels: Labels<T>,
): void {
  for (const [name, { help, of }] of Object.entries(measures)) {
    const counter = new Counter({ name: `${prefix}_${name}_total`, help, labelNames, registers: [registry] });
    each(members, of, (member, value) => counter.inc(labels(member), value));
  }
}

function addValues<T>(
  registry: Registry,
  prefix: string,
  labelNames: string[],
  measures: Measures<T>,
  members: readonly T[],
  labels: Labels<T>,
): void {
  for (const [name, { help, of }] of Object.entries(measures)) {
    const gauge = new Gauge({ name: `${prefix}_${name}`, help, labelNames, registers: [registry] });
    each(members, of, (member, value) => gauge.set(labels(member), value));
  }
}

function each<T>(members: readonly T[], of: (member: T) => number | null, take: (member: T, value: number) => void) {
  for (const member of members) {
    const value = of(member);
    if (value !== null) take(member, value);
  }
}
