import { type ErrorCode, WeirError } from '../lib/errors.js';
import type { Upstream } from '../model/stream.js';
import { formatUpstream } from '../model/upstream.js';
import type { PumpRefusal } from './pump-link.js';
import type { ClosedEarly } from './sessions.js';

/** Codes with which a pump refuses to open a stream. */
const refusals: Record<string, ErrorCode> = {
  invalid: 'invalid',
  'join-refused': 'join-refused',
  'limit-reached': 'limit-reached',
};

/** Why a stream could not be opened, for whoever asked for it. */
export function explainRefusal(refusal: PumpRefusal): WeirError {
  return new WeirError(refusals[refusal.code] ?? 'unavailable', refusal.message, { retryAfter: 5 });
}

/** Why a viewer was closed before anything was sent to it. `noSignal` is in seconds. */
export function explainClosed(early: ClosedEarly, upstream: Upstream, noSignal: number): WeirError {
  switch (early.reason) {
    case 'no-signal':
      return new WeirError('no-signal', `No signal: ${silence(early, upstream, noSignal)}`, { retryAfter: 5 });
    case 'descriptors':
      return new WeirError('limit-reached', 'The pump has no file descriptor left: raise its limit (ulimit -n).', {
        retryAfter: 5,
      });
    case 'pump-gone':
    case 'stopped':
      return new WeirError('unavailable', 'The pump has ended. Try again.', { retryAfter: 1 });
    case 'unavailable':
      return new WeirError('unavailable', 'The pump is too busy to take another viewer now.', { retryAfter: 1 });
    default:
      return new WeirError('unavailable', `The stream was closed before its first picture: ${early.reason}.`, {
        retryAfter: 1,
      });
  }
}

function silence(early: ClosedEarly, upstream: Upstream, noSignal: number): string {
  const where = upstream.interface === null ? '' : ` on ${upstream.interface}`;
  const what = `${formatUpstream(upstream)}${where}`;
  if (early.saw === 'other-sender') {
    return `media for ${what} comes from ${early.sender}, and not from its server, which alone is let in.`;
  }
  if (upstream.kind === 'rtsp') return `${what} plays, and sent no media in ${noSignal} s.`;
  if (early.saw === 'other-interface') {
    return `${what} brought nothing in ${noSignal} s, but its packets arrive on ${early.interface}: receive there (--interface ${early.interface}).`;
  }
  if (early.saw === 'other-kind') {
    return `${what} sends packets of another kind: ${early.strays} came, none was MPEG-TS or RTP media.`;
  }
  return `nothing came from ${what} in ${noSignal} s: the sender may be off, or the network does not forward the group here.`;
}
