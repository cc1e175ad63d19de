import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPlaylist } from '../../../src/playlist/read/read.js';

const read = (text: string) => readPlaylist(Buffer.from(text));

/** Text behind `#EXTINF:` → tvg-id, groups, name. */

const extinfs: [text: string, tvgId: string | null, groups: string[], name: string][] = [
  ['-1 tvg-id=a1 group-title=My News,A', 'a1', ['My News'], 'A'],
  ["-1 tvg-id='a1',A", 'a1', [], 'A'],
  ["-1 tvg-id='Joe's' group-title='It's',A", "Joe's", ["It's"], 'A'],
  ['-1 tvg-id = "a1",A', 'a1', [], 'A'],
  ['-1 TVG-ID="a1",A', 'a1', [], 'A'],
  ['-1 tvg-id="a1 group-title="News",A', 'a1', ['News'], 'A'],
  ['-1 tvg-id="a1" group-title="News,A', 'a1', ['News'], 'A'],
  ['-1 tvg-id="x" tvg-id="y",A', 'x', [], 'A'],
  ['-1 tvg-name="A, B" group-title="X, Y",A, B', null, ['X, Y'], 'A, B'],
  ['-1,A, B', null, [], 'A, B'],
  ['-1 tvg-id="a",The "Best", TV', 'a', [], 'The "Best", TV'],
  ['-1 tvg-id="a",Foo q="x" Bar', 'a', [], 'Foo q="x" Bar'],
  ['-1 tvg-id="a"，央视', 'a', [], '央视'],
  ['-1，央视', null, [], '央视'],
  ['-1 tvg-id="a"', 'a', [], 'a'],
  ['-1 tvg-id="a" tvg-name="B"', 'a', [], 'B'],
  ['-1 x-tvg-id="w" tvg-id="r",A', 'r', [], 'A'],
  ['-1 tvg-id="a", group-title="G", tvg-name="n",A', 'a', ['G'], 'A'],
  ['-1 tvg-id="a"group-title="G",A', 'a', ['G'], 'A'],
  ['-1 tvg-name="Good "A", B" group-title="M",N', null, ['M'], 'N'],
  ['tvg-id="a",A', 'a', [], 'A'],
  ['0.5 group-title="A;B; ;C",N', null, ['A', 'B', 'C'], 'N'],
  ['-1 tvg-id="" group-title="",N', null, [], 'N'],
  ['-1 tvg-id="a" group-title="G" HD,N, M', 'a', ['G'], 'N, M'],
  ['-1 tvg-id="a" N', 'a', [], 'a'],
  ['-1 tvg-id="a" group-title="G "H" I,N', 'a', ['G "H" I'], 'N'],
  ["-1 tvg-id='Joe's TV,N", "Joe's TV", [], 'N'],
  ['-1,tvg-id=a group-title=G,N', 'a', ['G'], 'N'],
  ['-1,tvg-id=a', null, [], 'tvg-id=a'],
  ['-1 tvg-id="a",N, tvg-id=b', 'a', [], 'N, tvg-id=b'],
  ['-1 tvg-id="[No EPG]",N', null, [], 'N'],
  ['-1 tvg-id="no-tvg-id",N', null, [], 'N'],
  ['-1 tvg-id="nova",N', 'nova', [], 'N'],
  ['-1 catchup-source="http://h/?tvg-id=no&x={utc}" tvg-id="yes",N', 'yes', [], 'N'],
];

for (const [text, tvgId, groups, name] of extinfs) {
  test(`#EXTINF:${text} reads as ${tvgId}, [${groups}], ${name}`, () => {
    const [entry] = read(`#EXTM3U\n#EXTINF:${text}\nudp://239.1.1.1:1`).entries;
    assert.deepEqual([entry?.tvgId, entry?.groups, entry?.name], [tvgId, groups, name]);
  });
}

for (const line of ['#EXTINF -1,A', '#extinf:-1,A', '#EXTINF: -1 ,A', '  #EXTINF:-1,A  ', '#EXTINF:,A']) {
  test(`"${line}" is an EXTINF line`, () => {
    assert.deepEqual(
      read(`#EXTM3U\n${line}\nudp://239.1.1.1:1`).entries.map(({ name }) => name),
      ['A'],
    );
  });
}

test('of two thousand attributes the first thousand are read, and the line is named', () => {
  const { entries, problems } = read(
    `#EXTM3U\n#EXTINF:-1 ${Array.from({ length: 2000 }, (_, at) => `a${at}="b"`).join(' ')},A\nudp://239.1.1.1:1`,
  );
  assert.deepEqual([entries[0]?.name, entries[0]?.attributes.length], ['A', 1000]);
  assert.deepEqual(
    problems.map(({ line, code }) => [line, code]),
    [[2, 'too-many-attributes']],
  );
});
