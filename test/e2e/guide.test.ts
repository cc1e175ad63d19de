import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { startGuideServer } from '../support/guide-server.js';
import { guideOf, hour, hourly, readGuide, shownAt, thisHour } from '../support/guide-text.js';
import { ask } from '../support/http.js';
import { needs } from '../support/needs.js';
import { readAsKodi } from '../support/readers/kodi.js';
import { send } from '../support/rest.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir, type Weir } from '../support/weir.js';

const skip = needs('xmllint', 'xmltv');
const playlist = `#EXTM3U
#EXTINF:-1 tvg-id="One.de",One
udp://@239.1.0.1:5000
#EXTINF:-1 tvg-id="two.de",Two
udp://@239.1.0.2:5000
#EXTINF:-1,Three
udp://@239.1.0.3:5000
`;
const within = 30_000;

/** The guide that is put out, once it shows something now. */
async function shown(weir: Weir, id: string, title: string | RegExp) {
  const isIt = (text: string) => (typeof title === 'string' ? text === title : title.test(text));
  return await until(
    `${title} on ${id}`,
    async () => {
      const guide = readGuide((await ask(weir.url, '/epg.xml')).body);
      return isIt(shownAt(guide, id, thisHour + hour / 2)) ? guide : null;
    },
    { within },
  );
}

async function fetchBytes(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).arrayBuffer());
}

test('a guide given by flag comes out for the channels of its ids, and list and guide name the same ids', {
  skip,
}, async (t) => {
  const file = join(tempDir(t), 'guide.dat');
  writeFileSync(file, gzipSync(guideOf([...hourly('one.de', 'A', -3, 40), ...hourly('other.de', 'X', -3, 40)])));
  const weir = await startWeir(t, { playlist, args: ['--guide', file] });
  const guide = await shown(weir, 'One.de', 'A 0');
  const listed = readAsKodi((await ask(weir.url, '/playlist.m3u')).body);
  assert.equal(listed.guide, `${weir.url}/epg.xml`);
  assert.deepEqual(
    guide.ids,
    listed.channels.map(({ id }) => id),
  );
  assert.deepEqual(guide.ids.slice(0, 2), ['One.de', 'two.de']);
  assert.deepEqual([...new Set(guide.programmes.map(({ id }) => id))], ['One.de']);
  assert.ok(listed.channels.every(({ shift }) => shift === 0));
});

test('the guide is sent packed or not, to a token too, and whoever has it is told so by the ETag of each form', {
  skip,
}, async (t) => {
  const file = join(tempDir(t), 'guide.xml');
  writeFileSync(file, guideOf(hourly('one.de', 'A', -3, 40)));
  const weir = await startWeir(t, { playlist, args: ['--guide', file] });
  await shown(weir, 'One.de', 'A 0');
  const plain = await fetchBytes(`${weir.url}/epg.xml`);
  assert.deepEqual(gunzipSync(await fetchBytes(`${weir.url}/epg.xml.gz`)), plain);
  const { secret } = await send<{ secret: string }>(weir, 'POST', '/tokens', { name: 'TV' });
  const { guide } = readAsKodi((await ask(weir.url, `/t/${secret}/playlist.m3u`)).body);
  assert.equal(guide, `${weir.url}/t/${secret}/epg.xml`);
  assert.deepEqual(await fetchBytes(guide), plain);
  const etags = new Set<string>();
  for (const path of ['/epg.xml', '/epg.xml.gz']) {
    const etag = (await ask(weir.url, path, { method: 'HEAD' })).headers.get('etag') ?? '';
    etags.add(etag);
    assert.equal((await ask(weir.url, path, { headers: { 'If-None-Match': etag } })).status, 304, path);
    assert.equal((await ask(weir.url, `/t/${secret}${path}`, { headers: { 'If-None-Match': etag } })).status, 304);
  }
  assert.equal(etags.size, 2);
});

test('of two guides the first speaks and the second fills its gaps, each with the shift and zone of its settings', {
  skip,
}, async (t) => {
  const folder = tempDir(t);
  // Its clock is wrong by five and a half hours, and its times have no zone.
  const wrong = 5.5 * hour;
  const local = (seconds: number) =>
    new Date((seconds + wrong + hour) * 1000).toISOString().replace(/[-:T]|\.\d+Z/g, '');
  const first = Array.from({ length: 40 }, (_, n) => thisHour + (n - 3) * hour).filter((start) => start !== thisHour);
  writeFileSync(
    join(folder, 'first.xml'),
    guideOf(first.map((start) => ['one.de', 'First', local(start), local(start + hour)] as const)),
  );
  writeFileSync(join(folder, 'second.xml'), guideOf(hourly('one.de', 'Second', -3, 40)));
  const config = join(folder, 'weir.yaml');
  writeFileSync(
    config,
    `guides:\n  - location: ${folder}/first.xml\n    time_zone: Africa/Lagos\n    shift: -5h30m\n  - ${folder}/second.xml\n`,
  );
  const weir = await startWeir(t, { playlist, args: ['--config', config] });
  const guide = await shown(weir, 'One.de', 'Second 0');
  const around = [-1, 0, 1].map((n) => shownAt(guide, 'One.de', thisHour + (n + 0.5) * hour));
  assert.deepEqual(around, ['First', 'Second 0', 'First']);
  const gap = guide.programmes.find(({ title }) => title === 'Second 0');
  assert.deepEqual([gap?.start, gap?.stop], [thisHour, thisHour + hour]);
});

test('a guide that is added by the API is taken over, and gone with its programmes when it is removed', {
  skip,
}, async (t) => {
  const server = await startGuideServer(t, guideOf(hourly('two.de', 'B', -3, 40)));
  const weir = await startWeir(t, { playlist });
  const { id } = await send<GuideSourceStatus>(weir, 'POST', '/guide-sources', { kind: 'url', location: server.url });
  await shown(weir, 'two.de', 'B 0');
  const source = await weir.api<GuideSourceStatus>(`/api/v1/guide-sources/${id}`);
  assert.deepEqual([source.state, source.linked, source.counts?.programmes], ['published', 1, 40]);
  const before = server.requests;
  await send(weir, 'PATCH', '/channels/3/guide', { links: [{ guideSource: id, guideId: 'two.de', shift: hour }] });
  const list = (await weir.api<{ items: { name: string; key: string }[] }>('/api/v1/channels')).items;
  const key = list.find(({ name }) => name === 'Three')?.key ?? '';
  await shown(weir, key, 'B -1');
  assert.equal(server.requests, before, 'what is kept is read');
  assert.equal(await weir.delete(`/api/v1/guide-sources/${id}`), 204);
  await shown(weir, 'two.de', '');
});
