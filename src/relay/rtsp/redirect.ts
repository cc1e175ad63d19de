import { field, type RtspMessage, statusOf } from './message.js';
import { RtspFault, shown } from './reasons.js';
import { readAddress, resolve } from './url.js';

/** How often a session may be led on, all its steps together. */
export const mostRedirects = 5;

/** The step was answered with another address: it is to be asked instead, over a connection and a session of its own. */
export class Redirect extends Error {
  /** Absolute. */
  readonly to: string;

  constructor(to: string) {
    super('The server leads on to another address.');
    this.to = to;
  }
}

/**
 * Where an answer leads on to (RFC 2326 §11.3), or null when it does not. `asked` is the address of the request; the account is not
 * put into what comes back.
 * @throws RtspFault when it leads out of RTSP.
 */
export function redirectOf(answer: RtspMessage, asked: string, host: string): string | null {
  const status = statusOf(answer)?.status ?? 0;
  const location = field(answer, 'location');
  if (status < 300 || status > 399 || location === null || location === '') return null;
  const to = resolve(asked, location);
  if (!/^rtsp:\/\//i.test(to)) {
    const scheme = /^[^:]*/.exec(to)?.[0] ?? '';
    throw new RtspFault('upstream-refused', `${host} leads on to ${shown(scheme)}://, which is not RTSP.`, status);
  }
  try {
    readAddress(to);
  } catch {
    throw new RtspFault('upstream-refused', `${host} leads on to what is no address.`, status);
  }
  return to;
}

/** @throws RtspFault when a session was led on too often. */
export function countRedirect(before: number, host: string): number {
  if (before < mostRedirects) return before + 1;
  throw new RtspFault('upstream-refused', `${host} is the end of ${mostRedirects} redirects and leads on once more.`);
}
