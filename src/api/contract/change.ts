import { z } from 'zod';
import type { Change } from '../../model/change.js';
import type { Edited } from '../../model/edit.js';
import type { Operations } from './operation.js';
import { count, id, idParams, instant, named, pageOf, pagingQuery, strict } from './shapes.js';

export const changeSchema = named(
  'Change',
  strict({
    id,
    at: instant,
    actor: z.string().describe('Name of the key that was shown.'),
    summary: z.string(),
    rows: count,
    undoneBy: id.nullable(),
  }),
) satisfies z.ZodType<Change>;

export const changeDetailSchema = named(
  'ChangeDetail',
  strict({
    ...changeSchema.shape,
    items: z.array(strict({ table: z.string(), before: z.unknown(), after: z.unknown() })),
  }),
);

export const editedSchema = named(
  'Edited',
  strict({
    change: changeSchema.nullable().describe('Null for a dry run, and when nothing had to be changed.'),
    rows: count.describe('How many rows it changed, or would change.'),
  }),
) satisfies z.ZodType<Edited>;

export const changeOperations = {
  listChanges: {
    method: 'get',
    path: '/changes',
    summary: 'Lists what was changed, the newest first',
    scope: 'read',
    query: pagingQuery,
    answer: { status: 200, description: 'A page of it.', body: pageOf('Change', changeSchema) },
  },
  getChange: {
    method: 'get',
    path: '/changes/{id}',
    summary: 'Shows a change with what stood before and after it',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'The change.', body: changeDetailSchema, etag: true },
  },
  undoChange: {
    method: 'post',
    path: '/changes/{id}:undo',
    summary: 'Puts back what stood before a change, where nothing was changed since',
    scope: 'edit',
    params: idParams,
    answer: { status: 200, description: 'The change that undid it.', body: editedSchema },
    errors: ['conflict'],
  },
} as const satisfies Operations;
