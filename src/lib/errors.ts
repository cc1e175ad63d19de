/** Stable names of what can go wrong; `src/api/middleware/errors.ts` turns them into HTTP status codes. */
export type ErrorCode =
  | 'invalid'
  | 'unauthorised'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'too-large'
  | 'conflict'
  | 'precondition-failed'
  | 'unsupported-media'
  | 'too-many-requests'
  | 'limit-reached'
  | 'no-signal'
  | 'join-refused'
  | 'upstream-refused'
  | 'upstream-timeout'
  | 'unavailable'
  | 'internal';

type ErrorOptions = {
  readonly cause?: unknown;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter?: number;
};

/** An error whose message is written for the person who meets it: what was wrong, where, and what to do. */
export class WeirError extends Error {
  readonly code: ErrorCode;
  readonly retryAfter: number | null;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WeirError';
    this.code = code;
    this.retryAfter = options.retryAfter ?? null;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
