import { BlockList, isIPv4, isIPv6 } from 'node:net';

const privateNetworks = [
  // RFC 1918
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  // Loopback, link-local (RFC 3927, RFC 4291 §2.5), unique local (RFC 4193)
  '127.0.0.0/8',
  '169.254.0.0/16',
  '::1/128',
  'fe80::/10',
  'fc00::/7',
];

/** Shared between carriers and their customers (RFC 6598): a neighbour behind it may be a stranger. */
const carrierNetwork = '100.64.0.0/10';

/** A fixed set of addresses and networks. */
export class AddressSet {
  readonly #list = new BlockList();

  /** @throws RangeError when one of them is not an address or `address/prefix`. */
  constructor(networks: readonly string[]) {
    for (const text of networks) {
      const network = parseNetwork(text);
      if (network === null) throw new RangeError(`"${text}" is not an address or network.`);
      this.#list.addSubnet(network.address, network.prefix, network.family);
    }
  }

  /** Whether a literal, unmapped or not, is in the set. */
  has(address: string): boolean {
    const plain = unmapped(address);
    if (isIPv4(plain)) return this.#list.check(plain, 'ipv4');
    return isIPv6(plain) && this.#list.check(plain, 'ipv6');
  }
}

/** The addresses of a household: RFC 1918, loopback, link-local, ULA, and the carrier's 100.64.0.0/10 where asked for. */
export function privateAddresses(withCarrier: boolean): AddressSet {
  return new AddressSet(withCarrier ? [...privateNetworks, carrierNetwork] : privateNetworks);
}

/** Reads `address` or `address/prefix`; null when it is neither. */
export function parseNetwork(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : null;
  if (family === null || rest.length > 0) return null;
  const longest = family === 'ipv4' ? 32 : 128;
  if (prefix === undefined) return { address, prefix: longest, family };
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest ? { address, prefix: Number(prefix), family } : null;
}

/** An address without its zone, and as IPv4 where it is IPv4 mapped into IPv6 (RFC 4291 §2.5.5.2). */
export function unmapped(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(?:(\d+\.\d+\.\d+\.\d+)|([\da-f]{1,4}):([\da-f]{1,4}))$/.exec(plain);
  if (mapped === null || !isIPv6(plain)) return plain;
  if (mapped[1] !== undefined) return mapped[1];
  const bits = Number.parseInt(mapped[2] ?? '0', 16) * 65536 + Number.parseInt(mapped[3] ?? '0', 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');
}

/** An address as it stands in a URL: IPv6 in brackets. */
export function bracketed(address: string): string {
  return isIPv6(address) ? `[${address}]` : address;
}
