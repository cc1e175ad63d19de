import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type HostAddress, outerAddresses } from '../../lib/inner-address.js';
import { RtspFault } from './reasons.js';

export type Reach = {
  /** Whether the first host may be this machine or on its links; then those that it leads to may be too. */
  readonly inner: boolean;
  /** Ports that Weir listens on. */
  readonly ownPorts: readonly number[];
};

type Addresses = (host: string, port: number, signal: AbortSignal) => Promise<readonly HostAddress[]>;

/** Says which addresses of a host may be spoken to, for one session: the first host that is asked for is the one that was named. */
export function reachable({ inner, ownPorts }: Reach): Addresses {
  let first: 'inner' | 'outer' | null = null;
  const outer: Addresses = async (host, port, signal) => {
    const name = host.includes(':') ? `[${host}]` : host;
    if (!URL.canParse(`http://${name}:${port}`)) throw new RtspFault('invalid', `"${host}" is not a host.`);
    return await outerAddresses(new URL(`http://${name}:${port}`), { ownPorts, signal });
  };
  return async (host, port, signal) => {
    if (!inner || first === 'outer') return await outer(host, port, signal);
    if (first === 'inner') return await anyOf(host);
    try {
      const addresses = await outer(host, port, signal);
      first = 'outer';
      return addresses;
    } catch (error) {
      signal.throwIfAborted();
      const addresses = await anyOf(host).catch(() => null);
      if (addresses === null) throw error;
      first = 'inner';
      return addresses;
    }
  };
}

/** The address of an interface that connections are made from; null for the kernel's choice. @throws RtspFault without one. */
export function addressOf(name: string | null): string | null {
  if (name === null) return null;
  const usable = (networkInterfaces()[name] ?? []).filter(({ address }) => !/^fe80:/i.test(address));
  const found = usable.find(({ family }) => family === 'IPv4') ?? usable[0];
  if (found !== undefined) return found.address;
  throw new RtspFault('upstream-refused', `The interface ${name} has no address to connect from.`);
}

async function anyOf(host: string): Promise<readonly HostAddress[]> {
  const family = isIP(host);
  return family === 0 ? await lookup(host, { all: true }) : [{ address: host, family }];
}
