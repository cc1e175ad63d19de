import { isIPv4, isIPv6 } from 'node:net';
import { bracketed, unmapped } from '../../lib/address.js';
import { WeirError } from '../../lib/errors.js';
import type { Handler } from '../context.js';

/** The authority in its plain form when its name is one of ours, else null. */
export type HostRule = (authority: string) => string | null;

const householdName = /^(?:localhost|[a-z0-9_-]+|(?:[a-z0-9_-]+\.)+(?:local|lan|home\.arpa)|home\.arpa)$/;

/**
 * Ours are IP literals, localhost, single labels, *.local, *.lan, *.home.arpa and the names given: any other may have
 * been pointed here by a stranger's page (DNS rebinding).
 */
export function hostRule(names: readonly string[]): HostRule {
  const given = new Set(names.map((name) => name.toLowerCase()));
  return (authority) => {
    const match = /^(\[[\da-f:.]+\]|[^:@/\s]+)(:\d{1,5})?$/i.exec(authority);
    const name = match?.[1]?.toLowerCase().replace(/\.$/, '') ?? '';
    const literal = name.startsWith('[') ? isIPv6(name.slice(1, -1)) : isIPv4(name);
    return literal || given.has(name) || householdName.test(name) ? `${name}${match?.[2] ?? ''}` : null;
  };
}

/** Refuses requests that were meant for somebody else. One without Host (HTTP/1.0) was sent to the address it arrived at. */
export function host(rule: HostRule): Handler {
  return async (ctx, next) => {
    const { localAddress = '127.0.0.1', localPort = 80 } = ctx.req.socket;
    const written = ctx.req.headers.host ?? `${bracketed(unmapped(localAddress))}:${localPort}`;
    const authority = rule(written.trim());
    if (authority === null) {
      throw new WeirError(
        'forbidden',
        'This Host is not ours. Add it to "hosts" in the configuration if it should be.',
      );
    }
    ctx.state.host = authority;
    await next();
  };
}
