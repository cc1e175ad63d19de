import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { AddressSet, unmapped } from './address.js';
import { WeirError } from './errors.js';

export type HostAddress = { readonly address: string; readonly family: number };

/** This machine, its links, and the metadata services of clouds: only who owns Weir may name them. */
const inner = new AddressSet([
  // Loopback, "this host" and link-local, where most metadata services are (RFC 1122 §3.2.1.3, RFC 3927, RFC 4291)
  '127.0.0.0/8',
  '0.0.0.0/8',
  '169.254.0.0/16',
  '::1/128',
  'fe80::/10',
  // The unspecified address, and IPv4 in the form that RFC 4291 §2.5.5.1 gave up
  '::/96',
  // Loopback and link-local as NAT64 (RFC 6052) and 6to4 (RFC 3056) write them
  '64:ff9b::7f00:0/104',
  '64:ff9b::a9fe:0/112',
  '2002:7f00::/24',
  '2002:a9fe::/32',
  // Metadata services elsewhere: AWS, Google, Alibaba, Azure, Oracle
  'fd00:ec2::254/128',
  'fd20:ce::254/128',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  // Nobody's: multicast, reserved and broadcast
  '224.0.0.0/3',
  'ff00::/8',
]);

type Check = {
  /** Ports that Weir listens on: they are refused at each address of this machine. */
  readonly ownPorts: readonly number[];
  readonly signal: AbortSignal;
};

/**
 * The addresses of a URL's host that lead out of this machine; a name is looked up. Connect to these and to no other: a
 * second look-up may say something else. Private networks lead out: households have servers of their own.
 * @throws WeirError `upstream-refused` when there is none; the system's error when the name cannot be looked up.
 */
export async function outerAddresses(url: URL, { ownPorts, signal }: Check): Promise<HostAddress[]> {
  // The parser of URLs has brought every spelling of IPv4, decimal, octal or hexadecimal, into the plain one.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const all = family === 0 ? await lookUp(host, signal) : [{ address: host, family }];
  const own = ownPorts.includes(portOf(url)) ? ownAddresses() : null;
  const outer = all.filter(({ address }) => !inner.has(address) && own?.has(unmapped(address)) !== true);
  if (outer.length === 0) {
    throw new WeirError('upstream-refused', 'It leads to an address of this machine or its links, which is refused.');
  }
  return outer;
}

/** The port of an http or https URL. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** A look-up cannot be broken off, but nobody has to wait for it. */
async function lookUp(host: string, signal: AbortSignal): Promise<HostAddress[]> {
  signal.throwIfAborted();
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([lookup(host, { all: true }), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function ownAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.map(({ address }) => unmapped(address)));
}
