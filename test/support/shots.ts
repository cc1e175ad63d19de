import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstPicture, type Thumbnail } from './encoder.js';
import { tempDir } from './temp.js';
import { until } from './until.js';

type Owner = { after(undo: () => void): void };

/** What VLC shows of an address, once it shows something. It refuses to run as root. */
export async function shownByVlc(owner: Owner, address: string): Promise<Thumbnail> {
  const shots = tempDir(owner);
  chmodSync(shots, 0o777);
  const as = ['--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${shots}`, 'cvlc', '-I', 'dummy'];
  const plain = ['--no-audio', '--vout=dummy', '--no-video-title-show', '--video-filter=scene', '--scene-format=png'];
  return await firstShot(['setpriv', ...as, ...plain, '--scene-ratio=5', `--scene-path=${shots}`, address], shots);
}

/** Runs a player until it has written a picture to `shots`, then ends it. */
export async function firstShot([command = '', ...args]: readonly string[], shots: string): Promise<Thumbnail> {
  const player = spawn(command, args, { stdio: 'ignore' });
  const exited = once(player, 'exit');
  try {
    // The newest file may not be written whole yet.
    const written = () =>
      readdirSync(shots)
        .filter((name) => name.endsWith('.png'))
        .sort()
        .at(-2);
    return await firstPicture(join(shots, await until(`a picture from ${command}`, written, { within: 30_000 })));
  } finally {
    player.kill('SIGKILL');
    await exited;
  }
}
