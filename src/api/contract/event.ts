import { z } from 'zod';
import type { CatalogueEvent } from '../../model/event.js';
import { changeSchema } from './change.js';
import { jobSchema } from './job.js';
import type { Operations } from './operation.js';
import { count, id, named, strict } from './shapes.js';

export const eventSchema = named(
  'Event',
  z.discriminatedUnion('type', [
    strict({ type: z.literal('source'), id }),
    strict({ type: z.literal('job'), job: jobSchema }),
    strict({ type: z.literal('catalogue'), generation: count }),
    strict({ type: z.literal('change'), change: changeSchema }),
    strict({ type: z.literal('guide-source'), id }),
    strict({ type: z.literal('guide'), generation: count }),
  ]),
) satisfies z.ZodType<CatalogueEvent>;

export const eventOperations = {
  listenToEvents: {
    method: 'get',
    path: '/events',
    summary: 'Tells what happens, as server-sent events whose data are `Event` objects',
    scope: 'read',
    answer: {
      status: 200,
      description: 'Events until the client leaves; one that does not keep up is disconnected.',
      body: eventSchema,
      type: 'text/event-stream',
    },
    errors: ['limit-reached'],
  },
} as const satisfies Operations;
