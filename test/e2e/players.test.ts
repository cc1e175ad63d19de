import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { difference, firstPicture, original, pictures, startEncoder, type Thumbnail } from '../support/encoder.js';
import { ask } from '../support/http.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork() || needs('ffmpeg');
const playlist = `#EXTM3U
#EXTINF:-1 tvg-id="one" group-title="Test",Smpte bars
rtp://@239.1.11.1:5000
#EXTINF:-1 tvg-id="two" group-title="Test",Rgb stripes
udp://@239.1.11.2:5000
#EXTINF:-1 tvg-id="three" group-title="Test",Pal bars
rtp://239.1.11.3:5000
`;
/** RTP as providers send it, ffmpeg's bare datagrams that break packets, and bare datagrams of whole packets. */
const targets = [
  'rtp_mpegts rtp://239.1.11.1:5000',
  'mpegts udp://239.1.11.2:5000',
  'mpegts udp://239.1.11.3:5000?pkt_size=1316',
];

test('players open the addresses of the list and show the picture of the channel they chose', {
  skip,
  timeout: 120_000,
}, async (t) => {
  for (const [index, picture] of pictures.entries()) startEncoder(t, picture, targets[index] ?? '');
  const weir = await startWeir(t, { playlist });
  const list = await until('the list', async () => {
    const { body } = await ask(weir.url, '/playlist.m3u');
    return body.includes('/stream/') ? body : undefined;
  });
  const addresses = list.split('\n').filter((line) => line.startsWith('http://'));
  assert.equal(addresses.length, 3, list);

  for (const [index, address] of addresses.entries()) {
    await t.test(`ffprobe and ffmpeg, channel ${index + 1}`, () => {
      const probe = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', address];
      const { stdout, stderr } = spawnSync('ffprobe', probe, { encoding: 'utf8', timeout: 20_000 });
      assert.deepEqual(new Set(stdout.trim().split(/\s+/)), new Set(['h264', 'aac']), stderr);
      assertShows(firstPicture(address), index);
    });
  }
  await t.test('VLC, channel 2', { skip: needs('vlc', 'root', 'setpriv') }, async (one) => {
    const shots = folder(one);
    const scene = ['--video-filter=scene', '--scene-format=png', '--scene-ratio=5', `--scene-path=${shots}`];
    const quiet = ['-I', 'dummy', '--no-audio', '--vout=dummy', '--no-video-title-show'];
    // VLC refuses to run as root.
    const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${shots}`, 'cvlc'];
    await shows('setpriv', [...nobody, ...quiet, ...scene, addresses[1] ?? ''], shots, 1);
  });
  await t.test('mpv, channel 3', { skip: needs('mpv') }, async (one) => {
    const shots = folder(one);
    const image = ['--vo=image', '--vo-image-format=png', `--vo-image-outdir=${shots}`];
    await shows('mpv', ['--no-config', '--ao=null', '--frames=20', ...image, addresses[2] ?? ''], shots, 2);
  });
});

type Owner = Parameters<typeof tempDir>[0];

function folder(owner: Owner): string {
  const path = tempDir(owner);
  chmodSync(path, 0o777);
  return path;
}

/** Runs a player until one of the pictures that it writes to `shots` is that of the channel, then ends it. */
async function shows(command: string, args: string[], shots: string, channel: number): Promise<void> {
  const player = spawn(command, args, { stdio: 'ignore' });
  try {
    // The newest file may not be written whole yet.
    const file = await until(
      `a picture from ${command}`,
      () =>
        readdirSync(shots)
          .filter((name) => name.endsWith('.png'))
          .sort()
          .at(-2),
      { within: 30_000 },
    );
    assertShows(firstPicture(join(shots, file)), channel);
  } finally {
    const exited = player.exitCode === null ? once(player, 'exit') : null;
    player.kill('SIGKILL');
    await exited;
  }
}

function assertShows(seen: Thumbnail, channel: number): void {
  for (const [index, picture] of pictures.entries()) {
    const apart = difference(seen, original(picture));
    assert.equal(apart < 15, index === channel, `${apart} from ${picture}`);
  }
}
