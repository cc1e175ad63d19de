import { z } from 'zod';
import type { ChannelGuide, GuideLink, Placeholder } from '../../model/guide.js';
import type { MatchCandidate, MatchVeto } from '../../model/guide-match.js';
import type { ReviewItem } from '../guide.js';
import { editedSchema } from './change.js';
import { shift } from './guide-source.js';
import { jobSchema } from './job.js';
import type { Operations } from './operation.js';
import {
  count,
  id,
  idParams,
  instant,
  line,
  named,
  pageOf,
  pagingQuery,
  pagingShape,
  shownName,
  strict,
} from './shapes.js';

const guideId = line(500);
const ref = { guideSource: id, guideId };
const modes = ['auto', 'manual', 'none'] as const;
const origins = ['auto', 'user'] as const;
const linkStates = ['live', 'empty', 'gone'] as const;
const vetoes = ['number', 'shift', 'country', 'empty', 'rejected', 'kind', 'region'] as const satisfies MatchVeto[];

const linkShape = {
  id,
  channel: id,
  guideSource: id,
  guideId: z.string(),
  rank: count.describe('0 speaks first, the next ones fill what it leaves empty.'),
  shift: z.int().describe('Seconds added to its times for this channel.'),
  origin: z.enum(origins),
  locked: z.boolean(),
  score: z.number().min(0).max(1).nullable(),
  reasons: z.array(z.string()),
  names: z.array(z.string()).describe('By which it is found again when the guide gives it another id.'),
  verifiedAt: instant,
};
export const guideLinkSchema = named('GuideLink', strict(linkShape)) satisfies z.ZodType<GuideLink>;

const listedLinkSchema = named(
  'ListedGuideLink',
  strict({
    ...linkShape,
    name: z.string().describe("The channel's."),
    state: z
      .enum(linkStates)
      .describe('Whether the guide has programmes for it around now, none, or does not know it.'),
  }),
);

const placeholder = named(
  'Placeholder',
  strict({
    minutes: z.int().min(5).max(720).describe('Of a block.'),
    title: shownName(200).describe("`{name}` stands for the channel's."),
  }),
) satisfies z.ZodType<Placeholder>;

const channelGuideSchema = named(
  'ChannelGuide',
  strict({
    channel: id,
    mode: z.enum(modes).describe('`manual` has links of users alone; `none` is a channel that shall have no guide.'),
    placeholder: placeholder.nullable().describe('What fills the time that no guide has.'),
    links: z.array(guideLinkSchema).describe('The best first.'),
  }),
) satisfies z.ZodType<ChannelGuide>;

const wishedLinks = z.array(strict({ ...ref, shift: shift.exactOptional() })).max(50);

const channelGuidePatchSchema = named(
  'ChannelGuidePatch',
  strict({
    mode: z.enum(modes).exactOptional(),
    placeholder: placeholder.nullable().exactOptional(),
    links: wishedLinks
      .nullable()
      .exactOptional()
      .describe('All links that are set by hand, the best first; null gives them up and links automatically again.'),
  }),
);

const candidateSchema = named(
  'MatchCandidate',
  strict({
    guideSource: id,
    guideId: z.string(),
    names: z.array(z.string()),
    score: z.number().min(0).max(1),
    reasons: z.array(z.string()),
    vetoes: z.array(z.enum(vetoes)),
  }),
) satisfies z.ZodType<MatchCandidate>;

const reviewSchema = named(
  'GuideReview',
  strict({
    channel: id,
    name: z.string(),
    why: z.enum(['unsure', 'ambiguous', 'vetoed']),
    since: instant,
    candidates: z.array(candidateSchema).describe('The best first.'),
  }),
) satisfies z.ZodType<ReviewItem>;

const ofChannel = strict({ channel: idParams.shape.id });
const edited = { status: 200, description: 'What it did.', body: editedSchema } as const;

export const guideLinkOperations = {
  getChannelGuide: {
    method: 'get',
    path: '/channels/{id}/guide',
    summary: 'Shows which channels of guides speak for a channel',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'Its guide.', body: channelGuideSchema, etag: true },
  },
  updateChannelGuide: {
    method: 'patch',
    path: '/channels/{id}/guide',
    summary: 'Sets which channels of guides speak for a channel',
    scope: 'edit',
    params: idParams,
    conditional: true,
    body: channelGuidePatchSchema,
    answer: { status: 200, description: 'Its guide as it is now.', body: channelGuideSchema, etag: true },
    errors: ['conflict'],
  },
  listGuideLinks: {
    method: 'get',
    path: '/guide-links',
    summary: 'Lists which channels of guides speak for which channels',
    scope: 'read',
    query: strict({
      source: idParams.shape.id.optional().describe('Of one guide source.'),
      origin: z.enum(origins).optional(),
      state: z.enum(linkStates).optional().describe('A page may hold fewer than `limit` then.'),
      ...pagingShape,
    }),
    answer: { status: 200, description: 'A page of them.', body: pageOf('ListedGuideLink', listedLinkSchema) },
  },
  matchChannels: {
    method: 'post',
    path: '/channels:match',
    summary: 'Links channels to guides anew, as happens after each refresh too',
    scope: 'edit',
    answer: { status: 202, description: 'A job that does it.', body: jobSchema, location: true },
  },
  listGuideReview: {
    method: 'get',
    path: '/guide-review',
    summary: 'Lists channels whose guide is not sure, with candidates',
    scope: 'read',
    query: pagingQuery,
    answer: { status: 200, description: 'A page of them.', body: pageOf('GuideReview', reviewSchema) },
  },
  acceptGuideReview: {
    method: 'post',
    path: '/guide-review/{channel}:accept',
    summary: 'Links a channel to one of its candidates, for good',
    scope: 'edit',
    params: ofChannel,
    body: named('AcceptedCandidate', strict(ref)),
    answer: edited,
    errors: ['conflict'],
  },
  rejectGuideReview: {
    method: 'post',
    path: '/guide-review/{channel}:reject',
    summary:
      'Says no to candidates of a channel: to one, to those of a guide source, or to all; they are shown no more',
    scope: 'edit',
    params: ofChannel,
    body: named('RejectedCandidates', strict({ guideSource: id.exactOptional(), guideId: guideId.exactOptional() })),
    bodyOptional: true,
    answer: edited,
    errors: ['conflict'],
  },
} as const satisfies Operations;
