import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from './temp.js';

type Owner = { after(undo: () => void): void };

/** The IPv4 addresses of a name each time that it is looked up; the last answer stays. */
export type Names = Readonly<Record<string, readonly (readonly string[])[]>>;

/**
 * A name server on port 53 of loopback, that this process and its children ask for everything from now on. Only within a
 * private network. Resolves with how often each name was looked up.
 */
export async function startNameServer(owner: Owner, names: Names): Promise<Map<string, number>> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = questionOf(query);
    const answers = names[name];
    let addresses: readonly string[] = [];
    if (type === 1 && answers !== undefined) {
      const times = asked.get(name) ?? 0;
      asked.set(name, times + 1);
      addresses = answers[Math.min(times, answers.length - 1)] ?? [];
    }
    socket.send(answerTo(query.subarray(0, end), answers === undefined ? 3 : 0, addresses), port, address);
  });
  socket.bind(53, '127.0.0.1');
  await once(socket, 'listening');
  owner.after(() => socket.close());
  const dir = tempDir(owner);
  for (const [file, text] of [
    ['resolv.conf', 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n'],
    ['nsswitch.conf', 'hosts: files dns\n'],
  ] as const) {
    writeFileSync(join(dir, file), text);
    execFileSync('mount', ['--bind', join(dir, file), `/etc/${file}`]);
  }
  return asked;
}

/** Name and type of the first question (RFC 1035 §4.1.2), and where it ends. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Header, the question, and a record for each address, not to be kept (RFC 1035 §4.1). */
function answerTo(question: Buffer, code: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
