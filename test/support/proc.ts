import { readdirSync, readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';

/** How often this network has joined a group: /proc/net/igmp counts the joins of each interface. */
export function joins(group: string): number {
  return isIPv4(group) ? joins4(group) : joins6(group);
}

function joins4(group: string): number {
  const lines = readFileSync('/proc/net/igmp', 'utf8').split('\n');
  const wanted = littleEndianHex(group);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .reduce((sum, [name, users]) => sum + (name === wanted ? Number(users) : 0), 0);
}

function joins6(group: string): number {
  const lines = readFileSync('/proc/net/igmp6', 'utf8').split('\n');
  const wanted = expand(group);
  return lines
    .map((line) => line.trim().split(/\s+/))
    .reduce((sum, fields) => sum + (fields[2] === wanted ? Number(fields[3]) : 0), 0);
}

/** How many UDP sockets of this network are bound to a port. */
export function udpSockets(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['udp', 'udp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1));
  return lines.filter((line) => line.trim().split(/\s+/)[1]?.endsWith(suffix)).length;
}

/** Process ids, zombies left out, whose program is called `name` and one of whose arguments contains `part`. */
export function processes(name: string, part: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      const args = read(`/proc/${pid}/cmdline`).split('\0');
      return args[0]?.split('/').at(-1) === name && args.some((arg) => arg.includes(part));
    })
    .map(Number);
}

/** Whether a process runs; one that has ended and was not collected does not. */
export function running(pid: number): boolean {
  return read(`/proc/${pid}/cmdline`) !== '';
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function littleEndianHex(address: string): string {
  const bytes = address.split('.').map(Number).reverse();
  return bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join('');
}

function expand(address: string): string {
  const [head = '', tail = ''] = address.split('::').map((half) =>
    half
      .split(':')
      .map((word) => (word === '' ? '' : word.padStart(4, '0')))
      .join(''),
  );
  return head.padEnd(32 - tail.length, '0') + tail;
}
