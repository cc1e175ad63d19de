import { isIPv6 } from 'node:net';
import { WeirError } from '../../lib/errors.js';

/** How many wrong keys a peer may show within `period`, in milliseconds. */
const allowed = 10;
const period = 60_000;
/** How many peers are remembered; of more, those whose first failure is longest ago are forgotten. */
const remembered = 10_000;

type Failures = { count: number; readonly since: number };

/** Keeps those who try keys at random from trying many. A peer's failures never count against another. */
export class FailedKeys {
  readonly #now: () => number;
  /** By peer, the oldest first. */
  readonly #peers = new Map<string, Failures>();

  /** `clock` is in milliseconds and never goes back. */
  constructor(clock: () => number = () => performance.now()) {
    this.#now = clock;
  }

  /** How many peers are remembered. */
  get size(): number {
    return this.#peers.size;
  }

  /** @throws WeirError `too-many-requests` when that peer has shown too many wrong keys. */
  check(peer: string): void {
    const failures = this.#current(peer);
    if (failures === undefined || failures.count < allowed) return;
    const retryAfter = (failures.since + period - this.#now()) / 1000;
    throw new WeirError('too-many-requests', 'Too many wrong keys came from this address. Try again in a minute.', {
      retryAfter,
    });
  }

  add(peer: string): void {
    const failures = this.#current(peer);
    if (failures !== undefined) {
      failures.count += 1;
      return;
    }
    for (const oldest of this.#peers.keys()) {
      if (this.#peers.size < remembered) break;
      this.#peers.delete(oldest);
    }
    this.#peers.set(network(peer), { count: 1, since: this.#now() });
  }

  #current(peer: string): Failures | undefined {
    const failures = this.#peers.get(network(peer));
    if (failures === undefined || this.#now() - failures.since < period) return failures;
    this.#peers.delete(network(peer));
    return undefined;
  }
}

/** Of IPv6 the /64, which any client has to itself. */
function network(peer: string): string {
  if (!isIPv6(peer)) return peer;
  const [head = '', tail] = peer.split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0);
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':');
}
