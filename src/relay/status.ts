import type { Wish } from '../model/archive.js';
import type { Upstream } from '../model/stream.js';
import { type PidStatus, pidRoles, type StreamHealth, type StreamState, type StreamStatus } from '../model/stream.js';
import type { ViewerNote, ViewerStatus } from '../model/viewer.js';
import { type Frame, knownNumber, number, text } from './frame.js';

const states: readonly StreamState[] = ['opening', 'live', 'silent', 'lingering'];
const formats = ['ts', 'rtp-ts', 'rtp'] as const;
const transports = ['tcp', 'udp'] as const;

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
    transport: transports.find((transport) => transport === text(frame, 'transport')) ?? null,
    media: knownNumber(frame, 'media'),
    archive: wishOf(text(frame, 'note')),
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
  const { channel, token, userAgent, peer, archive, asked } = parseJson(json);
  return {
    channel: typeof channel === 'number' ? channel : null,
    token: typeof token === 'number' ? token : null,
    userAgent: typeof userAgent === 'string' ? userAgent : null,
    peer: typeof peer === 'string' ? peer : '',
    archive: parseWish(archive),
    asked: typeof asked === 'string' ? asked : null,
  };
}

/** The fields of a note. One that cannot be read tells nothing: what it belongs to is there all the same. */
function parseJson(json: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(json));
  } catch {
    return {};
  }
}

/** What of the past a stream brings, by its note. */
function wishOf(json: string): Wish | null {
  const { archive } = parseJson(json);
  return parseWish(archive);
}

function parseWish(value: unknown): Wish | null {
  const { start, end } = Object(value) as { start?: unknown; end?: unknown };
  return typeof start === 'number' ? { start, end: typeof end === 'number' ? end : null } : null;
}

function upstreamOf(frame: Frame): Upstream {
  const kind = text(frame, 'kind');
  const name = text(frame, 'interface') || null;
  if (kind === 'rtsp') return { kind, url: text(frame, 'url'), interface: name };
  return {
    kind: kind === 'rtp' ? 'rtp' : 'udp',
    address: text(frame, 'address'),
    port: number(frame, 'port'),
    source: text(frame, 'source') || null,
    interface: name,
  };
}
