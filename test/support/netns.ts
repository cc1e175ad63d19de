import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A network behind an interface of ours: what is sent in it reaches us through that interface alone. */
export type Street = {
  /** Its namespace, for `ip netns exec`. */
  readonly netns: string;
  /** Our end of the wire. */
  readonly interface: string;
  /** Our address on it. */
  readonly home: string;
  /** Addresses of two hosts out there. */
  readonly hosts: readonly [string, string];
  /** Takes the wire away; and lays another one, whose ends have the same names and addresses. */
  cut(): void;
  mend(): void;
  /** Takes the interface away. The namespace stays as long as a process is in it. */
  close(): void;
};

/**
 * Makes a namespace with a veth pair to here, 10.77.{number}.0/24 and fd77:{number}::/64. Only within a private network.
 * @param number 1…254, one for each street of a test file
 */
export function buildStreet(number: number): Street {
  const netns = `street${number}`;
  const lan = `lan${number}`;
  const prefix = `10.77.${number}`;
  const lay = () => layWire({ netns, lan, four: prefix, six: `fd77:${number}:` });
  ip('netns', 'add', netns);
  lay();
  return {
    netns,
    interface: lan,
    home: `${prefix}.1`,
    hosts: [`${prefix}.2`, `${prefix}.3`],
    cut: () => ip('link', 'del', lan),
    mend: lay,
    close: () => {
      if (existsSync(`/sys/class/net/${lan}`)) ip('link', 'del', lan);
      if (existsSync(`/run/netns/${netns}`)) ip('netns', 'del', netns);
    },
  };
}

function layWire({ netns, lan, four, six }: { netns: string; lan: string; four: string; six: string }): void {
  ip('link', 'add', lan, 'type', 'veth', 'peer', 'name', lan, 'netns', netns);
  ip('addr', 'add', `${four}.1/24`, 'dev', lan);
  ip('addr', 'add', `${six}:1/64`, 'dev', lan, 'nodad');
  ip('link', 'set', lan, 'up');
  for (const host of [2, 3]) {
    ip('-n', netns, 'addr', 'add', `${four}.${host}/24`, 'dev', lan);
    ip('-n', netns, 'addr', 'add', `${six}:${host}/64`, 'dev', lan, 'nodad');
  }
  ip('-n', netns, 'link', 'set', lan, 'up');
  ip('-n', netns, 'route', 'add', '224.0.0.0/4', 'dev', lan);
}

/** Gives this network's loopback one more address, for a peer or a sender that is to be seen with it. */
export function addLoopbackAddress(address: string): void {
  const isSix = address.includes(':');
  // It is there at once when nobody else can have it.
  ip('addr', 'add', `${address}/${isSix ? 128 : 32}`, 'dev', 'lo', ...(isSix ? ['nodad'] : []));
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });
}
