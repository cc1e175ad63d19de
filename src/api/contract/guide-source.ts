import { z } from 'zod';
import { isEncoding } from '../../lib/encoding-name.js';
import { longestShift } from '../../lib/shift.js';
import { feedStates, type GuideCounts, type GuideSourceStatus, type NewGuideSource } from '../../model/guide.js';
import { type GuideRefresh, guideCauses } from '../guide.js';
import { jobSchema } from './job.js';
import type { Operations } from './operation.js';
import { count, id, idParams, instant, line, named, order, pageOf, pagingQuery, strict, webAddress } from './shapes.js';
import { headers, proxy, timeZone } from './source.js';

const schedule = line(100).describe('An interval such as `90m` or `6h`, or a cron expression; null is every 6 hours.');
const encoding = line(50)
  .refine(isEncoding, 'This is no name of an encoding. Write it such as windows-1251.')
  .describe('Of texts that are neither UTF-8 nor what the guide declares; null guesses.');
export const shift = z.int().min(-longestShift).max(longestShift);

/** What may be set of every guide source. */
const settings = {
  name: line(200).nullable().exactOptional(),
  enabled: z.boolean().exactOptional(),
  position: order.describe('Where several guides have a channel, the lowest speaks first.').exactOptional(),
  schedule: schedule.nullable().exactOptional(),
  headers: headers.describe('HTTP header fields, sent to the server of the guide.').exactOptional(),
  userAgent: line(500).nullable().exactOptional(),
  proxy: proxy.nullable().exactOptional(),
  timeZone: timeZone
    .describe('IANA name; of its cron expression, and of times without a zone; null is UTC.')
    .nullable()
    .exactOptional(),
  encoding: encoding.nullable().exactOptional(),
  shift: shift.describe('Seconds added to all its times.').exactOptional(),
};

const path = line(4096).describe('A path in the folder that is configured for lists.');

export const newGuideSourceSchema = named(
  'NewGuideSource',
  z.discriminatedUnion('kind', [
    strict({ kind: z.literal('url'), location: webAddress, ...settings }),
    strict({ kind: z.literal('file'), location: path, ...settings }),
  ]),
) satisfies z.ZodType<NewGuideSource>;

export const guideSourcePatchSchema = named(
  'GuideSourcePatch',
  strict({ location: line(8192).exactOptional(), ...settings }),
) satisfies z.ZodType<Partial<Omit<NewGuideSource, 'kind'>>>;

const problems = z.record(z.string(), count).describe('What could not be read, by code of the problem.');
const countShape = {
  channels: count,
  programmes: count,
  first: instant.nullable(),
  last: instant.nullable(),
  wanted: count.describe('Programmes of channels that are linked; the following ones are of these.'),
  unchanged: count,
  reused: count,
  parsed: count,
  removed: count,
  lost: count,
  problems,
};
export const guideCountsSchema = named('GuideCounts', strict(countShape)) satisfies z.ZodType<GuideCounts>;

const waiting = strict({ snapshot: id, since: instant, reason: z.string() });

export const guideSourceSchema = named(
  'GuideSource',
  strict({
    id,
    kind: z.enum(['file', 'url']),
    location: z
      .string()
      .describe('In full for a key of scope admin; others see an address without what may be secret.'),
    name: z.string().nullable(),
    origin: z
      .enum(['given', 'user', 'list'])
      .describe('Who named it: flag or configuration (then it cannot be changed here), a user, or a list.'),
    position: z.number(),
    enabled: z.boolean(),
    schedule: z.string().nullable(),
    headers: z.record(z.string(), z.string()),
    userAgent: z.string().nullable(),
    proxy: z.string().nullable(),
    timeZone: z.string().nullable(),
    encoding: z.string().nullable(),
    shift: z.int(),
    missingSince: instant.nullable().describe('Since when nobody names it any more.'),
    lists: z.array(id).describe('Sources whose lists name it.'),
    version: count,
    state: z.enum(feedStates),
    reason: z.string().nullable(),
    counts: guideCountsSchema.nullable().describe('Of the guide in service.'),
    linked: count.describe('Channels that it speaks for.'),
    failures: count,
    waiting: waiting.nullable().describe('One that was not taken over, and can be accepted.'),
    nextRefreshAt: instant.nullable(),
    refreshedAt: instant.nullable(),
    publishedAt: instant.nullable(),
  }),
) satisfies z.ZodType<GuideSourceStatus>;

