import { z } from 'zod';
import { type NewSource, type SourcePatch, type SourceStatus, sourceKinds, sourceStates } from '../../model/source.js';
import { catchupSettingSchema } from './catchup.js';
import type { Operations } from './operation.js';
import { address, count, id, idParams, instant, line, named, pageOf, strict, webAddress } from './shapes.js';

/** Bytes of a request that may hold the text of a list. */
const contentLimit = 16 * 1024 * 1024;

const schedule = line(100).describe('An interval such as `90m` or `6h`, or a cron expression; null is hourly.');

export const headers = z
  .record(
    z.string().regex(/^[!#$%&'*+.^_`|~\w-]{1,100}$/),
    z
      .string()
      .max(8192)
      .regex(/^[^\r\n\0]*$/),
  )
  .describe('HTTP header fields, sent to the server of the list and meant for its streams.');

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};
export const timeZone = line(100).refine(isTimeZone, 'This is no IANA time zone. Write it such as Europe/Berlin.');

export const proxy = address(
  /^(?:https?|socks5h?):$/,
  'This is no address of a proxy: write http://, https:// or socks5://host:port.',
);

const interfaces = line(200).regex(/^[^\s/,]{1,15}(?:,[^\s/,]{1,15})*$/, 'These are no names of network interfaces.');
const encoding = z.enum(['windows-1252', 'gb18030']);

/** What may be set of every list. */
const settings = {
  name: line(200).nullable().exactOptional(),
  enabled: z.boolean().exactOptional(),
  interface: interfaces.nullable().exactOptional(),
  schedule: schedule.nullable().exactOptional(),
  headers: headers.exactOptional(),
  userAgent: line(500).nullable().exactOptional(),
  proxy: proxy.nullable().exactOptional(),
  timeZone: timeZone.nullable().exactOptional(),
  encoding: encoding.nullable().exactOptional(),
  includeVod: z.boolean().exactOptional(),
  publishDirect: z.boolean().exactOptional(),
  catchup: catchupSettingSchema.nullable().exactOptional(),
};

const path = line(4096).describe('A path in the folder that is configured for lists.');
const content = z.string().min(1).max(contentLimit).describe('The text of the list.');

export const newSourceSchema = named(
  'NewSource',
  z.discriminatedUnion('kind', [
    strict({ kind: z.literal('url'), location: webAddress, ...settings }),
    strict({ kind: z.literal('file'), location: path, ...settings }),
    strict({ kind: z.literal('inline'), content, ...settings }),
  ]),
) satisfies z.ZodType<NewSource>;

export const sourcePatchSchema = named(
  'SourcePatch',
  strict({ location: line(8192).exactOptional(), content: content.exactOptional(), ...settings }),
) satisfies z.ZodType<SourcePatch>;

const counted = z.record(z.string(), count);

export const sourceSchema = named(
  'Source',
  strict({
    id,
    kind: z.enum(sourceKinds),
    name: z.string().nullable(),
    given: z.boolean().describe('Whether flag or configuration give it: then it cannot be changed here.'),
    enabled: z.boolean(),
    location: z
      .string()
      .describe('In full for a key of scope admin; others see an address without what may be secret.'),
    interface: z.string().nullable(),
    schedule: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    userAgent: z.string().nullable(),
    proxy: z.string().nullable(),
    timeZone: z.string().nullable(),
    encoding: encoding.nullable(),
    includeVod: z.boolean(),
    publishDirect: z.boolean(),
    catchup: catchupSettingSchema.nullable(),
    state: z.enum(sourceStates),
    reason: z.string().nullable(),
    entries: count,
    channels: count,
    skipped: counted,
    kinds: counted,
    problems: counted,
    failures: count,
    nextRefreshAt: instant.nullable(),
    refreshedAt: instant.nullable(),
    publishedAt: instant.nullable(),
    version: count,
  }),
) satisfies z.ZodType<SourceStatus>;

export const sourceOperations = {
  listSources: {
    method: 'get',
    path: '/sources',
    summary: 'Lists the sources',
    scope: 'read',
    answer: { status: 200, description: 'All of them.', body: pageOf('Source', sourceSchema) },
  },
  createSource: {
    method: 'post',
    path: '/sources',
    summary: 'Adds a list by address, file or text, and begins to take it over',
    scope: 'admin',
    body: newSourceSchema,
    bodyLimit: contentLimit,
    answer: { status: 201, description: 'The source.', body: sourceSchema, etag: true, location: true },
    errors: ['conflict'],
  },
  getSource: {
    method: 'get',
    path: '/sources/{id}',
    summary: 'Shows a source and how its last refresh went',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'The source.', body: sourceSchema, etag: true },
  },
  updateSource: {
    method: 'patch',
    path: '/sources/{id}',
    summary: 'Changes a source; null sets a field back to its default',
    scope: 'admin',
    params: idParams,
    conditional: true,
    body: sourcePatchSchema,
    bodyLimit: contentLimit,
    answer: { status: 200, description: 'The source as it is now.', body: sourceSchema, etag: true },
    errors: ['conflict'],
  },
  removeSource: {
    method: 'delete',
    path: '/sources/{id}',
    summary: 'Removes a source and its channels',
    scope: 'admin',
    params: idParams,
    conditional: true,
    answer: { status: 204, description: 'It is removed.' },
    errors: ['conflict'],
  },
} as const satisfies Operations;
