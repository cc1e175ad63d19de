import { z } from 'zod';
import { type Suggestion, suggestionKinds } from '../../model/change.js';
import { editedSchema } from './change.js';
import type { Operations } from './operation.js';
import { id, idParams, instant, named, pageOf, pagingShape, strict } from './shapes.js';

const state = z.enum(['open', 'accepted', 'rejected']);

export const suggestionSchema = named(
  'Suggestion',
  strict({
    id,
    kind: z.enum(suggestionKinds),
    channel: id.describe('The one that would stay.'),
    other: id.describe('The one that it would take in.'),
    reason: z.string(),
    state,
    createdAt: instant,
  }),
) satisfies z.ZodType<Suggestion>;

const edited = { status: 200, description: 'What it did.', body: editedSchema } as const;

export const suggestionOperations = {
  listSuggestions: {
    method: 'get',
    path: '/suggestions',
    summary: 'Lists pairs of channels that may be one',
    scope: 'read',
    query: strict({ state: state.default('open'), ...pagingShape }),
    answer: { status: 200, description: 'A page of them.', body: pageOf('Suggestion', suggestionSchema) },
  },
  acceptSuggestion: {
    method: 'post',
    path: '/suggestions/{id}:accept',
    summary: 'Makes one channel of the two',
    scope: 'edit',
    params: idParams,
    answer: edited,
    errors: ['conflict'],
  },
  rejectSuggestion: {
    method: 'post',
    path: '/suggestions/{id}:reject',
    summary: 'Keeps the two apart, and suggests it no more',
    scope: 'edit',
    params: idParams,
    answer: edited,
    errors: ['conflict'],
  },
} as const satisfies Operations;
