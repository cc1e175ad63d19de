import { join } from 'node:path';
import { output } from './ground.js';

/** A recording that can be played round and round, and the pictures in it that stand alone. */
export type PictureChannel = { readonly file: string; readonly hashes: ReadonlySet<string> };

/** Seconds of a lap, and of a group of pictures. */
const lap = 10;
const rate = 25;

/**
 * Makes so many channels of H.264 and AAC, one picture a second standing alone; no two pictures of all of them are alike. Half of them
 * have pictures that refer forwards, every third has its pictures in slices.
 * @throws when ffmpeg fails, or two channels have a picture in common.
 */
export async function makeChannels(directory: string, count: number): Promise<PictureChannel[]> {
  const channels: PictureChannel[] = [];
  for (let index = 0; index < count; index += 1) channels.push(await makeChannel(directory, index));
  const all = new Set(channels.flatMap(({ hashes }) => [...hashes]));
  if (all.size !== count * lap)
    throw new Error(`${all.size} pictures stand alone in the channels, not ${count * lap}.`);
  return channels;
}

async function makeChannel(directory: string, index: number): Promise<PictureChannel> {
  const file = join(directory, `channel-${index}.ts`);
  const picture = `testsrc2=s=640x360:r=${rate},hue=h=${index * 45}`;
  const tone = `sine=frequency=${220 * (index + 1)}`;
  const x264 = `keyint=${rate}:min-keyint=${rate}:scenecut=0:bframes=${index % 2 === 0 ? 0 : 3}:slices=${index % 3 === 0 ? 4 : 1}`;
  const video = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-x264-params',
    x264,
    '-b:v',
    '1200k',
    '-pix_fmt',
    'yuv420p',
  ];
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone, '-t', String(lap)];
  await output([...ffmpeg, ...inputs, ...video, '-c:a', 'aac', '-b:a', '96k', '-f', 'mpegts', file]);
  return { file, hashes: new Set(await hashesOf(['-skip_frame', 'nokey', '-i', file])) };
}

/**
 * Decodes the first picture of a piece of TS and returns its hash.
 * @throws when ffmpeg says anything at all, or finds no picture.
 */
export async function hashOfFirst(piece: Buffer): Promise<string> {
  const [hash] = await hashesOf(['-xerror', '-f', 'mpegts', '-i', 'pipe:0'], ['-frames:v', '1'], piece);
  if (hash === undefined) throw new Error('no picture in it');
  return hash;
}

const ffmpeg = ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-threads', '1'];

async function hashesOf(before: readonly string[], after: readonly string[] = [], input?: Buffer): Promise<string[]> {
  const result = ['-map', '0:v:0', ...after, '-f', 'framehash', '-hash', 'md5', 'pipe:1'];
  const said = await output([...ffmpeg, ...before, ...result], input);
  const lines = said.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => line.split(',').at(-1)?.trim() ?? '');
}
