import { z } from 'zod';
import type { Lineup, LineupItem } from '../../model/lineup.js';
import { editedSchema } from './change.js';
import { channelFilterSchema } from './channel.js';
import type { Operations } from './operation.js';
import { channelNumber, count, id, line, named, order, pageOf, pagingQuery, strict } from './shapes.js';

const slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'A slug has lower case letters, digits and single hyphens between them.');

const fields = { slug, name: line(200), filter: channelFilterSchema.nullable() };

export const lineupSchema = named('Lineup', strict({ id, ...fields, version: count })) satisfies z.ZodType<Lineup>;

const channel = id;
const item = {
  channel,
  order: order.nullable(),
  number: channelNumber.nullable(),
  excluded: z.boolean(),
};

export const lineupItemSchema = named('LineupItem', strict(item)) satisfies z.ZodType<LineupItem>;

const newItem = strict({
  channel,
  order: item.order.default(null),
  number: item.number.default(null),
  excluded: item.excluded.default(false),
  remove: z.literal(true).exactOptional().describe('Takes the item out of the line-up.'),
});

const params = strict({ slug: z.string() });

export const lineupOperations = {
  listLineups: {
    method: 'get',
    path: '/lineups',
    summary: 'Lists the line-ups',
    scope: 'read',
    answer: { status: 200, description: 'All of them.', body: pageOf('Lineup', lineupSchema) },
  },
  createLineup: {
    method: 'post',
    path: '/lineups',
    summary: 'Makes a line-up, published at `/lineups/{slug}/playlist.m3u`',
    scope: 'edit',
    body: named('NewLineup', strict({ ...fields, filter: fields.filter.default(null) })),
    answer: { status: 201, description: 'The line-up.', body: lineupSchema, etag: true, location: true },
    errors: ['conflict'],
  },
  getLineup: {
    method: 'get',
    path: '/lineups/{slug}',
    summary: 'Shows a line-up',
    scope: 'read',
    params,
    answer: { status: 200, description: 'The line-up.', body: lineupSchema, etag: true },
  },
  updateLineup: {
    method: 'patch',
    path: '/lineups/{slug}',
    summary: 'Changes a line-up',
    scope: 'edit',
    params,
    conditional: true,
    body: named(
      'LineupPatch',
      strict({
        slug: fields.slug.exactOptional(),
        name: fields.name.exactOptional(),
        filter: fields.filter.exactOptional(),
      }),
    ),
    answer: { status: 200, description: 'The line-up as it is now.', body: lineupSchema, etag: true },
    errors: ['conflict'],
  },
  removeLineup: {
    method: 'delete',
    path: '/lineups/{slug}',
    summary: 'Removes a line-up; its channels stay',
    scope: 'edit',
    params,
    conditional: true,
    answer: { status: 204, description: 'It is removed.' },
    errors: ['conflict'],
  },
  listLineupItems: {
    method: 'get',
    path: '/lineups/{slug}/items',
    summary: 'Lists the channels that were put into a line-up, or taken out of it',
    scope: 'read',
    params,
    query: pagingQuery,
    answer: { status: 200, description: 'A page of them.', body: pageOf('LineupItem', lineupItemSchema) },
  },
  setLineupItems: {
    method: 'post',
    path: '/lineups/{slug}/items:batch',
    summary: 'Adds, changes and removes items of a line-up, all or none',
    scope: 'edit',
    params,
    body: named('LineupItemBatch', strict({ items: z.array(newItem).min(1).max(10_000) })),
    answer: { status: 200, description: 'What it did.', body: editedSchema },
    errors: ['conflict'],
  },
} as const satisfies Operations;
