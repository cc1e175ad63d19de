import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlaylist } from '../../../src/playlist/read/read.js';
import { bodyOf, cases } from './cases.js';

for (const fieldCase of cases) {
  const { id, what, header = [], entries } = fieldCase;
  test(`${id}: ${what}`, () => {
    const playlist = readPlaylist(bodyOf(fieldCase));
    assert.equal(playlist.refusal, null);
    assert.deepEqual(playlist.problems, []);
    assert.deepEqual(playlist.header.attributes, header);
    assert.equal(playlist.entries.length, entries.length);
    for (const [index, { url, urlHeaders, ...expected }] of entries.entries()) {
      const entry = playlist.entries[index];
      assert.ok(entry);
      assert.equal(entry.kind, 'live');
      for (const [field, value] of Object.entries(expected)) {
        assert.deepEqual(entry[field as keyof typeof expected], value, field);
      }
      assert.equal(entry.urls.length, 1);
      if (url !== undefined) assert.equal(entry.urls[0]?.url, url);
      assert.deepEqual(entry.urls[0]?.headers, urlHeaders ?? {});
    }
  });
}

test('M28: headers set for the list are the fallback of its entries, whatever way these say theirs', () => {
  const lines = [
    '#EXTM3U',
    '#EXTINF:-1,A',
    'http://h/1',
    '#EXTINF:-1 user-agent="Own",B',
    '#EXTVLCOPT:http-user-agent=Option',
    'http://h/2',
    '#EXTINF:-1 user-agent="",C',
    'http://h/3',
    '#EXTINF:-1,D',
    '#EXTHTTP:{"user-agent":"Json","X-Own":"1"}',
    'http://h/4',
  ];
  const { entries } = readPlaylist(Buffer.from(lines.join('\n')), { headers: { 'User-Agent': 'X' } });
  assert.deepEqual(
    entries.map(({ headers }) => headers),
    [{ 'User-Agent': 'X' }, { 'User-Agent': 'Own' }, { 'User-Agent': 'X' }, { 'user-agent': 'Json', 'X-Own': '1' }],
  );
});

test('H10: the page of a firewall in place of a list is recognised', () => {
  const page =
    '<!DOCTYPE html>\n<html lang="en"><head><title>Just a moment...</title></head><body>#EXTINF</body></html>';
  const { entries, problems, refusal } = readPlaylist(Buffer.from(page));
  assert.deepEqual(entries, []);
  assert.equal(refusal, 'It is an HTML page, not a list.');
  assert.deepEqual(problems, [{ line: 1, code: 'not-a-playlist', message: refusal }]);
});
