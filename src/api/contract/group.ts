import { z } from 'zod';
import type { Operations } from './operation.js';
import { count, named, pageOf, strict } from './shapes.js';

export const groupSchema = named('Group', strict({ name: z.string(), channels: count }));

export const groupOperations = {
  listGroups: {
    method: 'get',
    path: '/groups',
    summary: 'Lists the groups of the channels and how many channels each has',
    scope: 'read',
    answer: { status: 200, description: 'All of them.', body: pageOf('Group', groupSchema) },
  },
} as const satisfies Operations;
