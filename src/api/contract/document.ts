import { z } from 'zod';
import type { Operations } from './operation.js';

export const documentOperations = {
  getOpenApi: {
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    scope: null,
    answer: { status: 200, description: 'OpenAPI 3.1.', body: z.looseObject({ openapi: z.string() }), etag: true },
  },
} as const satisfies Operations;
