import { z } from 'zod';
import { archiveSchemes } from '../../model/archive.js';
import {
  type ChannelDetail,
  type ChannelFilter,
  type ChannelOverride,
  type ChannelStatus,
  channelStates,
  profileIds,
} from '../../model/channel.js';
import { catchupSettingSchema } from './catchup.js';
import { editedSchema } from './change.js';
import type { Operations } from './operation.js';
import {
  channelNumber,
  id,
  idParams,
  knownOnly,
  line,
  named,
  order,
  pageOf,
  pagingShape,
  shownName,
  strict,
  webAddress,
} from './shapes.js';

const groups = z
  .array(shownName(200))
  .max(100)
  .refine((names) => new Set(names).size === names.length, 'A group stands twice.')
  .meta({ uniqueItems: true });
const guideShift = z.int().min(-172_800).max(172_800).describe('Seconds that the guide is late.');
const hint = line(2000).regex(/^#/, 'A hint is a line that begins with #.');
const hints = z
  .partialRecord(z.enum(profileIds), z.array(hint).max(50), knownOnly(profileIds))
  .describe('Lines that players of a profile are given with the channel.');

const name = shownName(200);
const tvgId = line(500);

const override = {
  name: name.nullable(),
  number: channelNumber.nullable(),
  logo: webAddress.nullable(),
  groups: groups.nullable(),
  tvgId: tvgId.nullable(),
  guideShift: guideShift.nullable(),
  hidden: z.boolean().nullable(),
  order: order.nullable().describe('Where it stands among the channels that have one.'),
  catchup: catchupSettingSchema.nullable(),
  hints: hints.nullable(),
};

export const overrideSchema = named('ChannelOverride', strict(override)) satisfies z.ZodType<ChannelOverride>;

export const channelPatchSchema = named(
  'ChannelPatch',
  strict({
    name: override.name.exactOptional(),
    number: override.number.exactOptional(),
    logo: override.logo.exactOptional(),
    groups: override.groups.exactOptional(),
    tvgId: override.tvgId.exactOptional(),
    guideShift: override.guideShift.exactOptional(),
    hidden: override.hidden.exactOptional(),
    order: override.order.exactOptional(),
    catchup: override.catchup.exactOptional(),
    hints: override.hints.exactOptional(),
  }),
) satisfies z.ZodType<Partial<ChannelOverride>>;

export const channelSchema = named(
  'Channel',
  strict({
    id,
    key: z.string().describe('Names it in `/stream/{key}`; never changes.'),
    name: z.string(),
    number: z.string().nullable(),
    groups: z.array(z.string()),
    logo: z.string().nullable(),
    tvgId: z.string().nullable(),
    guideShift: z.number().nullable(),
    radio: z.boolean(),
    order: z.number().nullable(),
    hidden: z.boolean(),
    missing: z.boolean(),
    playable: z.boolean().describe('Whether the relay can receive it.'),
    published: z.boolean().describe('Whether playlists hold it.'),
    source: id,
    archive: strict({
      days: z.number().describe('How far it reaches back.'),
      scheme: z.enum(archiveSchemes).describe('Of the addresses by which it is reached.'),
    }).nullable(),
  }),
) satisfies z.ZodType<ChannelStatus>;

export const channelDetailSchema = named(
  'ChannelDetail',
  strict({
    ...channelSchema.shape,
    override: overrideSchema,
    said: strict({
      name: z.string(),
      number: z.string().nullable(),
      groups: z.array(z.string()),
      logo: z.string().nullable(),
      tvgId: z.string().nullable(),
    }).describe('What the provider says, rules not applied.'),
    entries: z.array(id).describe('Its entries, the best first.'),
    etag: z.string(),
  }),
) satisfies z.ZodType<ChannelDetail>;

const filter = {
  q: z
    .string()
    .max(200)
    .optional()
    .describe('Words that all have to be found in names, number or guide id, in any case and width.'),
  group: line(200).optional(),
  state: z.enum(channelStates).optional(),
};

/** As it stands in a body; in a query the source is text. */
export const channelFilterSchema = named(
  'ChannelFilter',
  strict({ ...filter, source: id.optional() }),
) satisfies z.ZodType<ChannelFilter>;

const ids = z.array(id).min(1).max(10_000);

const batch = strict({
  ids: ids.exactOptional(),
  filter: channelFilterSchema.exactOptional(),
  patch: channelPatchSchema,
  dryRun: z.boolean().default(false).describe('Changes nothing: says how many channels it would change.'),
})
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), 'Say either ids or filter.')
  .meta({ oneOf: [{ required: ['ids'] }, { required: ['filter'] }] });

const edited = { status: 200, description: 'What it did.', body: editedSchema } as const;

export const channelOperations = {
  listChannels: {
    method: 'get',
    path: '/channels',
    summary: 'Lists and searches the channels, in the order of the playlist',
    scope: 'read',
    query: strict({ ...filter, source: idParams.shape.id.optional(), ...pagingShape }),
    answer: { status: 200, description: 'A page of them.', body: pageOf('Channel', channelSchema) },
  },
  getChannel: {
    method: 'get',
    path: '/channels/{id}',
    summary: 'Shows a channel, what was set on it, and what its provider says',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'The channel.', body: channelDetailSchema, etag: true },
  },
  updateChannel: {
    method: 'patch',
    path: '/channels/{id}',
    summary: 'Sets fields of a channel; null follows the provider again',
    scope: 'edit',
    params: idParams,
    conditional: true,
    body: channelPatchSchema,
    answer: { status: 200, description: 'The channel as it is now.', body: channelDetailSchema, etag: true },
    errors: ['conflict'],
  },
  updateChannels: {
    method: 'post',
    path: '/channels:batch',
    summary: 'Sets fields of many channels, by ids or by filter, all or none',
    scope: 'edit',
    body: named('ChannelBatch', batch),
    answer: edited,
    errors: ['not-found', 'conflict'],
  },
  mergeChannels: {
    method: 'post',
    path: '/channels/{id}:merge',
    summary: 'Takes other channels in: their entries become alternatives of this one',
    scope: 'edit',
    params: idParams,
    conditional: true,
    body: named('MergeRequest', strict({ channels: z.array(id).min(1).max(1000) })),
    answer: edited,
    errors: ['conflict'],
  },
  splitChannel: {
    method: 'post',
    path: '/channels/{id}:split',
    summary: 'Gives an entry of a channel a channel of its own',
    scope: 'edit',
    params: idParams,
    conditional: true,
    body: named('SplitRequest', strict({ entry: id })),
    answer: {
      status: 201,
      description: 'The new channel.',
      body: named('Split', strict({ ...editedSchema.shape, channel: id })),
      location: true,
    },
    errors: ['conflict'],
  },
  rankChannelEntries: {
    method: 'post',
    path: '/channels/{id}:rank',
    summary: 'Says which entry of a channel is tried first, second and so on',
    scope: 'edit',
    params: idParams,
    conditional: true,
    body: named('RankRequest', strict({ entries: ids.describe('All of its entries, each once, the best first.') })),
    answer: edited,
    errors: ['conflict'],
  },
} as const satisfies Operations;
