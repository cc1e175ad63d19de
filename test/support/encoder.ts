import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Still pictures that ffmpeg makes itself, no two alike. */
export const pictures = ['smptehdbars', 'rgbtestsrc', 'pal75bars'] as const;
export type Picture = (typeof pictures)[number];

/** Colours of a picture at 32 × 18 points, three bytes each. */
export type Thumbnail = Buffer;

const frame = 's=320x180:r=25';
const size = 32 * 18 * 3;
const thumbnail = ['-vf', 'scale=32:18', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'];
type Owner = { after(undo: () => Promise<void>): void };

/**
 * Encodes one picture and one tone as live H.264 and AAC, as a provider's encoder does, until its owner ends.
 * @param target such as `rtp_mpegts rtp://239.1.1.1:5000` or `mpegts udp://239.1.1.1:5000`: ffmpeg's format and address
 */
export function startEncoder(owner: Owner, picture: Picture, target: string): void {
  const [format = '', url = ''] = target.split(' ');
  const input = ['-re', '-f', 'lavfi', '-i', `${picture}=${frame}`, '-re', '-f', 'lavfi', '-i', 'sine=frequency=440'];
  const video = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'zerolatency',
    '-g',
    '25',
    '-b:v',
    '300k',
    '-pix_fmt',
    'yuv420p',
  ];
  const args = ['-loglevel', 'error', '-nostdin', ...input, ...video, '-c:a', 'aac', '-b:a', '64k', '-f', format, url];
  const child = spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  owner.after(async () => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
}

/** The picture as it was before it was encoded. */
export async function original(picture: Picture): Promise<Thumbnail> {
  return await firstPicture(`${picture}=${frame}`, ['-f', 'lavfi']);
}

/** The first picture of a file or an address, decoded. */
export async function firstPicture(input: string, inputOptions: string[] = []): Promise<Thumbnail> {
  const [first] = await decode([...inputOptions, '-i', input, '-frames:v', '1']);
  if (first === undefined) throw new Error(`there is no picture in ${input}`);
  return first;
}

/** Ten pictures a second of a recording, decoded. */
export async function allPictures(file: string): Promise<Thumbnail[]> {
  return await decode(['-i', file, '-r', '10']);
}

/** Mean difference of two thumbnails, 0…255: a few for the same picture after lossy coding, above 80 for another of ours. */
export function difference(one: Thumbnail, other: Thumbnail): number {
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

async function decode(args: string[]): Promise<Thumbnail[]> {
  const child = spawn('ffmpeg', ['-loglevel', 'error', '-nostdin', ...args, ...thumbnail], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`ffmpeg ${args.join(' ')} ended with ${code}: ${said}`);
  const pixels = Buffer.concat(chunks);
  return Array.from({ length: pixels.length / size }, (_, index) => pixels.subarray(index * size, (index + 1) * size));
}
