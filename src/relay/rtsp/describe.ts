import type { RtspUpstream } from '../../model/stream.js';
import type { Described, WatchRequest } from '../contract.js';
import { describe } from './dialogue.js';
import { addressOf, reachable } from './reach.js';
import type { RtspSettings } from './settings.js';

/** Milliseconds for all of it, and for each step. */
const wholePatience = 8000;
const step = 3000;

/** Asks a server what it says of an address. @throws RtspFault why not. */
export async function describeUpstream(
  { url, interface: name }: RtspUpstream,
  { userAgent, inner }: Pick<WatchRequest, 'userAgent' | 'inner'>,
  settings: RtspSettings,
): Promise<Described> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), wholePatience);
  const { ownPorts, nat } = settings;
  const options = {
    userAgent: userAgent ?? settings.userAgent,
    local: addressOf(name),
    transport: 'tcp',
    nat,
    step,
  } as const;
  try {
    const facts = await describe(url, { ...options, signal: late.signal, addresses: reachable({ inner, ownPorts }) });
    return { duration: facts.duration, clock: facts.clock };
  } finally {
    clearTimeout(timer);
  }
}
