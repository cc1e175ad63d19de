import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { channels } from '../../demo/channels.js';
import { allPictures, difference, firstPicture, type Thumbnail } from '../support/encoder.js';
import { startGstRtsp } from '../support/gst-rtsp.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { longRecording } from '../support/recording.js';
import { startRtspHousehold } from '../support/rtsp-household.js';
import { shownByVlc } from '../support/shots.js';
import { until } from '../support/until.js';

const skip = privateNetwork() || needs('gst-rtsp', 'ffmpeg', 'vlc', 'setpriv');
const file = channels[0]?.file ?? '';

for (const way of ['tcp', 'udp'] as const) {
  test(`a server of gst-rtsp-server plays by ${way.toUpperCase()} in ffprobe and VLC with the right picture, 8 viewers are one session, and TEARDOWN is said when all have left`, {
    skip,
    timeout: 120_000,
  }, async (t) => {
    const server = await startGstRtsp(t, longRecording(t, file, 120), way);
    const household = await startRtspHousehold(t, [{ name: 'One', url: server.url }]);
    const address = `${household.weir.url}${await household.path('One')}`;
    const probe = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', address];
    const { stdout } = await promisify(execFile)('ffprobe', probe, { timeout: 30_000 });
    assert.deepEqual(new Set(stdout.trim().split(/\s+/)), new Set(['h264', 'aac']));
    await until('the session of ffprobe to be told goodbye', () => server.count('teardown-request') === 1);

    const all = await Promise.all(Array.from({ length: 8 }, () => firstPicture(address)));
    assert.equal(server.count('setup-request'), 2, server.facts.join(' · '));
    await until('the session of all 8 to be told goodbye', () => server.count('teardown-request') === 2);
    const recording = await allPictures(file);
    for (const seen of [...all, await shownByVlc(t, address)]) assertIsOf(seen, recording);
    await until('the session of VLC to be told goodbye', () => server.count('teardown-request') === 3);
    assert.equal(server.count('setup-request'), 3);
  });
}

function assertIsOf(seen: Thumbnail, recording: readonly Thumbnail[]): void {
  const nearest = Math.min(...recording.map((picture) => difference(seen, picture)));
  assert.ok(nearest < 25, `${nearest} from the nearest picture of the recording`);
}
