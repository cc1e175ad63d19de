import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { AddressSet, privateAddresses, unmapped } from '../../lib/address.js';
import type { Log } from '../../lib/log.js';
import type { Handler } from '../context.js';
import type { HostRule } from './host.js';

type PeerOptions = {
  readonly proxies: readonly string[];
  readonly cgnatIsPrivate: boolean;
  readonly ours: HostRule;
  readonly log: Log;
};

/** How many peers with unbelieved headers are remembered, so that each is logged once. */
const remembered = 1000;

/** Finds out who asks. Forwarded headers are believed from configured proxies; from anyone else they mean a stranger. */
export function peer({ proxies, cgnatIsPrivate, ours, log }: PeerOptions): Handler {
  const household = privateAddresses(cgnatIsPrivate);
  const trusted = new AddressSet(proxies);
  const logged = new Set<string>();
  const logOnce = (address: string) => {
    if (logged.has(address) || logged.size >= remembered) return;
    logged.add(address);
    log.warn({ peer: address }, 'forwarded headers from a peer that is not in "proxies": its requests count as public');
  };
  return async (ctx, next) => {
    const address = unmapped(ctx.req.socket.remoteAddress ?? 'unknown');
    const { headers } = ctx.req;
    Object.assign(ctx.state, { peer: address, isPrivate: household.has(address), scheme: 'http' });
    if (isForwarded(headers)) {
      if (trusted.has(address)) {
        const clients = forwardedClients(headers, trusted);
        ctx.state.peer = clients[0] ?? address;
        ctx.state.isPrivate = clients.length > 0 && clients.every((client) => household.has(client));
        ctx.state.scheme = forwardedScheme(headers);
        ctx.state.host = ours(forwardedHost(headers) ?? '') ?? ctx.state.host;
      } else {
        ctx.state.isPrivate = false;
        logOnce(address);
      }
    }
    await next();
  };
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some(
    (name) => name === 'forwarded' || name === 'x-real-ip' || name.startsWith('x-forwarded-'),
  );
}

/**
 * Who the proxies say is asking, by each header that says it: a proxy that sets one may pass on another that the client
 * made up, so all of them have to be private. Of a chain the last that is no proxy of ours counts.
 */
function forwardedClients(headers: IncomingHttpHeaders, trusted: AddressSet): string[] {
  const chains = [
    listed(headers['x-forwarded-for']).map(addressOf),
    parameters(headers, 'for').map(addressOf),
    listed(headers['x-real-ip']).map(addressOf),
  ];
  return chains.flatMap((chain) => chain.findLast((address) => !trusted.has(address)) ?? chain[0] ?? []);
}

function forwardedScheme(headers: IncomingHttpHeaders): 'http' | 'https' {
  const written = listed(headers['x-forwarded-proto'])[0] ?? parameters(headers, 'proto')[0];
  return written?.toLowerCase() === 'https' ? 'https' : 'http';
}

function forwardedHost(headers: IncomingHttpHeaders): string | undefined {
  const written = listed(headers['x-forwarded-host'])[0] ?? parameters(headers, 'host')[0];
  const port = listed(headers['x-forwarded-port'])[0];
  const usual = forwardedScheme(headers) === 'https' ? '443' : '80';
  const bare = written === undefined || /:\d+$/.test(written) || port === undefined || port === usual;
  return bare ? written : `${written}:${port}`;
}

function listed(header: string | string[] | undefined): string[] {
  const items = [header ?? ''].flat().join(',').split(',');
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** The values of one parameter of Forwarded (RFC 7239 §4), first proxy first. */
function parameters(headers: IncomingHttpHeaders, name: 'for' | 'proto' | 'host'): string[] {
  const pattern = new RegExp(`(?:^|[;,\\s])${name}=(?:"([^"]*)"|([^;,\\s]+))`, 'gi');
  return [...(headers.forwarded ?? '').matchAll(pattern)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** The address of a node, without port and brackets (RFC 7239 §6); `unknown` when it is hidden. */
function addressOf(node: string): string {
  const inner =
    /^\[([^\]]*)\](?::\d+)?$/.exec(node)?.[1] ?? (/^[\d.]+:\d+$/.test(node) ? node.replace(/:\d+$/, '') : node);
  return isIP(inner) === 0 ? 'unknown' : unmapped(inner);
}
