import { readFileSync } from 'node:fs';

const folder = '/proc/sys/net/ipv4';
/** The bit of CAP_NET_ADMIN in a set of capabilities (capabilities(7)). */
const netAdmin = 12n;

/**
 * Why this machine's TCP will not use a congestion control for our connections, and what to do; null when it will, or when
 * the kernel does not say.
 */
export function congestionProblem(name: string): string | null {
  const [available, allowed] = [namesIn('available'), namesIn('allowed')];
  if (available.length > 0 && !available.includes(name)) {
    const others = `This machine has ${available.join(', ')}`;
    return `${others}; as root, "modprobe tcp_${name}" adds it where the kernel has it, and /etc/modules-load.d for good.`;
  }
  if (allowed.length > 0 && !allowed.includes(name) && !mayUseAll()) {
    return `Ordinary users may not use it; as root, "sysctl net.ipv4.tcp_allowed_congestion_control='${[...allowed, name].join(' ')}'" lets them.`;
  }
  return null;
}

function namesIn(which: 'available' | 'allowed'): string[] {
  return readOrNothing(`${folder}/tcp_${which}_congestion_control`).split(/\s+/).filter(Boolean);
}

function mayUseAll(): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(readOrNothing('/proc/self/status'))?.[1] ?? '0';
  return ((BigInt(`0x${effective}`) >> netAdmin) & 1n) === 1n;
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
