import type { LookupFunction } from 'node:net';
import { socksConnector } from 'fetch-socks';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { bracketed } from './address.js';
import { WeirError } from './errors.js';
import type { HostAddress } from './inner-address.js';

type RouteOptions = {
  readonly proxy: URL | null;
  /** The only addresses that the URL's host may be reached at, or null for whatever its name leads to. */
  readonly addresses: readonly HostAddress[] | null;
  /** Milliseconds without a sign from the server. */
  readonly idle: number;
};

/** How a request reaches its server: what carries it, and what it asks for there. */
export type Route = {
  readonly dispatcher: Dispatcher;
  /** Without credentials; with an address in place of the name where a proxy must not look it up. */
  readonly target: URL;
};

/** Milliseconds for a connection to come up. */
const connectTimeout = 10_000;

/**
 * The way to the server of a URL, over one connection of its own: close it with `dispatcher.destroy()`. To a proxy the
 * name is told, unless addresses are given: then one of those is. HTTP goes through an HTTP proxy as such (RFC 9112
 * §3.2.2), because many allow tunnels (RFC 9110 §9.3.6) to port 443 alone; to a given address it goes through a tunnel,
 * because such a proxy would replace the Host.
 */
export function routeTo(url: URL, { proxy, addresses, idle }: RouteOptions): Route {
  const target = new URL(url);
  target.username = '';
  target.password = '';
  const options = { headersTimeout: idle, bodyTimeout: idle };
  if (proxy === null) {
    const lookup = addresses === null ? {} : { lookup: lookupIn(addresses) };
    return { dispatcher: new Agent({ ...options, connect: { timeout: connectTimeout, ...lookup } }), target };
  }
  // A proxy is told one address: IPv4 first, which each of them can reach.
  const address = addresses?.find(({ family }) => family === 4) ?? addresses?.[0];
  if (address !== undefined) target.hostname = bracketed(address.address);
  if (proxy.protocol.startsWith('socks5')) {
    const connect = socksConnector(socksProxy(proxy), { timeout: connectTimeout });
    return { dispatcher: new Agent({ ...options, connect }), target };
  }
  const token = proxy.username === '' ? {} : { token: basic(proxy) };
  const tls = { proxyTls: { timeout: connectTimeout }, requestTls: { timeout: connectTimeout } };
  const proxyTunnel = addresses !== null;
  return { dispatcher: new ProxyAgent({ ...options, ...tls, ...token, uri: proxy.origin, proxyTunnel }), target };
}

/** Reads the address of a proxy. @throws WeirError `invalid`, without the address. */
export function parseProxy(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^(?:https?|socks5h?):$/.test(url.protocol) || url.hostname === '') {
    throw new WeirError('invalid', 'The proxy is no http, https or socks5 address. Write it as socks5://host:1080.');
  }
  return url;
}

/** What the user and password of an address are as a header (RFC 7617 §2). */
export function basic(url: URL): string {
  const pair = `${decoded(url.username)}:${decoded(url.password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function socksProxy(proxy: URL) {
  const host = proxy.hostname.replace(/^\[|\]$/g, '');
  const user = proxy.username === '' ? {} : { userId: decoded(proxy.username), password: decoded(proxy.password) };
  return { type: 5 as const, host, port: Number(proxy.port || 1080), ...user };
}

/** As it was meant, also where a percent sign stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function lookupIn(addresses: readonly HostAddress[]): LookupFunction {
  return (_, options, callback) => {
    if (options.all === true) return callback(null, [...addresses]);
    const [first] = addresses;
    callback(null, first?.address ?? '', first?.family);
  };
}
