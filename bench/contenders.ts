import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lab } from './lab.js';

/** The repository, seen from dist/bench. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const port = 5199;

/** A relay as the bench starts it, with its own default settings. */
export type Contender = {
  readonly name: string;
  readonly port: number;
  /** Viewers that it can be set to serve at once. */
  readonly most: number;
  prepare(lab: Lab): Launch;
};

export type Launch = {
  readonly command: readonly string[];
  /** The directory that names this run's pump among all processes, or null where there is no pump. */
  readonly data: string | null;
};

/** Weir with its default settings. */
export const weir = ours('weir', {});
/** Weir keeping nothing for viewers that come later: what its memory is compared with. */
export const weirWithoutLookBack = ours('weir without look-back', { WEIR_STREAMS_LOOK_BACK: '0' });

/** Weir with a file of settings, whose text is made for the lab. */
export function configured(name: string, text: (lab: Lab) => string): Contender {
  return ours(name, {}, (lab, data) => {
    const file = `${data}.yaml`;
    writeFileSync(file, text(lab));
    return ['--config', file];
  });
}

type More = (lab: Lab, data: string) => string[];

function ours(name: string, environment: Readonly<Record<string, string>>, more: More = () => []): Contender {
  return {
    name,
    port,
    most: 5_000,
    prepare: (lab) => {
      const data = mkdtempSync(join(lab.directory, 'data-'));
      const where = ['--data', data, '--listen', `127.0.0.1:${port}`, '--interface', lab.interface];
      where.push(...more(lab, data));
      const set = ['env', ...Object.entries(environment).map(([key, value]) => `${key}=${value}`)];
      return { command: [...set, process.execPath, join(root, 'dist/src/cli/main.js'), 'serve', ...where], data };
    },
  };
}

/** Whether Weir itself is built here. */
export function weirIsBuilt(): boolean {
  return ['dist/src/cli/main.js', 'native/build/weir-pump', 'native/build/handoff.node'].every((file) =>
    existsSync(join(root, file)),
  );
}

/** Builds the bench's own native tools, which takes no time when they are there. @throws when they cannot be built. */
export function buildTools(): void {
  const { status, stderr } = spawnSync('make', ['-C', join(root, 'native'), 'bench'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`make -C native bench failed: ${stderr || 'is make installed?'}`);
}

/** Path of one of them. */
export function tool(name: 'send' | 'watch' | 'rtsp_serve'): string {
  return join(root, 'native/build/bench', name);
}

/** A group of the sender's, counted from 0: its addresses follow one another. */
export function groupAddress(group: number): string {
  return `239.81.${(group + 1) >> 8}.${(group + 1) & 255}`;
}

/** Its path, as all relays understand it. */
export function pathOf(group: number): string {
  return `/rtp/${groupAddress(group)}:4056`;
}

/** The known peers whose programs lie in `directory`; `most` is where their own options end. */
export function peersIn(directory: string): Contender[] {
  return [
    peer(directory, 'rtp2httpd', 256, (program, lab) => [
      ...[program, '-C', '-l', String(port), '-v', '1', '-m', '256', '-i', lab.interface],
    ]),
    peer(directory, 'msd_lite', Number.POSITIVE_INFINITY, (program, lab) => [program, '-c', msdLiteConfig(lab)]),
    peer(directory, 'udpxy', 5_000, (program, lab) => [
      ...[program, '-T', '-p', String(port), '-c', '5000', '-m', lab.interface],
    ]),
  ].filter((contender) => contender !== null);
}

function peer(
  directory: string,
  name: string,
  most: number,
  command: (program: string, lab: Lab) => string[],
): Contender | null {
  const program = join(directory, name);
  try {
    accessSync(program, constants.X_OK);
  } catch {
    return null;
  }
  return { name, port, most, prepare: (lab) => ({ command: command(program, lab), data: null }) };
}

/** The values of msd_lite's own sample: without a file of settings it does not run, and an absent one is no default but 0. */
function msdLiteConfig(lab: Lab): string {
  const path = join(lab.directory, 'msd_lite', 'msd_lite.conf');
  mkdirSync(join(lab.directory, 'msd_lite'), { recursive: true });
  const value = (name: string, text: string) => `<${name}>${text}</${name}>`;
  // Its reader of XML goes round for ever, once a stream is asked for, when elements stand on one line.
  const element = (name: string, ...children: string[]) => `<${name}>\n${children.join('\n')}\n</${name}>`;
  const hub = [
    value('fDropSlowClients', 'no'),
    value('fSocketHalfClosed', 'no'),
    value('fSocketTCPNoDelay', 'yes'),
    value('fSocketTCPNoPush', 'yes'),
    value('precache', '4096'),
    value('ringBufSize', '1024'),
    element('skt', value('sndBuf', '512'), value('sndLoWatermark', '64')),
    element('headersList', value('header', 'Content-Type: video/mpeg')),
  ];
  const source = [
    element('skt', value('rcvBuf', '512'), value('rcvLoWatermark', '48'), value('rcvTimeout', '2')),
    element('multicast', value('ifName', lab.interface), value('rejoinTime', '0')),
  ];
  const settings = element(
    'msd',
    element('log', value('level', '3')),
    element('threadPool', value('threadsCountMax', '1'), value('fBindToCPU', 'yes')),
    element(
      'HTTP',
      element('bindList', element('bind', value('address', `127.0.0.1:${port}`))),
      element('hostnameList', value('hostname', '*')),
    ),
    element('hubProfileList', element('hubProfile', ...hub)),
    element('sourceProfileList', element('sourceProfile', ...source)),
  );
  writeFileSync(path, `<?xml version="1.0" encoding="utf-8"?>\n${settings}\n`);
  return path;
}
