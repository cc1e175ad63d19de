import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { channels } from '../../demo/channels.js';
import { startLoop } from '../../demo/sender.js';
import { allPictures, difference, firstPicture, original, pictures, startEncoder } from '../support/encoder.js';
import { ask } from '../support/http.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { firstShot } from '../support/shots.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir, type Weir } from '../support/weir.js';

const skip = privateNetwork() || needs('ffmpeg');
const playlist = `#EXTM3U
#EXTINF:-1 tvg-id="one" group-title="Test",One
rtp://@239.1.11.1:5000
#EXTINF:-1 tvg-id="two" group-title="Test",Two
udp://@239.1.11.2:5000
#EXTINF:-1 tvg-id="three" group-title="Test",Three
rtp://239.1.11.3:5000
`;
/** RTP as providers send it, ffmpeg's bare datagrams that break packets, and bare datagrams of whole packets. */
const targets = [
  'rtp_mpegts rtp://239.1.11.1:5000',
  'mpegts udp://239.1.11.2:5000',
  'mpegts udp://239.1.11.3:5000?pkt_size=1316',
];
type Command = (address: string, shots: string) => string[];
const players: { need: 'ffmpeg' | 'vlc' | 'mpv'; channel: number; command: Command }[] = [
  {
    need: 'ffmpeg',
    channel: 0,
    command: (address, shots) => ['ffmpeg', '-i', address, '-r', '5', join(shots, '%08d.png')],
  },
  {
    need: 'vlc',
    channel: 1,
    // VLC refuses to run as root.
    command: (address, shots) => [
      ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'env', `HOME=${shots}`, 'cvlc', '-I', 'dummy'],
      ...['--no-audio', '--vout=dummy', '--no-video-title-show', '--video-filter=scene', '--scene-format=png'],
      ...['--scene-ratio=5', `--scene-path=${shots}`, address],
    ],
  },
  {
    need: 'mpv',
    channel: 2,
    command: (address, shots) => [
      ...['mpv', '--no-config', '--ao=null', '--frames=30', '--vo=image', '--vo-image-format=png'],
      ...[`--vo-image-outdir=${shots}`, address],
    ],
  },
];

test('players open the addresses of the list and show the recording of the channel they chose', {
  skip: skip || needs('root', 'setpriv'),
  timeout: 120_000,
}, async (t) => {
  for (const [index, { file }] of channels.entries()) {
    const sender = await startLoop({ file, address: `239.1.11.${index + 1}`, port: 5000, rtp: true });
    t.after(sender.stop);
  }
  const recordings = await Promise.all(channels.map(({ file }) => allPictures(file)));
  const weir = await startWeir(t, { playlist });
  const addresses = await addressesOf(weir);
  const show = async (one: TestContext, command: Command, address: string, channel: number) => {
    const shots = tempDir(one);
    chmodSync(shots, 0o777);
    const seen = await firstShot(command(address, shots), shots);
    const apart = recordings.map((recording) => Math.min(...recording.map((picture) => difference(seen, picture))));
    assertNearest(apart, channel);
  };
  for (const { need, channel, command } of players) {
    await t.test(`${need}, channel ${channel + 1}`, { skip: needs(need) }, async (one) => {
      await show(one, command, addresses[channel] ?? '', channel);
    });
  }
  // ffmpeg opens no M3U lists of channels.
  for (const { need, command } of players.filter((player) => player.need !== 'ffmpeg')) {
    await t.test(`${need}, the first channel of the list for VLC`, { skip: needs(need) }, async (one) => {
      await show(one, command, `${weir.url}/playlist.m3u?profile=vlc`, 0);
    });
  }
});

test('ffprobe and ffmpeg open what ffmpeg sends live, in RTP, bare and broken anywhere', {
  skip,
  timeout: 120_000,
}, async (t) => {
  for (const [index, picture] of pictures.entries()) startEncoder(t, picture, targets[index] ?? '');
  const originals = await Promise.all(pictures.map(original));
  const addresses = await addressesOf(await startWeir(t, { playlist }));
  const quick = ['-analyzeduration', '2000000'];
  await Promise.all(
    addresses.map(async (address, index) => {
      const probe = ['-v', 'error', ...quick, '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', address];
      const { stdout } = await promisify(execFile)('ffprobe', probe, { timeout: 20_000 });
      assert.deepEqual(new Set(stdout.trim().split(/\s+/)), new Set(['h264', 'aac']));
      const seen = await firstPicture(address, quick);
      const apart = originals.map((picture) => difference(seen, picture));
      assertNearest(apart, index);
    }),
  );
});

async function addressesOf(weir: Weir): Promise<string[]> {
  const list = await until('the list', async () => {
    const { body } = await ask(weir.url, '/playlist.m3u');
    return body.includes('/stream/') ? body : undefined;
  });
  const addresses = list.split('\n').filter((line) => line.startsWith('http://'));
  assert.equal(addresses.length, 3, list);
  return addresses;
}

function assertNearest(apart: readonly number[], channel: number): void {
  assert.deepEqual(
    apart.map((mean) => mean < 25),
    apart.map((_, index) => index === channel),
    `${apart} from each`,
  );
}
