import { z } from 'zod';
import { named, strict } from './shapes.js';

/** RFC 9457, with the stable code of the error; `errors` name each field of a request that was refused. */
export const problemSchema = named(
  'Problem',
  strict({
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().describe('What was wrong, where, and what to do.'),
    code: z.string().describe('Stable name of the error.'),
    errors: z
      .array(
        strict({ path: z.string().describe('Such as `headers.Referer` or `items.3.channel`.'), message: z.string() }),
      )
      .exactOptional(),
  }),
);
