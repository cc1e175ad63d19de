import { z } from 'zod';
import type { Wish } from '../../model/archive.js';
import {
  type PidStatus,
  pidRoles,
  type StreamDetail,
  type StreamHealth,
  type StreamStatus,
  type Upstream,
} from '../../model/stream.js';
import type { ViewerStatus } from '../../model/viewer.js';
import type { Operations } from './operation.js';
import { count, named, pageOf, seconds, strict } from './shapes.js';

export const upstreamSchema = named(
  'Upstream',
  z.discriminatedUnion('kind', [
    strict({
      kind: z.enum(['udp', 'rtp']),
      address: z.string(),
      port: z.int().min(1).max(65535),
      source: z.string().nullable(),
      interface: z.string().nullable(),
    }),
    strict({
      kind: z.literal('rtsp'),
      url: z.string().describe('In full, but for its account, for a key of scope admin; others see the host.'),
      interface: z.string().nullable(),
    }),
  ]),
) satisfies z.ZodType<Upstream>;

export const wishSchema = named(
  'Wish',
  strict({
    start: z.number().describe('Epoch seconds.'),
    end: z.number().nullable().describe('Epoch seconds; null is open.'),
  }),
) satisfies z.ZodType<Wish>;

const interval = seconds.nullable();

export const healthSchema = named(
  'StreamHealth',
  strict({
    syncLosses: count,
    patErrors: count,
    pmtErrors: count,
    pidErrors: count,
    transportErrors: count,
    crcErrors: count,
    pcrErrors: count,
    scrambled: count,
    patInterval: interval,
    pmtInterval: interval,
    pcrInterval: interval,
    pcrJitter: interval,
  }),
) satisfies z.ZodType<StreamHealth>;

export const streamSchema = named(
  'Stream',
  strict({
    id: z.string(),
    upstream: upstreamSchema,
    state: z.enum(['opening', 'live', 'silent', 'lingering']),
    format: z.enum(['ts', 'rtp-ts', 'rtp']).nullable(),
    uptime: seconds,
    viewers: count,
    packets: count,
    bytes: count,
    bitrate: z.number().min(0),
    continuityErrors: count,
    reordered: count,
    duplicates: count,
    lost: count,
    strays: count,
    kernelDrops: count,
    restarts: count,
    rejoins: count,
    jumps: count,
    lookBack: count,
    transport: z.enum(['tcp', 'udp']).nullable().describe('Of a session of RTSP.'),
    media: seconds.nullable().describe('Seconds of programme clock that have come.'),
    archive: wishSchema.nullable().describe('What of the past it brings; null when it is live.'),
    health: healthSchema,
  }),
) satisfies z.ZodType<StreamStatus>;

export const pidSchema = named(
  'Pid',
  strict({
    pid: z.int().min(0).max(8191),
    role: z.enum(pidRoles).nullable(),
    type: z.int().min(0).max(255).nullable(),
    pcr: z.boolean(),
    packets: count,
    bitrate: z.number().min(0),
    continuityErrors: count,
    scrambled: count,
  }),
) satisfies z.ZodType<PidStatus>;

export const streamDetailSchema = named(
  'StreamDetail',
  strict({ ...streamSchema.shape, pids: z.array(pidSchema) }),
) satisfies z.ZodType<StreamDetail>;

export const viewerSchema = named(
  'Viewer',
  strict({
    id: z.string(),
    stream: z.string(),
    upstream: upstreamSchema,
    note: strict({
      channel: z.int().nullable(),
      token: z.int().nullable(),
      userAgent: z.string().nullable(),
      peer: z.string(),
      archive: wishSchema.nullable().describe('What of the past was asked for; null for live.'),
      asked: z.string().nullable().describe('Digest of the address by which an archive was asked for.'),
    }),
    uptime: seconds,
    bytes: count,
    lag: count,
    jumps: count,
    lostBytes: count,
  }),
) satisfies z.ZodType<ViewerStatus>;

const params = strict({ id: z.string().describe('The id, percent-encoded.') });

export const streamOperations = {
  listStreams: {
    method: 'get',
    path: '/streams',
    summary: 'Lists the streams that are open',
    scope: 'read',
    answer: { status: 200, description: 'All of them.', body: pageOf('Stream', streamSchema) },
  },
  getStream: {
    method: 'get',
    path: '/streams/{id}',
    summary: 'Shows a stream with what is in it',
    scope: 'read',
    params,
    answer: { status: 200, description: 'The stream.', body: streamDetailSchema },
  },
  closeStream: {
    method: 'delete',
    path: '/streams/{id}',
    summary: 'Disconnects the viewers of a stream and closes it',
    scope: 'edit',
    params,
    answer: { status: 204, description: 'It is closed.' },
  },
  listViewers: {
    method: 'get',
    path: '/viewers',
    summary: 'Lists who is watching',
    scope: 'read',
    answer: { status: 200, description: 'All of them.', body: pageOf('Viewer', viewerSchema) },
  },
  closeViewer: {
    method: 'delete',
    path: '/viewers/{id}',
    summary: 'Disconnects a viewer',
    scope: 'edit',
    params,
    answer: { status: 204, description: 'It is disconnected.' },
  },
} as const satisfies Operations;
