import type { z } from 'zod';
import type { ErrorCode } from '../../lib/errors.js';
import type { Scope } from '../../model/access.js';

/** What stands in front of the paths of all operations. */
export const prefix = '/api/v1';

/** Bytes of a body, where an operation does not say otherwise. */
export const bodyLimit = 1024 * 1024;

/** One thing that can be asked of the REST API: its route and its page of the OpenAPI document are both made from this. */
export type Operation = {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Behind `prefix`; parameters in braces: `/sources/{id}:refresh`. */
  readonly path: string;
  readonly summary: string;
  /** What the key has to allow; null needs no key. */
  readonly scope: Scope | null;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean;
  /** Bytes. */
  readonly bodyLimit?: number;
  /** Whether If-Match is heeded: when another ETag stands there, it is answered 412 and nothing is changed. */
  readonly conditional?: boolean;
  readonly answer: OperationAnswer;
  /** Codes that this operation throws of its own; those that every operation of its form has are added to them. */
  readonly errors?: readonly ErrorCode[];
};

export type OperationAnswer = {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** Without one there is no body. */
  readonly body?: z.ZodType;
  /** Media type of the body; application/json unless said. */
  readonly type?: string;
  /** Whether it has an ETag: then a GET with If-None-Match that names it is answered 304. */
  readonly etag?: boolean;
  /** Whether Location says where the resource, or the job, is. */
  readonly location?: boolean;
};

/** Operations by their ids. */
export type Operations = Readonly<Record<string, Operation>>;

/** Whether its media type is written by handlers themselves, not as JSON. */
export function isJson({ answer }: Operation): boolean {
  return answer.type === undefined;
}
