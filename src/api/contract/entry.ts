import { z } from 'zod';
import type { CatchupSetting } from '../../model/archive.js';
import { catchupModes, type Entry, entryKinds } from '../../model/entry.js';
import type { Operations } from './operation.js';
import { id, idParams, instant, line, named, pageOf, pagingShape, strict } from './shapes.js';

/** What is null follows what is below: the source, else the entry, else its list. */
export const catchupSettingSchema = named(
  'CatchupSetting',
  strict({
    mode: z
      .enum([...catchupModes, 'none'])
      .nullable()
      .describe('`none` is no archive.'),
    source: line(8192).nullable().describe('The template of the address; goes with the mode.'),
    days: z.number().min(0).max(365).nullable().describe('How far it reaches back.'),
    correction: z.number().min(-24).max(24).nullable().describe('Hours taken from the times in addresses.'),
    zone: line(64)
      .nullable()
      .default(null)
      .describe('What times in addresses are written in: an IANA name or `UTC+8`.'),
    formatted: z
      .enum(['utc', 'zone'])
      .nullable()
      .default(null)
      .describe('What `{utc:FORMAT}` and its like are written in.'),
    nearLive: z
      .int()
      .min(0)
      .max(86_400)
      .nullable()
      .default(null)
      .describe('What begins no more than so many seconds ago is asked for by `Range: clock`.'),
    sessions: z.int().min(1).max(1000).nullable().default(null).describe('How many the provider allows at one time.'),
  }),
) satisfies z.ZodType<CatchupSetting>;

const headers = z.record(z.string(), z.string());
const states = ['present', 'missing', 'left'] as const;

/** What the provider wrote is shown as it stands, however odd: its catch-up has no bounds. */
const said = strict({
  mode: z.enum(catchupModes),
  source: z.string().nullable(),
  days: z.number().nullable(),
  correction: z.number().nullable(),
});

export const entrySchema = named(
  'Entry',
  strict({
    id,
    source: id,
    kind: z.enum(entryKinds),
    state: z.enum(states),
    missingSince: instant.nullable(),
    line: z.int().min(0),
    name: z.string(),
    tvgId: z.string().nullable(),
    groups: z.array(z.string()),
    channel: id.nullable(),
    tvgName: z.string().nullable(),
    number: z.string().nullable(),
    logo: z.string().nullable(),
    radio: z.boolean(),
    guideShift: z.int().nullable().describe('Seconds that its guide is late.'),
    urls: z
      .array(strict({ url: z.string(), label: z.string().nullable(), headers }))
      .describe('In full for a key of scope admin; others see addresses without what may be secret.'),
    headers,
    catchup: said.nullable(),
    attributes: z.array(z.tuple([z.string(), z.string()])),
    directives: z.array(strict({ name: z.string(), value: z.string(), before: z.boolean() })),
  }),
) satisfies z.ZodType<Entry>;

const query = strict({
  q: z.string().max(200).exactOptional().describe('Words that all have to be found.'),
  source: idParams.shape.id.exactOptional(),
  kind: z.enum(entryKinds).exactOptional(),
  state: z.enum(states).exactOptional(),
  assigned: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .exactOptional()
    .describe('Whether they belong to a channel.'),
  ...pagingShape,
});

export const entryOperations = {
  listEntries: {
    method: 'get',
    path: '/entries',
    summary: 'Lists the entries of the sources as their providers wrote them',
    scope: 'read',
    query,
    answer: { status: 200, description: 'A page of them.', body: pageOf('Entry', entrySchema) },
  },
  getEntry: {
    method: 'get',
    path: '/entries/{id}',
    summary: 'Shows an entry',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'The entry.', body: entrySchema, etag: true },
  },
} as const satisfies Operations;
