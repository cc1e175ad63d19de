import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { keep } from './ground.js';

/** One thing said about a group on the wire. */
export type Word = {
  /** Seconds of the system's clock. */
  readonly at: number;
  readonly what: 'igmp2' | 'igmp3' | 'mld2' | 'leave';
  readonly group: string;
  /** As tcpdump writes it, to be shown. */
  readonly line: string;
};

export type Capture = {
  /** What was said up to now. */
  words(): Word[];
  /** Settles when tcpdump has written all it saw. */
  stop(): Promise<void>;
};

// IPv6 has its MLD behind a hop-by-hop header, where `icmp6` does not look.
const filter = 'igmp or (ip6 and ip6[6] == 0)';

/** Listens for membership messages in a namespace. @throws when tcpdump does not start. */
export async function captureMembership(netns: string, name: string): Promise<Capture> {
  const tcpdump = ['tcpdump', '--immediate-mode', '-l', '-tt', '-n', '-v', '-i', name, filter];
  const child = spawn('ip', ['netns', 'exec', netns, ...tcpdump], { stdio: ['ignore', 'pipe', 'pipe'] });
  keep(child);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  await listening(child);
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return {
    words: () => readWords(text),
    stop: async () => {
      child.kill('SIGINT');
      await closed;
    },
  };
}

function listening(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      said += more;
      if (said.includes('listening on')) resolve();
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`tcpdump ended: ${said.trim()}`)));
  });
}

/** Reads what `tcpdump -tt -n -v` prints of IGMP (RFC 2236, RFC 3376) and MLDv2 (RFC 3810). */
export function readWords(text: string): Word[] {
  // What follows a packet's first line is indented.
  const packets = text.split(/\n(?=\d)/);
  return packets.flatMap((packet) => {
    const at = Number.parseFloat(packet);
    const line = packet.replace(/\s+/g, ' ');
    return [...simple(line), ...records(line)].map((word) => ({ ...word, at, line }));
  });
}

type Said = Pick<Word, 'what' | 'group'>;

function simple(line: string): Said[] {
  const report = /igmp v2 report (\S+)/.exec(line)?.[1];
  const leave = /igmp leave (\S+)/.exec(line)?.[1] ?? /multicast listener done\b.*?addr: (\S+)/.exec(line)?.[1];
  return [
    ...(report === undefined ? [] : [{ what: 'igmp2' as const, group: report }]),
    ...(leave === undefined ? [] : [{ what: 'leave' as const, group: leave }]),
  ];
}

/** Group records. "Only from nobody" and "no longer from" are how a group, or a source of it, is left. */
function records(line: string): Said[] {
  const version = line.includes('igmp v3 report') ? 'igmp3' : 'mld2';
  const found = [
    ...line.matchAll(/\[gaddr (\S+) (is_in|is_ex|to_in|to_ex|allow|block)(?:, (\d+) source| \{([^}]*)\})/g),
  ];
  return found.map(([, group = '', kind = '', count, sources = '']) => {
    const nobody = count === undefined ? sources.trim() === '' : count === '0';
    const leaves = kind === 'block' || (nobody && (kind === 'to_in' || kind === 'is_in'));
    return { what: leaves ? 'leave' : version, group };
  });
}
