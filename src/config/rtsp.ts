import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { isZone } from '../lib/zone-clock.js';

/** A zone as templates of archives may need it: IANA, or so far from UTC. */
export const zone = z.string().refine(isZone, 'write the IANA name of a time zone, such as Europe/Vienna, or UTC+8');

const modes = [
  'default',
  'append',
  'shift',
  'flussonic-hls',
  'flussonic-ts',
  'xc',
  'vod',
  'timeshift',
  'archive',
] as const;

/** What holds of the archives of a list's channels, over what the list says. */
export const catchupSchema = z
  .strictObject({
    mode: z
      .enum([...modes, 'none'])
      .nullable()
      .default(null),
    template: z.string().min(1).nullable().default(null),
    days: z.number().min(0).max(365).nullable().default(null),
    correction: z.number().min(-24).max(24).nullable().default(null),
    zone: zone.nullable().default(null),
    formatted: z.enum(['utc', 'zone']).nullable().default(null),
    near_live: z.int().min(0).max(86_400).nullable().default(null),
    sessions: z.int().min(1).max(1000).nullable().default(null),
  })
  .refine(({ mode, template }) => template === null || mode !== null, {
    path: ['mode'],
    message: 'say how the template is meant: default for a whole address, append for what is put behind it',
  })
  .refine(({ mode, template }) => template !== null || (mode !== 'append' && mode !== 'vod'), {
    path: ['template'],
    message: 'this mode needs a template',
  });

/** `host[:port]`, an IPv6 address in brackets. */
function parseServer(text: string, usualPort: number): { readonly address: string; readonly port: number } | null {
  const [, literal, name, port] = /^(?:\[([\da-f:.]+)\]|([^\s:/?#@[\]]+))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const address = (literal ?? name ?? '').toLowerCase();
  const number = port === undefined ? usualPort : Number(port);
  if (address === '' || (literal !== undefined && !isIPv6(literal)) || number < 1 || number > 65_535) return null;
  return { address, port: number };
}

const server = z.string().transform((text, context) => {
  const parsed = parseServer(text, 554);
  if (parsed === null) context.addIssue({ code: 'custom', message: 'write host[:port], an IPv6 address in brackets' });
  return parsed ?? z.NEVER;
});

type Nat = 'auto' | 'off' | { readonly stun: { readonly address: string; readonly port: number } };

const nat = z.string().transform((text, context): Nat => {
  if (text === 'auto' || text === 'off') return text;
  const stun = text.startsWith('stun:') ? parseServer(text.slice(5), 3478) : null;
  if (stun === null) context.addIssue({ code: 'custom', message: 'write auto, off or stun:host[:port]' });
  return stun === null ? z.NEVER : { stun };
});

const ports = z.string().transform((text, context) => {
  const [least, most] = text.split('-').map((port) => (/^\d{4,5}$/.test(port) ? Number(port) : Number.NaN));
  if (least === undefined || most === undefined || !(least >= 1024 && most <= 65_535 && least < most)) {
    context.addIssue({ code: 'custom', message: 'write two ports from 1024 to 65535, such as 10000-19999' });
    return z.NEVER;
  }
  return { least, most };
});

/** How servers of RTSP are spoken to. */
export const rtspSchema = z.strictObject({
  user_agent: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'write a name in plain letters')
    .nullable()
    .default(null),
  transport: z.enum(['auto', 'tcp', 'udp']).default('auto'),
  nat: nat.prefault('auto'),
  ports: ports.prefault('10000-19999'),
  hosts: z.array(server).default([]),
});
