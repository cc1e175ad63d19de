import type { Upstream } from '../model/stream.js';
import { type PidStatus, pidRoles, type StreamHealth, type StreamState, type StreamStatus } from '../model/stream.js';
import type { ViewerNote, ViewerStatus } from '../model/viewer.js';
import { type Frame, knownNumber, number, text } from './frame.js';

const states: readonly StreamState[] = ['opening', 'live', 'silent', 'lingering'];
const formats = ['ts', 'rtp-ts', 'rtp'] as const;

/** A `stream` frame of the pump. */
export function streamStatus(frame: Frame): StreamStatus {
  return {
    id: text(frame, 'stream'),
    upstream: upstreamOf(frame),
    state: states.find((state) => state === text(frame, 'state')) ?? 'opening',
    format: formats.find((format) => format === text(frame, 'format')) ?? null,
    uptime: number(frame, 'uptime'),
    viewers: number(frame, 'viewers'),
    packets: number(frame, 'packets'),
    bytes: number(frame, 'bytes'),
    bitrate: number(frame, 'bitrate'),
    continuityErrors: number(frame, 'continuityErrors'),
    reordered: number(frame, 'reordered'),
    duplicates: number(frame, 'duplicates'),
    lost: number(frame, 'lost'),
    strays: number(frame, 'strays'),
    kernelDrops: number(frame, 'kernelDrops'),
    restarts: number(frame, 'restarts'),
    rejoins: number(frame, 'rejoins'),
    jumps: number(frame, 'jumps'),
    lookBack: number(frame, 'lookBack'),
    health: streamHealth(frame),
  };
}

function streamHealth(frame: Frame): StreamHealth {
  return {
    syncLosses: number(frame, 'syncLosses'),
    patErrors: number(frame, 'patErrors'),
    pmtErrors: number(frame, 'pmtErrors'),
    pidErrors: number(frame, 'pidErrors'),
    transportErrors: number(frame, 'transportErrors'),
    crcErrors: number(frame, 'crcErrors'),
    pcrErrors: number(frame, 'pcrErrors'),
    scrambled: number(frame, 'scrambled'),
    patInterval: knownNumber(frame, 'patInterval'),
    pmtInterval: knownNumber(frame, 'pmtInterval'),
    pcrInterval: knownNumber(frame, 'pcrInterval'),
    pcrJitter: knownNumber(frame, 'pcrJitter'),
  };
}

/** A `pid` frame of the pump. */
export function pidStatus(frame: Frame): PidStatus {
  return {
    pid: number(frame, 'pid'),
    role: pidRoles.find((role) => role === text(frame, 'role')) ?? null,
    type: knownNumber(frame, 'type'),
    pcr: text(frame, 'pcr') === '1',
    packets: number(frame, 'packets'),
    bitrate: number(frame, 'bitrate'),
    continuityErrors: number(frame, 'continuityErrors'),
    scrambled: number(frame, 'scrambled'),
  };
}

/** A `viewer` frame of the pump, with what its stream receives. */
export function viewerStatus(frame: Frame, upstreams: ReadonlyMap<string, Upstream>): ViewerStatus | null {
  const stream = text(frame, 'stream');
  const upstream = upstreams.get(stream);
  if (upstream === undefined) return null;
  return {
    id: text(frame, 'viewer'),
    stream,
    upstream,
    note: parseNote(text(frame, 'note')),
    uptime: number(frame, 'uptime'),
    bytes: number(frame, 'bytes'),
    lag: number(frame, 'lag'),
    jumps: number(frame, 'jumps'),
    lostBytes: number(frame, 'lostBytes'),
  };
}

export function formatNote(note: ViewerNote): string {
  return JSON.stringify(note);
}

/** Reads what an earlier start of Weir, perhaps of another version, noted of a viewer. */
export function parseNote(json: string): ViewerNote {
  let note: Record<string, unknown> = {};
  try {
    note = Object(JSON.parse(json));
  } catch {
    // A note that cannot be read tells nothing; the viewer is there all the same.
  }
  const { channel, token, userAgent, peer } = note;
  return {
    channel: typeof channel === 'number' ? channel : null,
    token: typeof token === 'number' ? token : null,
    userAgent: typeof userAgent === 'string' ? userAgent : null,
    peer: typeof peer === 'string' ? peer : '',
  };
}

function upstreamOf(frame: Frame): Upstream {
  return {
    kind: text(frame, 'kind') === 'rtp' ? 'rtp' : 'udp',
    address: text(frame, 'address'),
    port: number(frame, 'port'),
    source: text(frame, 'source') || null,
    interface: text(frame, 'interface') || null,
  };
}