export const guideRefreshSchema = named(
  'GuideRefresh',
  strict({
    id,
    cause: z.enum(guideCauses),
    startedAt: instant,
    endedAt: instant,
    outcome: z.enum(['published', 'quarantined', 'failed']),
    reason: z.string().nullable(),
    counts: strict({
      channels: countShape.channels.exactOptional(),
      programmes: countShape.programmes.exactOptional(),
      first: countShape.first.exactOptional(),
      last: countShape.last.exactOptional(),
      wanted: countShape.wanted.exactOptional(),
      unchanged: countShape.unchanged.exactOptional(),
      reused: countShape.reused.exactOptional(),
      parsed: countShape.parsed.exactOptional(),
      removed: countShape.removed.exactOptional(),
      lost: countShape.lost.exactOptional(),
      problems: problems.exactOptional(),
    }),
  }),
) satisfies z.ZodType<GuideRefresh>;

const jobAnswer = { status: 202, description: 'A job that does it.', body: jobSchema, location: true } as const;

export const guideSourceOperations = {
  listGuideSources: {
    method: 'get',
    path: '/guide-sources',
    summary: 'Lists the guides, the one that speaks first at the top',
    scope: 'read',
    answer: { status: 200, description: 'All of them.', body: pageOf('GuideSource', guideSourceSchema) },
  },
  createGuideSource: {
    method: 'post',
    path: '/guide-sources',
    summary: 'Adds a guide by address or file, and begins to take it over',
    scope: 'admin',
    body: newGuideSourceSchema,
    answer: { status: 201, description: 'The guide source.', body: guideSourceSchema, etag: true, location: true },
    errors: ['conflict'],
  },
  getGuideSource: {
    method: 'get',
    path: '/guide-sources/{id}',
    summary: 'Shows a guide source and how its last refresh went',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'The guide source.', body: guideSourceSchema, etag: true },
  },
  updateGuideSource: {
    method: 'patch',
    path: '/guide-sources/{id}',
    summary: 'Changes a guide source; null sets a field back to its default',
    scope: 'admin',
    params: idParams,
    conditional: true,
    body: guideSourcePatchSchema,
    answer: { status: 200, description: 'The guide source as it is now.', body: guideSourceSchema, etag: true },
    errors: ['conflict'],
  },
  removeGuideSource: {
    method: 'delete',
    path: '/guide-sources/{id}',
    summary: 'Removes a guide source; its links come back with it',
    scope: 'admin',
    params: idParams,
    conditional: true,
    answer: { status: 204, description: 'It is removed.' },
    errors: ['conflict'],
  },
  refreshGuideSource: {
    method: 'post',
    path: '/guide-sources/{id}:refresh',
    summary: 'Fetches a guide now and takes it over',
    scope: 'edit',
    params: idParams,
    answer: jobAnswer,
    errors: ['conflict'],
  },
  acceptGuideSource: {
    method: 'post',
    path: '/guide-sources/{id}:accept',
    summary: 'Takes over the guide that was not, whatever is wrong with it',
    scope: 'admin',
    params: idParams,
    answer: jobAnswer,
    errors: ['conflict'],
  },
  listGuideRefreshes: {
    method: 'get',
    path: '/guide-sources/{id}/refreshes',
    summary: 'Lists the refreshes of a guide source that brought another guide or none, the newest first',
    scope: 'read',
    params: idParams,
    query: pagingQuery,
    answer: { status: 200, description: 'A page of them.', body: pageOf('GuideRefresh', guideRefreshSchema) },
  },
} as const satisfies Operations;
