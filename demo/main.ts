import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channels, demoPlaylist } from './channels.js';
import { startLoop } from './sender.js';
import { channelsAt, type DemoWeir, type ListedChannel, startWeir } from './weir.js';

/** Three looped recordings as multicast on loopback, and a Weir that serves them, until SIGINT, SIGTERM or SIGHUP. */
async function demo(): Promise<void> {
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  const directory = mkdtempSync(join(tmpdir(), 'weir-demo-'));
  const undo: (() => void | Promise<void>)[] = [() => rmSync(directory, { recursive: true, force: true })];
  try {
    const list = join(directory, 'demo.m3u');
    writeFileSync(list, demoPlaylist());
    for (const { file, group, port } of channels) {
      undo.push((await startLoop({ file, address: group, port, rtp: true })).stop);
    }
    const weir = await startWeir(join(directory, 'data'), list);
    undo.push(weir.stop);
    announce(weir, await channelsAt(weir.playlist));
    await Promise.race([asked, failing(weir, asked)]);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

/** Rejects when Weir ends before it was asked to. */
async function failing(weir: DemoWeir, asked: Promise<void>): Promise<void> {
  let expected = false;
  void asked.then(() => {
    expected = true;
  });
  const code = await weir.ended;
  if (!expected) throw new Error(`Weir ended by itself with code ${code}: see above.`);
}

function announce({ playlist }: DemoWeir, listed: readonly ListedChannel[]): void {
  const lines = [
    'Three channels, as multicast on this machine alone, served by Weir.',
    '',
    `  playlist  ${playlist}`,
    ...listed.map(({ name, url }) => `  ${name.padEnd(8)}  ${url}`),
    '',
    'Watch with either of these, in another terminal:',
    '',
    `  vlc ${playlist}`,
    `  ffplay ${listed[0]?.url ?? playlist}`,
    '',
    'Ctrl-C ends it.',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

try {
  await demo();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
