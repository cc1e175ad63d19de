import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { guideOf, hour, hourly, readGuide, shownAt, thisHour } from '../support/guide-text.js';
import { ask } from '../support/http.js';
import { needs } from '../support/needs.js';
import { buildStreet } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { serve } from '../support/server.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork() || needs('ip', 'xmllint', 'xmltv');

test('the guide that a list names in its header is taken over, one on this machine never, and none where they are not wanted', {
  skip,
}, async (t) => {
  const street = buildStreet(1);
  t.after(street.close);
  const body = gzipSync(guideOf(hourly('one.de', 'A', -3, 40)));
  const asked: string[] = [];
  const at = async (address: string) =>
    await serve(
      t,
      (request, response) => {
        asked.push(`${address}${request.url}`);
        response.end(body);
      },
      { address },
    );
  const [outside, inside] = [await at(street.home), await at('127.0.0.1')];
  const playlist = `#EXTM3U url-tvg="${outside}/guide.xml.gz,${inside}/secret.xml"
#EXTINF:-1 tvg-id="one.de",One
udp://@239.1.0.1:5000
`;
  const weir = await startWeir(t, { playlist });
  const shows = async () => {
    const guide = readGuide((await ask(weir.url, '/epg.xml')).body);
    return shownAt(guide, 'one.de', thisHour + hour / 2) === 'A 0';
  };
  await until('the guide of the list', shows, { within: 30_000 });
  const sources = async () => (await weir.api<{ items: GuideSourceStatus[] }>('/api/v1/guide-sources')).items;
  const settled = async () => (await sources()).every(({ state }) => state === 'published' || state === 'failed');
  await until('both to be done with', settled, { within: 30_000 });
  assert.deepEqual(
    (await sources()).map(({ origin, state }) => [origin, state]),
    [
      ['list', 'published'],
      ['list', 'failed'],
    ],
  );
  assert.deepEqual(asked, [`${street.home}/guide.xml.gz`]);

  const other = await startWeir(t, { playlist, env: { WEIR_GUIDE_FROM_LISTS: 'false' } });
  assert.deepEqual((await other.api<{ items: unknown[] }>('/api/v1/guide-sources')).items, []);
  assert.equal(asked.length, 1);
});
