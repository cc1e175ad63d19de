import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export type DemoWeir = {
  /** Where its playlist is. */
  readonly playlist: string;
  /** Settles with the exit code when it ends, asked to or not. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
};

const program = fileURLToPath(new URL('../src/cli/main.js', import.meta.url));
const patience = 10_000;

/** Starts `weir serve` for this machine alone and settles when it answers. @throws when it ends or does not answer within 10 s. */
export async function startWeir(data: string, list: string): Promise<DemoWeir> {
  const port = await freePort(5140);
  const flags = [
    '--data',
    data,
    '--playlist',
    list,
    '--listen',
    `127.0.0.1:${port}`,
    '--interface',
    'lo',
    '--log',
    'warn',
  ];
  // In a group of its own, so that Ctrl-C reaches the demo alone and things end in order.
  const child = spawn(process.execPath, [program, 'serve', ...flags], {
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const playlist = `http://127.0.0.1:${port}/playlist.m3u`;
  await answered(child, playlist).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { playlist, ended, stop };
}

async function answered(child: ChildProcess, url: string): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end; await pause(50)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error('Weir ended before it answered: see above.');
    if (
      await channelsAt(url).then(
        (list) => list.length > 0,
        () => false,
      )
    )
      return;
  }
  throw new Error(`Weir did not offer its channels at ${url} within ${patience / 1000} s.`);
}

export type ListedChannel = { readonly name: string; readonly url: string };

/** Names and addresses in a playlist. @throws when it cannot be fetched. */
export async function channelsAt(url: string): Promise<ListedChannel[]> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  const text = await response.text();
  return [...text.matchAll(/^#EXTINF:[^\n]*,([^\n]*)\n(?:#[^\n]*\n)*(\S+)/gm)].map(([, name = '', address = '']) => ({
    name: name.trim(),
    url: address,
  }));
}

/** The wanted port of 127.0.0.1, or the next one that is free. */
async function freePort(wanted: number): Promise<number> {
  for (let port = wanted; port < wanted + 100; port += 1) if (await isFree(port)) return port;
  throw new Error(`Ports ${wanted} to ${wanted + 99} are all taken.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
