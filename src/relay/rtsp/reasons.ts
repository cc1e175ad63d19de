import { type ErrorCode, messageOf, WeirError } from '../../lib/errors.js';

/** Why a session of RTSP could not be had: names the host, the step and what the server said. */
export class RtspFault extends WeirError {
  /** Of the answer (RFC 2326 §7.1.1), or null when there was none. */
  readonly status: number | null;

  constructor(code: ErrorCode, message: string, status: number | null = null, options: { retryAfter?: number } = {}) {
    super(code, message, options);
    this.name = 'RtspFault';
    this.status = status;
  }
}

/** Answers by which a server says that it has no session left: 453 of RFC 2326, the others of carriers. */
export const noneLeft: ReadonlySet<number> = new Set([453, 486, 503]);

const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses the connection',
  ENOTFOUND: 'cannot be found: its name is not known',
  EAI_AGAIN: 'cannot be found: the look-up of its name failed',
  EHOSTUNREACH: 'cannot be reached: there is no way to it',
  ENETUNREACH: 'cannot be reached: there is no way to it',
  EADDRNOTAVAIL: 'cannot be reached from the address that was set for it',
  ECONNRESET: 'cut the connection',
  EPIPE: 'cut the connection',
};

/** What an answer other than 2xx means. `reason` is the server's own phrase. */
export function refusedBy(host: string, method: string, status: number, reason: string): RtspFault {
  if (noneLeft.has(status)) {
    return new RtspFault('limit-reached', `${host} has no session left (${status}).`, status, { retryAfter: 5 });
  }
  return new RtspFault('upstream-refused', sentence(host, method, status, reason), status);
}

function sentence(host: string, method: string, status: number, reason: string): string {
  if (status === 401) return `${host} refuses the user or password (401).`;
  if (status === 404) return `${host} knows no such address (404).`;
  return `${host} answers ${method} with ${`${status} ${shown(reason)}`.trim()}.`;
}

/** A connection that failed: an error of the system, or of whoever says which addresses are allowed. */
export function failedAt(host: string, error: unknown): RtspFault {
  if (error instanceof RtspFault) return error;
  if (error instanceof WeirError) return new RtspFault(error.code, `${host}: ${error.message}`);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ETIMEDOUT') return tooLate(host, 'the connection');
  const meaning = meanings[code] ?? `cannot be reached: ${code === '' ? messageOf(error).replace(/\.$/, '') : code}`;
  return new RtspFault('upstream-refused', `${host} ${meaning}.`);
}

/** `what` is what was not answered: a method, or the connection. */
export function tooLate(host: string, what: string): RtspFault {
  return new RtspFault('upstream-timeout', `${host} does not answer ${what} in time.`);
}

/** A session that ended before any media came. `why` is a reason of the pump. */
export function brokenOff(host: string, why: string): RtspFault {
  return new RtspFault('no-signal', `${host} ended the session before it sent anything (${why}).`, null, {
    retryAfter: 5,
  });
}

/** Words of a server as they may be shown: on one line, and short. */
export function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return plain.length <= 60 ? plain : `${plain.slice(0, 60)}…`;
}
