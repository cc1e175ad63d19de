import { z } from 'zod';
import type { Operations } from './operation.js';
import { count, id, idParams, instant, named, pageOf, pagingShape, strict } from './shapes.js';

const names = z.array(strict({ text: z.string(), lang: z.string().nullable() }));

export const guideChannelSchema = named(
  'GuideChannel',
  strict({
    guideSource: id,
    guideId: z.string().describe('As the guide writes it.'),
    names,
    icon: z.string().nullable(),
    programmes: count.describe('All that the guide has of it, linked or not.'),
    first: instant.nullable(),
    last: instant.nullable(),
    near: count.describe('Programmes from a day ago to two days ahead.'),
    channels: z.array(id).describe('The channels that are linked to it.'),
  }),
);

export const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

export const guideChannelOperations = {
  listGuideChannels: {
    method: 'get',
    path: '/guide-channels',
    summary: 'Lists and searches the channels of the guides',
    scope: 'read',
    query: strict({
      q: z.string().max(200).optional().describe('Words that all have to be found in its id or names.'),
      source: idParams.shape.id.optional().describe('Of one guide source.'),
      linked: flag.optional().describe('Whether a channel is linked to it.'),
      ...pagingShape,
    }),
    answer: { status: 200, description: 'A page of them.', body: pageOf('GuideChannel', guideChannelSchema) },
  },
} as const satisfies Operations;
