import { z } from 'zod';
import type { Coverage } from '../../model/guide.js';
import type { ProgrammeView } from '../../model/programme.js';
import type { Operations } from './operation.js';
import { count, id, instant, named, pageOf, pagingShape, strict } from './shapes.js';

const programmeShape = {
  start: instant,
  stop: instant,
  title: z.string(),
  subtitle: z.string().nullable(),
  description: z.string().nullable(),
  categories: z.array(z.string()),
  episodes: z.array(strict({ system: z.string().nullable(), value: z.string() })),
  icon: z.string().nullable(),
  date: z.string().nullable(),
  isNew: z.boolean(),
};
export const programmeSchema = named('Programme', strict(programmeShape)) satisfies z.ZodType<ProgrammeView>;

const channelProgrammeSchema = named(
  'ChannelProgramme',
  strict({
    channel: id,
    ...programmeShape,
    guideSource: id.nullable().describe('Where it comes from; null of a placeholder.'),
    guideId: z.string().nullable(),
  }),
);

const nowSchema = named(
  'NowAndNext',
  strict({ channel: id, now: programmeSchema.nullable(), next: z.array(programmeSchema) }),
);

const foundSchema = named('FoundProgramme', strict({ channel: id, ...programmeShape }));

const coverageStates = [
  'covered',
  'thin',
  'ending',
  'empty',
  'unlinked',
  'none',
] as const satisfies Coverage['state'][];
const share = z.number().min(0).max(1);

const coverageSchema = named(
  'Coverage',
  strict({
    channel: id,
    name: z.string(),
    links: count,
    day: share.describe('Of the next 24 hours, how much programmes of guides cover.'),
    week: share.describe('Of the next 7 days.'),
    until: instant.nullable().describe('When the last programme ends.'),
    refreshedAt: instant.nullable().describe('When its guides were published last.'),
    state: z.enum(coverageStates),
  }),
) satisfies z.ZodType<Coverage>;

/** Ids with commas between them, each once. */
const ids = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/, 'Write ids with commas between them.')
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .refine((list) => list.length <= most, `These are more than ${most} channels.`)
    .describe(`Ids of channels with commas between them, ${most} at most.`);

const at = z.coerce.number().int().min(0).max(253_402_300_799);
const span = {
  from: at.optional().describe('Epoch seconds; now unless said.'),
  to: at.optional(),
};

export const guideProgrammeOperations = {
  listProgrammes: {
    method: 'get',
    path: '/programmes',
    summary: 'Lists what channels show in a time: channel by channel as asked for, each by start',
    scope: 'read',
    query: strict({
      channel: ids(50),
      from: span.from,
      to: span.to.describe('Epoch seconds; a day after `from` unless said, 31 days at most.'),
      ...pagingShape,
    }),
    answer: { status: 200, description: 'A page of them.', body: pageOf('ChannelProgramme', channelProgrammeSchema) },
  },
  listNow: {
    method: 'get',
    path: '/programmes/now',
    summary: 'Shows what is on now and next, of many channels at once',
    scope: 'read',
    query: strict({
      channels: ids(500),
      at: at.optional().describe('Epoch seconds; now unless said.'),
      next: z.coerce.number().int().min(0).max(10).default(1).describe('How many that follow.'),
    }),
    answer: { status: 200, description: 'All of them, as asked for.', body: pageOf('NowAndNext', nowSchema) },
  },
  searchProgrammes: {
    method: 'get',
    path: '/programmes/search',
    summary: 'Finds programmes by words of their titles',
    scope: 'read',
    query: strict({
      q: z.string().min(1).max(200).describe('Words that all have to be found in the title.'),
      from: span.from,
      to: span.to.describe('Epoch seconds; 14 days after `from` unless said, 31 days at most.'),
      ...pagingShape,
    }),
    answer: { status: 200, description: 'A page of them.', body: pageOf('FoundProgramme', foundSchema) },
  },
  listGuideCoverage: {
    method: 'get',
    path: '/guide-coverage',
    summary: 'Shows how far the guide of each channel reaches',
    scope: 'read',
    query: strict({ state: z.enum(coverageStates).optional(), ...pagingShape }),
    answer: { status: 200, description: 'A page of it.', body: pageOf('Coverage', coverageSchema) },
  },
} as const satisfies Operations;
