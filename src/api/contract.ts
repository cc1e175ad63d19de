import { z } from 'zod';
import type { SourceStatus } from '../model/source.js';
import { sourceStates } from '../model/source.js';
import { type PidStatus, pidRoles, type StreamDetail, type StreamHealth, type StreamStatus } from '../model/stream.js';
import type { ViewerStatus } from '../model/viewer.js';

/** What `/api/v1` answers with. Fields mean what `src/model` says of them; times are seconds, instants epoch seconds. */
const count = z.int().min(0);

export const upstreamSchema = z.strictObject({
  kind: z.enum(['udp', 'rtp']),
  address: z.string(),
  port: z.int().min(1).max(65535),
  source: z.string().nullable(),
  interface: z.string().nullable(),
});

const interval = z.number().min(0).nullable();

export const healthSchema = z.strictObject({
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
}) satisfies z.ZodType<StreamHealth>;

export const streamSchema = z.strictObject({
  id: z.string(),
  upstream: upstreamSchema,
  state: z.enum(['opening', 'live', 'silent', 'lingering']),
  format: z.enum(['ts', 'rtp-ts', 'rtp']).nullable(),
  uptime: z.number().min(0),
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
  health: healthSchema,
}) satisfies z.ZodType<StreamStatus>;

export const pidSchema = z.strictObject({
  pid: z.int().min(0).max(8191),
  role: z.enum(pidRoles).nullable(),
  type: z.int().min(0).max(255).nullable(),
  pcr: z.boolean(),
  packets: count,
  bitrate: z.number().min(0),
  continuityErrors: count,
  scrambled: count,
}) satisfies z.ZodType<PidStatus>;

export const streamDetailSchema = z.strictObject({
  ...streamSchema.shape,
  pids: z.array(pidSchema),
}) satisfies z.ZodType<StreamDetail>;

export const viewerSchema = z.strictObject({
  id: z.string(),
  stream: z.string(),
  upstream: upstreamSchema,
  note: z.strictObject({
    channel: z.int().nullable(),
    token: z.int().nullable(),
    userAgent: z.string().nullable(),
    peer: z.string(),
  }),
  uptime: z.number().min(0),
  bytes: count,
  lag: count,
  jumps: count,
  lostBytes: count,
}) satisfies z.ZodType<ViewerStatus>;

export const sourceSchema = z.strictObject({
  id: z.int(),
  kind: z.enum(['file', 'url']),
  location: z.string(),
  interface: z.string().nullable(),
  state: z.enum(sourceStates),
  reason: z.string().nullable(),
  entries: count,
  channels: count,
  skipped: z.record(z.string(), count),
  refreshedAt: z.int().nullable(),
  publishedAt: z.int().nullable(),
}) satisfies z.ZodType<SourceStatus>;

/** What every list of the API looks like. */
export const listOf = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item) });

/** RFC 9457, with the stable code of the error. */
export const problemSchema = z.strictObject({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
});

export type List<T> = { readonly items: readonly T[] };
