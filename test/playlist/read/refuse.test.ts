import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlaylist } from '../../../src/playlist/read/read.js';

const read = (text: string) => readPlaylist(Buffer.from(text));

const refusals: [what: string, text: string, reason: RegExp][] = [
  ['nothing', '', /empty/],
  ['blanks', ' \r\n\n', /empty/],
  ['a header alone', '#EXTM3U\n', /names no channel/],
  ['a page', '\n<!DOCTYPE html><html><body>Sign in</body></html>', /HTML/],
  ['a page below an XML prolog', '<?xml version="1.0"?><html xmlns="x"></html>', /HTML/],
  ['a guide', '<?xml version="1.0"?><tv></tv>', /XML/],
  ['JSON', '{"user_info":{"auth":0}}', /JSON/],
  ['a JSON array', '[\n{"name":"A"}]', /JSON/],
  ['an HLS media playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhttp://h/1.ts', /HLS/],
  ['one with its tags behind', '#EXTM3U\n#EXTINF:6.0,One\nhttp://h/1.ts\n#EXT-X-TARGETDURATION:6', /HLS/],
  ['one without any but the last', '#EXTM3U\n#EXTINF:6,\nhttp://h/1.ts\n#EXT-X-ENDLIST', /HLS/],
  ['an HLS master playlist', '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://h/1.m3u8', /HLS/],
  ['a binary file', '\u0089PNG\0\0', /binary/],
];

for (const [what, text, reason] of refusals) {
  test(`${what} is refused with a reason`, () => {
    const { entries, refusal } = read(text);
    assert.match(refusal ?? '', reason);
    assert.deepEqual(entries, []);
  });
}

test('a zero byte in a list is left out', () => {
  assert.equal(read('#EXTM3U\n#EXTINF:-1,A\0B\nudp://239.1.1.1:1').entries[0]?.name, 'AB');
});

test('HLS tags behind the first entry do not make a list of channels one of HLS', () => {
  const text = '#EXTM3U\n#EXTINF:-1,A\n#EXT-X-MEDIA-SEQUENCE:1\nudp://239.1.1.1:1\n#EXTINF:-1,B\nudp://239.1.1.2:1';
  assert.equal(read(text).entries.length, 2);
});

test('a list whose every line is wrong has ten thousand problems and the word that there are more', () => {
  const { problems, refusal } = read(`#EXTM3U\n${'wrong\n'.repeat(20_000)}`);
  assert.equal(problems.length, 10_001);
  assert.equal(problems.at(-1)?.code, 'too-many-problems');
  assert.match(refusal ?? '', /names no channel/);
});
