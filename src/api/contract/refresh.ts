import { z } from 'zod';
import { changeKinds, type EntryChange, type Refresh, refreshCauses, type Snapshot } from '../../model/refresh.js';
import { jobSchema } from './job.js';
import type { Operations } from './operation.js';
import { count, fieldChanges, id, idParams, instant, named, pageOf, pagingQuery, strict } from './shapes.js';

export const snapshotSchema = named(
  'Snapshot',
  strict({
    id,
    source: id,
    createdAt: instant,
    state: z.enum(['published', 'quarantined', 'rejected']),
    publishedAt: instant.nullable(),
    reason: z.string().nullable(),
    entries: count,
    channels: count,
    inService: z.boolean(),
    kept: z.boolean().describe('Whether its body is there, so that it can be put in service.'),
  }),
) satisfies z.ZodType<Snapshot>;

const counts = strict({
  added: count.exactOptional(),
  removed: count.exactOptional(),
  returned: count.exactOptional(),
  renamed: count.exactOptional(),
  moved: count.exactOptional(),
  readdressed: count.exactOptional(),
  regrouped: count.exactOptional(),
  suspect: count.exactOptional(),
});

export const refreshSchema = named(
  'Refresh',
  strict({
    id,
    source: id,
    cause: z.enum(refreshCauses),
    startedAt: instant,
    endedAt: instant,
    outcome: z.enum(['published', 'quarantined', 'failed']),
    reason: z.string().nullable(),
    snapshot: id.nullable(),
    counts,
    listed: count,
  }),
) satisfies z.ZodType<Refresh>;

export const entryChangeSchema = named(
  'EntryChange',
  strict({
    kind: z.enum(changeKinds),
    entry: id.nullable(),
    name: z.string(),
    fields: fieldChanges,
    reason: z.string().nullable(),
  }),
) satisfies z.ZodType<EntryChange>;

const dryRun = z.boolean().default(false).describe('Changes nothing: the result of the job says what would change.');
const jobAnswer = { status: 202, description: 'A job that does it.', body: jobSchema, location: true } as const;
const ofRefresh = strict({ ...idParams.shape, refresh: idParams.shape.id });
const ofSnapshot = strict({ ...idParams.shape, snapshot: idParams.shape.id });

export const refreshOperations = {
  refreshSource: {
    method: 'post',
    path: '/sources/{id}:refresh',
    summary: 'Fetches a list now and takes it over',
    scope: 'edit',
    params: idParams,
    body: named('RefreshRequest', strict({ dryRun })),
    bodyOptional: true,
    answer: jobAnswer,
    errors: ['conflict'],
  },
  listSnapshots: {
    method: 'get',
    path: '/sources/{id}/snapshots',
    summary: 'Lists the bodies of a list that are kept, the newest first',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'All of them.', body: pageOf('Snapshot', snapshotSchema) },
  },
  restoreSnapshot: {
    method: 'post',
    path: '/sources/{id}/snapshots/{snapshot}:restore',
    summary: 'Accepts a quarantined body, or goes back to an earlier one',
    scope: 'edit',
    params: ofSnapshot,
    answer: jobAnswer,
    errors: ['conflict'],
  },
  listRefreshes: {
    method: 'get',
    path: '/sources/{id}/refreshes',
    summary: 'Lists the refreshes of a source, the newest first',
    scope: 'read',
    params: idParams,
    query: pagingQuery,
    answer: { status: 200, description: 'A page of them.', body: pageOf('Refresh', refreshSchema) },
  },
  getRefresh: {
    method: 'get',
    path: '/sources/{id}/refreshes/{refresh}',
    summary: 'Shows how a refresh went',
    scope: 'read',
    params: ofRefresh,
    answer: { status: 200, description: 'The refresh.', body: refreshSchema, etag: true },
  },
  listRefreshChanges: {
    method: 'get',
    path: '/sources/{id}/refreshes/{refresh}/changes',
    summary: 'Lists the entries that a refresh changed',
    scope: 'read',
    params: ofRefresh,
    query: pagingQuery,
    answer: { status: 200, description: 'A page of them.', body: pageOf('EntryChange', entryChangeSchema) },
  },
} as const satisfies Operations;
