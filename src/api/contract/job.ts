import { z } from 'zod';
import { type Job, jobStates } from '../../model/change.js';
import type { Operations } from './operation.js';
import { id, idParams, instant, named, pageOf, pagingQuery, strict } from './shapes.js';

export const jobSchema = named(
  'Job',
  strict({
    id,
    kind: z.enum(['refresh', 'rules', 'guide-refresh', 'guide-match']),
    state: z.enum(jobStates),
    subject: id.nullable(),
    progress: z.number().min(0).max(1),
    createdAt: instant,
    startedAt: instant.nullable(),
    endedAt: instant.nullable(),
    result: z.unknown().describe('What it found or did, by its kind; null until it has ended.'),
    reason: z.string().nullable().describe('Why it failed.'),
  }),
) satisfies z.ZodType<Job>;

export const jobOperations = {
  listJobs: {
    method: 'get',
    path: '/jobs',
    summary: 'Lists long work, the newest first',
    scope: 'read',
    query: pagingQuery,
    answer: { status: 200, description: 'A page of it.', body: pageOf('Job', jobSchema) },
  },
  getJob: {
    method: 'get',
    path: '/jobs/{id}',
    summary: 'Shows how far a job is, and its result',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'The job.', body: jobSchema, etag: true },
  },
} as const satisfies Operations;
