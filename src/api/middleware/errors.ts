import { STATUS_CODES } from 'node:http';
import { type ErrorCode, messageOf, WeirError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import { Repeats } from '../../lib/repeats.js';
import type { Context, Handler } from '../context.js';
import { InvalidRequest } from '../invalid-request.js';

/** The only place that knows the HTTP status of a code. */
export const statuses: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthorised: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'precondition-failed': 412,
  'too-large': 413,
  'unsupported-media': 415,
  'too-many-requests': 429,
  internal: 500,
  'upstream-refused': 502,
  'limit-reached': 503,
  'no-signal': 503,
  'join-refused': 503,
  unavailable: 503,
  'upstream-timeout': 504,
};

/** Seconds to wait after a full house, where nobody said how many. */
const retryAfter = 5;

/** Answers whatever was thrown, and paths and methods that no route took. */
export function errors(log: Log): Handler {
  const faults = new Repeats((error, times) => log.error({ error, times }, 'request failed'));
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.respond !== false) refuseUnrouted(ctx);
    } catch (error) {
      answer(ctx, known(error, faults));
    }
  };
}

function refuseUnrouted(ctx: Context): void {
  if (ctx.status === 405) {
    throw new WeirError('method-not-allowed', `${ctx.method} cannot be used here. Use ${ctx.response.get('Allow')}.`);
  }
  if (ctx.status === 404) throw new WeirError('not-found', 'There is nothing under this path.');
}

/** Nothing internal is shown: what nobody expected goes to the log. */
function known(error: unknown, faults: Repeats): WeirError {
  if (error instanceof WeirError && error.code !== 'internal') return error;
  faults.add(error instanceof Error ? (error.stack ?? error.message) : messageOf(error));
  return new WeirError('internal', 'Something went wrong in Weir. Its log says more.');
}

function answer(ctx: Context, error: WeirError): void {
  if (ctx.headerSent || !ctx.writable) return;
  const status = statuses[error.code];
  const wait = error.retryAfter ?? (error.code === 'limit-reached' ? retryAfter : null);
  if (wait !== null) ctx.set('Retry-After', String(Math.ceil(wait)));
  ctx.set('Cache-Control', 'no-store');
  ctx.status = status;
  if (asksForJson(ctx)) {
    const problem = { title: STATUS_CODES[status], status, detail: error.message, code: error.code };
    ctx.body = JSON.stringify(error instanceof InvalidRequest ? { ...problem, errors: error.problems } : problem);
    ctx.type = 'application/problem+json';
  } else {
    ctx.body = `${error.message}\n`;
    ctx.type = 'text/plain; charset=utf-8';
  }
}

function asksForJson(ctx: Context): boolean {
  return ctx.path.startsWith('/api/') || /\bapplication\/(?:[\w.-]+\+)?json\b/i.test(ctx.get('Accept'));
}
