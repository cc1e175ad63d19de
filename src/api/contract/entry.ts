import { z } from 'zod';
import { catchupModes, type Entry, entryKinds } from '../../model/entry.js';
import type { Operations } from './operation.js';
import { id, idParams, instant, named, pageOf, pagingShape, strict } from './shapes.js';

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
