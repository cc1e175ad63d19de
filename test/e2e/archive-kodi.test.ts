import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { channels } from '../../demo/channels.js';
import { startCarrier } from '../support/carrier/server.js';
import { guideOf, hour, hourly, readGuide, shownAt, thisHour } from '../support/guide-text.js';
import { ask } from '../support/http.js';
import { startKodi } from '../support/kodi.js';
import { needs } from '../support/needs.js';
import { buildStreet } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { startRtspHousehold } from '../support/rtsp-household.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';

const skip = privateNetwork() || needs('kodi', 'xvfb', 'pulseaudio', 'ffmpeg');

test('Kodi plays a programme of its guide that began two hours ago: the carrier has one session of it and none of what is live', {
  skip,
  timeout: 300_000,
}, async (t) => {
  const street = buildStreet(1);
  t.after(street.close);
  const file = channels[1]?.file ?? '';
  const carrier = await startCarrier(t, { ways: ['tcp'], recording: file });
  const guide = join(tempDir(t), 'guide.xml');
  writeFileSync(guide, guideOf(hourly('one.tv', 'One', -30, 60)));
  const tokens = ['start', 'end'].map((name) => `\${${name}}`).join('-');
  const attributes = `tvg-id="one.tv" catchup="append" catchup-days="2" catchup-source="?wish=${tokens}"`;
  const entry = { name: 'One', url: carrier.url('/live'), attributes };
  const household = await startRtspHousehold(t, [entry], { config: { guides: [guide] } });
  const { weir } = household;
  const start = thisHour - 2 * hour;
  const isOut = async () =>
    shownAt(readGuide((await ask(weir.url, '/epg.xml')).body), 'one.tv', start + 60) === 'One -2';
  await until('the guide to hold what is over', isOut, { within: 60_000 });

  const kodi = await startKodi(t, `${weir.url}/playlist.m3u?profile=kodi`);
  const [channel] = await kodi.channels('tv');
  assert.ok(channel);
  const known = async () => (await kodi.programmes(channel)).some((programme) => programme.start === start);
  await until('Kodi to know what is over', known, { within: 90_000 });
  const { video, audio } = await kodi.playPast(channel, start);
  assert.deepEqual({ video, audio }, { video: 'h264', audio: 'aac' });

  const [session, ...more] = carrier.sessions.map(({ url }) => url);
  assert.deepEqual(more, []);
  const [, from, to] = /\?wish=(\d+)-(\d+)$/.exec(session ?? '') ?? [];
  // It may begin 5 min before a programme, and asks for the 20 min of both its buffers more than the programme lasts.
  assert.ok(Number(from) <= start && Number(from) >= start - 300, session);
  assert.ok(Number(to) >= start + hour && Number(to) - Number(from) <= hour + 1200, session);
});
