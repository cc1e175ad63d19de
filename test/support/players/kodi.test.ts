import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kodi, widened } from './kodi.js';
import { kodiVectors } from './vectors.js';

test('each template becomes what Kodi makes of it, on a device of UTC and on one in Shanghai', () => {
  const all = kodiVectors();
  assert.ok(all.length > 50);
  for (const { template, zone, expected, got } of all) assert.equal(got, expected, `${template} at ${zone} min`);
});

test('of a programme it asks for 5 min more in front and 15 min behind, never for what has not been', () => {
  const now = 1_704_196_800;
  const picked = { start: 1_704_110_400, end: 1_704_114_000 };
  assert.deepEqual(widened(picked, { now }), { start: 1_704_110_100, end: 1_704_114_900 });
  const late = { start: now - 1200, end: now + 2400 };
  assert.deepEqual(widened(late, { now }), { start: now - 1500, end: now - 300 });
});

test('it looks first where nothing tells the type of a stream: whether it exists, then 1 KiB', () => {
  const list = '#EXTM3U\n#EXTINF:-1 catchup="shift",One\nhttp://h/1\n';
  const device = { now: 1_704_196_800, zone: 0 };
  const picked = { start: 1_704_110_400, end: 1_704_114_000 };
  const steps = (text: string) => kodi(text, 'One', picked, device).map(({ method, most, url }) => [method, most, url]);
  assert.deepEqual(steps(list), [
    ['HEAD', null, 'http://h/1?utc=1704189600&lutc=1704196800'],
    ['GET', 1024, 'http://h/1?utc=1704189600&lutc=1704196800'],
    ['GET', null, 'http://h/1?utc=1704110100&lutc=1704196800'],
  ]);
  const told = list.replace('http', '#KODIPROP:mimetype=video/mp2t\nhttp');
  assert.deepEqual(steps(told), [['GET', null, 'http://h/1?utc=1704110100&lutc=1704196800']]);
});
