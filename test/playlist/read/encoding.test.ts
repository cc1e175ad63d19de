import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Encoding } from '../../../src/lib/encoding.js';
import { readPlaylist } from '../../../src/playlist/read/read.js';

/** Characters of GB 18030 by their bytes: Node cannot write that encoding. */
const gb: Record<string, number[]> = {
  央: [0xd1, 0xeb],
  视: [0xca, 0xd3],
  综: [0xd7, 0xdb],
  合: [0xba, 0xcf],
  东: [0xb6, 0xab],
  方: [0xb7, 0xbd],
  卫: [0xce, 0xc0],
  東: [0x96, 0x7c],
  衛: [0xd0, 0x6c],
  視: [0xd2, 0x95],
  '，': [0xa3, 0xac],
  㐀: [0x81, 0x39, 0xee, 0x39],
};

const gb18030 = (text: string) => Buffer.from([...text].flatMap((char) => gb[char] ?? [...Buffer.from(char)]));
const cp1252 = (text: string) => Buffer.from(text.replaceAll('€', '\x80').replaceAll('’', '\x92'), 'latin1');
const listOf = (...names: Uint8Array[]) =>
  Buffer.concat([
    Buffer.from('#EXTM3U\n'),
    ...names.flatMap((name) => [Buffer.from('#EXTINF:-1,'), name, Buffer.from('\nhttp://h/1\n')]),
  ]);
const namesOf = (bytes: Uint8Array, encoding: Encoding | null = null) =>
  readPlaylist(bytes, { encoding }).entries.map(({ name }) => name);

const texts: [what: string, encode: (text: string) => Buffer, names: string[]][] = [
  ['simplified Chinese', gb18030, ['央视综合', 'CCTV-1 综合']],
  ['Chinese, one name', gb18030, ['东方卫视']],
  ['Chinese with a character of four bytes', gb18030, ['央视㐀']],
  ['traditional Chinese', gb18030, ['東方衛視', '東方']],
  ['German', cp1252, ['Müller TV', 'ÄÖÜ Fernsehen', 'Straßen']],
  ['French', cp1252, ['Télé créée', 'L’été', 'Ça 2 €', 'Canal é']],
  ['Spanish, one name', cp1252, ['Ñandú']],
  ['Portuguese', cp1252, ['INFORMAÇÃO', 'Canal da Nação']],
  ['Danish', cp1252, ['Første på øen']],
];

for (const [what, encode, names] of texts) {
  test(`${what} in its old encoding is read right without being told`, () => {
    assert.deepEqual(namesOf(listOf(...names.map(encode))), names);
  });
}

test('lines that are not UTF-8 decide together, and lines that are stay as they are', () => {
  const ambiguous = Buffer.from([0xc4, 0xd6]);
  const utf8 = Buffer.from('Müller 央视');
  assert.deepEqual(namesOf(listOf(utf8, ambiguous, gb18030('央视综合'))), ['Müller 央视', '闹', '央视综合']);
  const german = cp1252('Müller für Österreich');
  assert.deepEqual(namesOf(listOf(utf8, german, ambiguous)), ['Müller 央视', 'Müller für Österreich', 'ÄÖ']);
});

test('an encoding that is set holds for what is not UTF-8, and only for that', () => {
  const list = listOf(Buffer.from('Müller'), gb18030('央视'));
  assert.deepEqual(namesOf(list, 'gb18030'), ['Müller', '央视']);
  assert.deepEqual(namesOf(list, 'windows-1252'), ['Müller', 'ÑëÊÓ']);
});

test('a full-width comma of GB 18030 separates as one of UTF-8 does', () => {
  const { entries } = readPlaylist(gb18030('央视，#genre#\n东方卫视，http://h/1\n'));
  assert.deepEqual(
    entries.map(({ name, groups }) => [name, ...groups]),
    [['东方卫视', '央视']],
  );
});

for (const mark of ['', '\uFEFF']) {
  test(`UTF-16 of either order ${mark === '' ? 'without' : 'with'} a byte order mark reads as UTF-8 does`, () => {
    for (const text of ['#EXTM3U\r\n#EXTINF:-1,Ö 央视\r\nhttp://h/1', '央视,#genre#\r\nÖ 央视,http://h/1']) {
      const little = Buffer.from(mark + text, 'utf16le');
      for (const bytes of [little, Buffer.from(little).swap16()]) assert.deepEqual(namesOf(bytes), ['Ö 央视']);
    }
  });
}

test('one stray byte at the end of a list of a megabyte changes nothing else', () => {
  const line = '#EXTINF:-1,Ünï 央视\nhttp://h/1\n';
  const list = Buffer.concat([Buffer.from(line.repeat(30_000)), Buffer.from([0xff])]);
  const names = namesOf(list);
  assert.equal(names.length, 30_000);
  assert.ok(names.every((name) => name === 'Ünï 央视'));
});
