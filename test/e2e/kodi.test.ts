import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channels } from '../../demo/channels.js';
import { startLoop } from '../../demo/sender.js';
import { allPictures, difference, type Thumbnail } from '../support/encoder.js';
import { type KodiChannel, startKodi } from '../support/kodi.js';
import { needs } from '../support/needs.js';
import { buildStreet } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { until } from '../support/until.js';
import { adminKey, startWeir, type Weir } from '../support/weir.js';

const skip = privateNetwork() || needs('kodi', 'xvfb', 'pulseaudio', 'ffmpeg');
const playlist = `#EXTM3U
#EXTINF:-1 tvg-id="bars" tvg-chno="7" tvg-logo="http://10.77.1.2/bars.png" group-title="News;HD",News, late
rtp://@239.1.18.1:5000
#EXTINF:-1 tvg-id="clock" tvg-chno="7.10" group-title="央视",央视 综合
rtp://@239.1.18.2:5000
#EXTINF:-1 tvg-id="fractal" tvg-chno="7.1" group-title="News",Maths
rtp://@239.1.18.3:5000
#EXTINF:-1 tvg-id="tone" tvg-chno="90" radio="true" group-title="Music",Tone
rtp://@239.1.18.4:5000
#EXTINF:-1 tvg-id="shop" tvg-chno="6" group-title="News",Shopping
rtp://@239.1.18.5:5000
#EXTINF:-1 tvg-id="alone" tvg-chno="8",Alone
rtp://@239.1.18.6:5000
`;

test('Kodi lists the channels of its profile with names, numbers and groups, and shows the one that is opened', {
  skip,
  timeout: 240_000,
}, async (t) => {
  const street = buildStreet(1);
  t.after(street.close);
  for (const [index, { file }] of channels.entries()) {
    const sender = await startLoop({ file, address: `239.1.18.${index + 1}`, port: 5000, rtp: true });
    t.after(sender.stop);
  }
  const weir = await startWeir(t, { playlist });
  await hide(weir, 'Shopping');
  const kodi = await startKodi(t, `${weir.url}/playlist.m3u?profile=kodi`);

  const television = await kodi.channels('tv');
  assert.deepEqual(television.map(nameAndNumber), [
    ['News, late', '7'],
    ['Maths', '7.1'],
    ['央视 综合', '7.10'],
    ['Alone', '8'],
  ]);
  assert.deepEqual((await kodi.channels('radio')).map(nameAndNumber), [['Tone', '90']]);
  assert.deepEqual(await kodi.groups('tv'), {
    News: ['News, late', 'Maths'],
    HD: ['News, late'],
    央视: ['央视 综合'],
  });
  assert.deepEqual(await kodi.groups('radio'), { Music: ['Tone'] });
  const [news, , clock] = television;
  assert.ok(news && clock);
  assert.ok(decodeURIComponent(news.icon).includes(`${weir.url}/logos/`), news.icon);

  const { video, height, audio } = await kodi.play(clock);
  assert.deepEqual({ video, height, audio }, { video: 'h264', height: 360, audio: 'aac' });
  const viewers = await weir.viewers();
  assert.deepEqual(
    viewers.map(({ note }) => note.userAgent?.slice(0, 4)),
    ['Kodi'],
  );
  const recordings = await Promise.all(channels.map(({ file }) => allPictures(file)));
  const shown = async () => nearest(await kodi.picture(), recordings) === 1;
  await until('the recording of the clock on the screen', shown, { within: 60_000 });
});

/** Takes a channel out of the lists. */
async function hide(weir: Weir, name: string): Promise<void> {
  const { items } = await weir.api<{ items: { id: number; name: string }[] }>('/api/v1/channels');
  const id = items.find((channel) => channel.name === name)?.id;
  const { status } = await fetch(`${weir.url}/api/v1/channels/${id}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ hidden: true }),
  });
  assert.equal(status, 200);
}

function nameAndNumber({ name, number }: KodiChannel): [string, string] {
  return [name, number];
}

/** Which of the recordings a picture is of; -1 when it is of none. */
function nearest(seen: Thumbnail | undefined, recordings: readonly (readonly Thumbnail[])[]): number {
  if (seen === undefined) return -1;
  return recordings.findIndex((pictures) => pictures.some((picture) => difference(seen, picture) < 25));
}
