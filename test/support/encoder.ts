import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

/** Still pictures that ffmpeg makes itself, no two alike. */
export const pictures = ['smptehdbars', 'rgbtestsrc', 'pal75bars'] as const;
export type Picture = (typeof pictures)[number];

/** Colours of a picture at 32 × 18 points, three bytes each. */
export type Thumbnail = Buffer;

const frame = 's=320x180:r=25';
const thumbnail = ['-frames:v', '1', '-vf', 'scale=32:18', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-'];
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
export function original(picture: Picture): Thumbnail {
  return decode(['-f', 'lavfi', '-i', `${picture}=${frame}`]);
}

/** The first picture of a file or an address, decoded. */
export function firstPicture(input: string): Thumbnail {
  return decode(['-i', input]);
}

/** Mean difference of two thumbnails, 0…255: about 3 for the same picture after lossy coding, above 40 for another. */
export function difference(one: Thumbnail, other: Thumbnail): number {
  if (one.length === 0 || one.length !== other.length) return 255;
  return one.reduce((sum, value, index) => sum + Math.abs(value - (other[index] ?? 0)), 0) / one.length;
}

function decode(input: string[]): Thumbnail {
  const { status, stdout, stderr } = spawnSync('ffmpeg', ['-loglevel', 'error', '-nostdin', ...input, ...thumbnail], {
    timeout: 20_000,
  });
  if (status !== 0) throw new Error(`ffmpeg ${input.join(' ')}: ${String(stderr)}`);
  return stdout;
}
