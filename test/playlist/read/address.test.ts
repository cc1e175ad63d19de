import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlaylist } from '../../../src/playlist/read/read.js';

const read = (text: string) => readPlaylist(Buffer.from(text));
const urlsOf = (text: string) => read(text).entries.map(({ urls }) => urls.map(({ url }) => url));

test('further addresses below one EXTINF are alternatives, labels are told apart', () => {
  const { entries } = read('#EXTINF:-1,A\nrtp://239.1.1.1:1$HD\nrtp://10.0.0.9@239.1.1.2:1$$ \nhttp://h/a$b?c=$d=1');
  assert.deepEqual(entries[0]?.urls, [
    { url: 'rtp://239.1.1.1:1', label: 'HD', headers: {} },
    { url: 'rtp://10.0.0.9@239.1.1.2:1', label: null, headers: {} },
    { url: 'http://h/a$b?c=$d=1', label: null, headers: {} },
  ]);
});

test('addresses without any EXTINF are entries of their own', () => {
  assert.deepEqual(urlsOf('#EXTM3U\nudp://@239.1.1.1:1\nudp://@[ff15::1]:2\n'), [
    ['udp://239.1.1.1:1'],
    ['udp://[ff15::1]:2'],
  ]);
});

test('an address that is a label alone is no address', () => {
  assert.deepEqual(read('#EXTM3U\n#EXTINF:-1,A\nudp://$HD').entries, []);
});

const base = 'https://user:word@h:8080/lists/tv.m3u?key=1';

const relatives: [written: string, url: string | undefined][] = [
  ['/live/1.ts', 'https://user:word@h:8080/live/1.ts'],
  ['../2.m3u8?x=1', 'https://user:word@h:8080/2.m3u8?x=1'],
  ['./a', 'https://user:word@h:8080/lists/a'],
  ['sub/3.ts$HD', 'https://user:word@h:8080/lists/sub/3.ts'],
  ['//other/4.ts', 'https://other/4.ts'],
  ['?channel=5', 'https://user:word@h:8080/lists/tv.m3u?channel=5'],
  ['play.php?channel=6', 'https://user:word@h:8080/lists/play.php?channel=6'],
  ['live/7', 'https://user:word@h:8080/lists/live/7'],
  ['N/A', undefined],
  ['some words/8', undefined],
  ['just words', undefined],
  ['word', undefined],
  ['<a href="/x.ts">', undefined],
];

for (const [written, url] of relatives) {
  test(`"${written}" of a list with an address is ${url ?? 'no address'}, and none of a list without one`, () => {
    const bytes = Buffer.from(`#EXTM3U\n#EXTINF:-1,A\n${written}`);
    assert.equal(readPlaylist(bytes, { base }).entries[0]?.urls[0]?.url, url);
    assert.deepEqual(readPlaylist(bytes).entries, []);
  });
}

test("pictures: in full as written, of the list's url-logo, or of its own address", () => {
  const logos = ['http://l/a.png', 'data:image/png;base64,AA==', '//l/b.png', 'c.png', '/d.png', 'word'];
  const text = (header: string) =>
    Buffer.from(
      `#EXTM3U ${header}\n${logos.map((logo) => `#EXTINF:-1 tvg-logo="${logo}",A\nudp://239.1.1.1:1`).join('\n')}`,
    );
  const read = (header: string, base: string | null) =>
    readPlaylist(text(header), { base }).entries.map(({ logo }) => logo);
  const full = logos.slice(0, 2);
  assert.deepEqual(read('', null), [...full, 'https://l/b.png', 'c.png', '/d.png', 'word']);
  assert.deepEqual(read('', 'http://h/x/tv.m3u'), [...full, 'http://l/b.png', 'c.png', 'http://h/d.png', 'word']);
  const joined = ['http://p/i/c.png', 'http://p/i/d.png', 'http://p/i/word'];
  assert.deepEqual(read('url-logo="http://p/i/"', null), [...full, 'https://l/b.png', ...joined]);
});
