import { isIPv4, isIPv6 } from 'node:net';
import { z } from 'zod';
import { parseNetwork } from '../lib/address.js';
import { isEncoding } from '../lib/encoding-name.js';
import { logLevels } from '../lib/log.js';
import { isTimeZone, scheduleProblem } from '../lib/schedule.js';
import { longestShift, parseShift, shiftHelp } from '../lib/shift.js';
import { catchupSchema, rtspSchema, zone } from './rtsp.js';

/** Where to listen; `address` null is every address, IPv4 and IPv6. Port 0 lets the system choose one. */
export type Listener = { readonly address: string | null; readonly port: number };

const listener = z.union([z.string(), z.number()]).transform((value, context) => {
  const parsed = parseListener(String(value));
  if (parsed === null)
    context.addIssue({ code: 'custom', message: 'write [ADDRESS:]PORT, IPv6 in brackets, port 0 to 65535' });
  return parsed ?? z.NEVER;
});

const network = z
  .string()
  .refine((text) => parseNetwork(text) !== null, 'write an address or a network such as 192.168.1.0/24');

const hostName = z
  .string()
  .regex(
    /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i,
    'write a host name without scheme and port',
  )
  .toLowerCase();

const publicUrl = z
  .url({ protocol: /^https?$/, error: 'write an address such as https://tv.example.org' })
  .refine((text) => !/[?#@]/.test(text), 'write it without user, query and fragment')
  .transform((text) => text.replace(/\/+$/, ''));

const seconds = z.number().min(0.1).max(3600);
const interfaces = z
  .string()
  .regex(
    /^[^\s/,]{1,15}(,[^\s/,]{1,15})*$/,
    'write the name of a network interface, or several with commas between them',
  );
const membershipRefresh = z.number().min(0).max(3600);

const proxy = z
  .url({ protocol: /^(?:https?|socks5h?)$/, error: 'write an http, https or socks5 address' })
  .refine((text) => !/[?#]/.test(text), 'write it without query and fragment');
const schedule = z.string().superRefine((text, context) => {
  const problem = scheduleProblem(text);
  if (problem !== null) context.addIssue({ code: 'custom', message: problem });
});
const timeZone = z.string().refine(isTimeZone, 'write the IANA name of a time zone, such as Europe/Vienna');

/** A list with what holds for its channels alone. */
export const playlistSchema = z.strictObject(
  {
    location: z.string({ error: 'write a path or an http(s) address' }).min(1),
    interface: interfaces.nullable().default(null),
    membership_refresh: membershipRefresh.nullable().default(null),
    schedule: schedule.nullable().default(null),
    headers: z.record(z.string(), z.string()).default({}),
    user_agent: z.string().min(1).nullable().default(null),
    proxy: proxy.nullable().default(null),
    time_zone: timeZone.nullable().default(null),
    encoding: z.enum(['windows-1252', 'gb18030']).nullable().default(null),
    include_vod: z.boolean().default(false),
    publish_direct: z.boolean().default(false),
    catchup: catchupSchema.nullable().default(null),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'write a path, an address, or a set of location and what holds for this list'
        : undefined,
  },
);
const bare = (value: unknown) => (typeof value === 'string' ? { location: value } : value);
const playlist = z.preprocess(bare, playlistSchema);

/** Seconds: a number, or text such as `-5h30m`. */
const shift = z
  .union([z.int(), z.string().transform((text) => parseShift(text) ?? Number.NaN)], { error: shiftHelp })
  .refine((seconds) => Math.abs(seconds) <= longestShift, shiftHelp);

/** A guide with what holds for it alone. */
export const guideSchema = z.strictObject(
  {
    location: z.string({ error: 'write a path or an http(s) address' }).min(1),
    name: z.string().min(1).nullable().default(null),
    schedule: schedule.nullable().default(null),
    headers: z.record(z.string(), z.string()).default({}),
    user_agent: z.string().min(1).nullable().default(null),
    proxy: proxy.nullable().default(null),
    time_zone: timeZone.nullable().default(null),
    encoding: z
      .string()
      .refine(isEncoding, 'write the name of an encoding, such as windows-1251')
      .nullable()
      .default(null),
    shift: shift.default(0),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'write a path, an address, or a set of location and what holds for this guide'
        : undefined,
  },
);
const guide = z.preprocess(bare, guideSchema);

/** The shape of the configuration file. Everything but `data` has a default. */
export const configSchema = z.strictObject({
  data: z.string().min(1),
  listen: z
    .array(listener)
    .min(1)
    .default([{ address: null, port: 5140 }]),
  playlists: z.array(playlist).default([]),
  guides: z.array(guide).default([]),
  guide_from_lists: z.boolean().default(true),
  interface: interfaces.nullable().default(null),
  time_zone: zone.nullable().default(null),
  rtsp: rtspSchema.prefault({}),
  inner_upstreams: z.boolean().default(false),
  log: z.enum(logLevels).default('info'),
  public_url: publicUrl.nullable().default(null),
  hosts: z.array(hostName).default([]),
  proxies: z.array(network).default([]),
  cgnat_is_private: z.boolean().default(false),
  admin_key_file: z.string().min(1).nullable().default(null),
  list_folder: z.string().min(1).nullable().default(null),
  viewers: z.int().min(1).max(100_000).default(5000),
  viewer_tcp: z
    .strictObject({
      congestion: z
        .string()
        .regex(/^[\w-]{1,15}$/, 'write the name of a congestion control, such as bbr')
        .nullable()
        .default(null),
      unsent_kb: z.int().min(4).max(65_536).nullable().default(256),
    })
    .prefault({}),
  streams: z
    .strictObject({
      no_signal: seconds.default(4),
      rejoin: seconds.default(2),
      linger: z.number().min(0).max(3600).default(5),
      membership_refresh: membershipRefresh.default(0),
      look_back: z.number().min(0).max(60).default(4),
      look_back_mb: z.number().int().min(1).max(64).default(8),
    })
    .refine(({ no_signal, rejoin }) => rejoin < no_signal, {
      path: ['rejoin'],
      message: 'write less than no_signal, the group is joined again before it is given up',
    })
    .prefault({}),
});

/** The configuration as the parts of Weir get it: complete, frozen. Times are in seconds. */
export type Config = DeepReadonly<z.infer<typeof configSchema>>;

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

/** Reads `[ADDRESS:]PORT`; null when it is neither. */
export function parseListener(text: string): Listener | null {
  const match = /^(?:(.*):)?(\d{1,5})$/.exec(text.trim());
  const port = Number(match?.[2] ?? Number.NaN);
  if (match === null || port > 65535) return null;
  const host = match[1];
  if (host === undefined || host === '' || host === '*') return { address: null, port };
  const inner = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : null;
  if (inner !== null) return isIPv6(inner) ? { address: inner, port } : null;
  return isIPv4(host) ? { address: host, port } : null;
}
