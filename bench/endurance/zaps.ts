import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildStreet, type Street } from '../../test/support/netns.js';
import { seeded } from '../../test/support/random.js';
import { tempDir } from '../../test/support/temp.js';
import { startWeir } from '../../test/support/weir.js';
import { spread } from '../statistics.js';
import { keep, onOwnGround, output, say } from './ground.js';
import { openLive } from './live-body.js';
import { hashOfFirst, makeChannels, type PictureChannel } from './pictures.js';
import { firstPictureIn, TsCheck } from './ts-check.js';
import type { ZapSenderOptions } from './zap-sender.js';

export type ZapOptions = { readonly count: number; readonly seed: number };

const channelCount = 8;
const streamPort = 5000;
/** Milliseconds after which a picture that has not come will not come. */
const patience = 5000;
/** Failures that are shown in full. */
const shown = 20;

/**
 * Watches eight channels all the time and zaps among them, each time by a connection of its own. The first picture of every answer is
 * decoded alone: ffmpeg must not complain, and the picture must be one of those that stand alone in that channel.
 */
export async function zaps(options: ZapOptions): Promise<void> {
  await onOwnGround(async (owner) => {
    await output(['ffmpeg', '-version']).catch(() => {
      throw new Error('ffmpeg makes and decodes the pictures: install it.');
    });
    const home = buildStreet(1);
    owner.after(home.close);
    const channels = await makeChannels(tempDir(owner), channelCount);
    const weir = await startWeir(owner, { args: ['--interface', home.interface] });
    const port = Number(new URL(weir.url).port);
    await startSending(home, channels);
    const keepers = await Promise.all(channels.map((_, index) => keepOpen(port, pathOf(index))));
    const results = await zapAround(port, channels, options);
    for (const { socket } of keepers) socket.destroy();
    return judge(results, keepers);
  });
}

function address(channel: number): string {
  return `239.82.0.${channel + 1}`;
}

function pathOf(channel: number): string {
  return `/rtp/${address(channel)}:${streamPort}`;
}

async function startSending(home: Street, channels: readonly PictureChannel[]): Promise<void> {
  const options: ZapSenderOptions = {
    interface: home.hosts[0],
    channels: channels.map(({ file }, index) => ({ file, address: address(index), port: streamPort })),
  };
  const program = fileURLToPath(new URL('./zap-sender.js', import.meta.url));
  const execArgv = ['netns', 'exec', home.netns, process.execPath];
  const child = fork(program, [JSON.stringify(options)], { execPath: 'ip', execArgv });
  keep(child);
  const ready = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => null)]);
  if (ready === null) throw new Error('The sender of the channels did not start.');
  // Its channel would keep this process alive.
  child.channel?.unref();
}

type Keeper = Awaited<ReturnType<typeof openLive>> & { readonly check: TsCheck; readonly lost: () => boolean };

/** A viewer that stays on a channel and checks it; settles once a whole group of pictures has come, so that there is one to start with. */
async function keepOpen(port: number, path: string): Promise<Keeper> {
  const check = new TsCheck();
  let ended = false;
  let settle: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const since = performance.now();
  const piece = (bytes: Buffer, at: number) => {
    check.push(bytes);
    if (at - since > 1500) settle();
  };
  const end = () => {
    ended = true;
    settle();
  };
  const answer = await openLive({ port, path, piece, ended: end });
  await enough;
  return { ...answer, check, lost: () => ended };
}

type Zap = {
  readonly channel: number;
  /** Milliseconds from the request to the last byte of the first picture; null when it did not come. */
  readonly time: number | null;
  readonly failure: string | null;
};

async function zapAround(port: number, channels: readonly PictureChannel[], options: ZapOptions): Promise<Zap[]> {
  const random = seeded(options.seed);
  const results: Zap[] = [];
  while (results.length < options.count) {
    const channel = Math.floor(random() * channels.length);
    results.push(await zapTo(port, channel, channels));
    if (results.length % 100 === 0) say(`${results.length} zaps, ${failed(results).length} failed`);
  }
  return results;
}

async function zapTo(port: number, channel: number, channels: readonly PictureChannel[]): Promise<Zap> {
  const taken = await takePicture(port, pathOf(channel));
  if ('failure' in taken) return { channel, time: null, failure: taken.failure };
  try {
    const hash = await hashOfFirst(taken.bytes);
    const owner = channels.findIndex(({ hashes }) => hashes.has(hash));
    const failure =
      owner === channel ? null : owner < 0 ? 'not a picture of any channel' : `a picture of channel ${owner + 1}`;
    return { channel, time: taken.time, failure };
  } catch (error) {
    return { channel, time: taken.time, failure: error instanceof Error ? error.message : String(error) };
  }
}

type Taken = { readonly bytes: Buffer; readonly time: number } | { readonly failure: string };

function takePicture(port: number, path: string): Promise<Taken> {
  return new Promise((resolve) => {
    const since = performance.now();
    const came: { readonly end: number; readonly at: number }[] = [];
    let body = Buffer.alloc(0);
    let status = 0;
    const finish = (taken: Taken) => {
      clearTimeout(late);
      void opening.then(({ socket }) => socket.destroy());
      resolve(taken);
    };
    const late = setTimeout(
      () => finish({ failure: `status ${status}, no whole picture in ${patience} ms` }),
      patience,
    );
    const piece = (bytes: Buffer, at: number) => {
      body = Buffer.concat([body, bytes]);
      came.push({ end: body.length, at });
      const first = firstPictureIn(body);
      if (first === null) return;
      const last = came.find(({ end }) => end >= first.end)?.at ?? at;
      finish({ bytes: body.subarray(0, first.bytes), time: last - since });
    };
    const ended = () => finish({ failure: `status ${status}, closed after ${body.length} bytes` });
    const opening = openLive({ port, path, piece, ended });
    void opening.then((answer) => {
      status = answer.status;
    });
  });
}

function judge(results: readonly Zap[], keepers: readonly Keeper[]): 'passed' | 'failed' {
  const failures = failed(results);
  const times = results.map(({ time }) => time);
  const errors = keepers.reduce((sum, { check }) => sum + check.errors, 0);
  const lost = keepers.filter((keeper) => keeper.lost()).length;
  say(`${results.length} zaps among ${keepers.length} channels: ${failures.length} failed`);
  for (const { channel, failure } of failures.slice(0, shown)) say(`  channel ${channel + 1}: ${failure}`);
  say(`From the request to the last byte of the first picture: ${spread(times, 2)} ms`);
  say(`Viewers that stayed: ${errors} sync and continuity errors, ${lost} disconnected`);
  return failures.length + errors + lost === 0 ? 'passed' : 'failed';
}

function failed(results: readonly Zap[]): Zap[] {
  return results.filter(({ failure }) => failure !== null);
}
