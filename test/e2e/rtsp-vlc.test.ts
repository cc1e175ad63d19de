import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels } from '../../demo/channels.js';
import { allPictures, difference, firstPicture } from '../support/encoder.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { longRecording } from '../support/recording.js';
import { startRtspHousehold } from '../support/rtsp-household.js';
import { startVlcRtsp } from '../support/vlc-rtsp.js';

const skip = privateNetwork() || needs('vlc', 'ffmpeg', 'setpriv');
const file = channels[1]?.file ?? '';

test("VLC's own server, which refuses TCP, plays by UDP with the right picture", {
  skip,
  timeout: 120_000,
}, async (t) => {
  const url = await startVlcRtsp(t, longRecording(t, file, 120));
  const household = await startRtspHousehold(t, [{ name: 'One', url }]);
  const seen = await firstPicture(`${household.weir.url}${await household.path('One')}`);
  const recording = await allPictures(file);
  const nearest = Math.min(...recording.map((picture) => difference(seen, picture)));
  assert.ok(nearest < 25, `${nearest} from the nearest picture of the recording`);
  const viewer = await household.watch(t, 'One');
  assert.equal(viewer.status, 200, viewer.body);
  assert.equal((await household.weir.stream()).transport, 'udp');
});
