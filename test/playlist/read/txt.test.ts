import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlaylist } from '../../../src/playlist/read/read.js';

const read = (text: string) => readPlaylist(Buffer.from(text));
const urlsOf = (text: string) => read(text).entries.map(({ urls }) => urls.map(({ url }) => url));

test('a TXT list: groups, alternatives, full-width commas, the same name again, a comma in the address', () => {
  const lines = [
    'Before,udp://239.1.1.9:1',
    '央视，#genre#',
    'CCTV，rtp://239.1.1.1:1$HD#http://h/a#frag',
    'Other,http://h/a,b',
    'CCTV,rtp://239.1.1.2:1',
    'no address',
  ];
  const { entries, problems } = read(`\uFEFF${lines.join('\r\n')}`);
  assert.deepEqual(
    entries.map(({ name, groups, urls }) => [name, groups, urls.map(({ url }) => url)]),
    [
      ['Before', [], ['udp://239.1.1.9:1']],
      ['CCTV', ['央视'], ['rtp://239.1.1.1:1', 'http://h/a#frag', 'rtp://239.1.1.2:1']],
      ['Other', ['央视'], ['http://h/a,b']],
    ],
  );
  assert.deepEqual(
    problems.map(({ line }) => line),
    [6],
  );
});

test('a TXT list: settings hold until the next group, alternatives have headers of their own', () => {
  const lines = [
    'One,#genre#',
    'ua=Player/1',
    'header={"X-Own":"1"}',
    'A,http://h/1|Referer=http://r/#http://h/2$SD',
    'Two,#genre#',
    'A,http://h/3',
    '# a comment, http://h/4',
  ];
  const { entries, problems } = read(lines.join('\n'));
  assert.deepEqual(problems, []);
  assert.deepEqual(
    entries.map(({ groups, headers, urls }) => [groups, headers, urls]),
    [
      [
        ['One'],
        { 'X-Own': '1', 'User-Agent': 'Player/1' },
        [
          { url: 'http://h/1', label: null, headers: { Referer: 'http://r/' } },
          { url: 'http://h/2', label: 'SD', headers: {} },
        ],
      ],
      [['Two'], {}, [{ url: 'http://h/3', label: null, headers: {} }]],
    ],
  );
});

test('a TXT name in brackets is not taken for JSON', () => {
  assert.deepEqual(urlsOf('[HD] A,udp://239.1.1.1:1'), [['udp://239.1.1.1:1']]);
});
