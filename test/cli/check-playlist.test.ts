import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bodyOf, cases } from '../playlist/read/cases.js';
import { tempDir } from '../support/temp.js';
import { runWeir, runWeirAside } from '../support/weir.js';

type Owner = { after(undo: () => void): void };
type SaidEntry = Readonly<Record<string, unknown>> & { readonly urls: { url: string; headers: unknown }[] };
type Said = { header: unknown; entries: SaidEntry[]; problems: { code: string; message: string }[] };

function listFile(owner: Owner, body: string | Uint8Array): string {
  const file = join(tempDir(owner), 'list.m3u');
  writeFileSync(file, body);
  return file;
}

function check(file: string): { code: number | null; said: Said } {
  const { code, out, err } = runWeir('check', 'playlist', file, '--json');
  assert.equal(err, '');
  return { code, said: JSON.parse(out) as Said };
}

test('the document has the fields that are promised, in their order, and nothing else', (t) => {
  const lines = [
    '#EXTM3U url-tvg="http://e/guide.xml" tvg-shift="0"',
    '#EXTINF:-1 tvg-id="news.uk" tvg-name="News" tvg-chno="7.10" tvg-logo="http://l/n.png" group-title="News;HD" catchup="append" catchup-source="?utc={utc}" catchup-days="7" x-own="kept",News HD',
    '#EXTVLCOPT:http-referrer=http://r/',
    'rtp://@239.1.1.1:5000$HD|User-Agent=X',
    '#EXTINF:-1,Nothing',
  ];
  const { code, out } = runWeir('check', 'playlist', listFile(t, lines.join('\n')), '--json');
  assert.equal(code, 0);
  const attributes = [
    ['tvg-id', 'news.uk'],
    ['tvg-name', 'News'],
    ['tvg-chno', '7.10'],
    ['tvg-logo', 'http://l/n.png'],
    ['group-title', 'News;HD'],
    ['catchup', 'append'],
    ['catchup-source', '?utc={utc}'],
    ['catchup-days', '7'],
    ['x-own', 'kept'],
  ];
  const entry = {
    line: 2,
    name: 'News HD',
    tvgId: 'news.uk',
    tvgName: 'News',
    number: '7.10',
    logo: 'http://l/n.png',
    groups: ['News', 'HD'],
    radio: false,
    urls: [{ url: 'rtp://239.1.1.1:5000', label: 'HD', headers: { 'User-Agent': 'X' } }],
    headers: { Referer: 'http://r/' },
    catchup: { mode: 'append', source: '?utc={utc}', days: 7, correction: null },
    attributes,
    directives: [{ name: 'EXTVLCOPT', value: 'http-referrer=http://r/', before: false }],
  };
  const header = {
    attributes: [
      ['url-tvg', 'http://e/guide.xml'],
      ['tvg-shift', '0'],
    ],
  };
  const message = '"Nothing" has no address on the lines after it.';
  const expected = { header, entries: [entry], problems: [{ line: 5, code: 'entry-without-url', message }] };
  assert.equal(JSON.stringify(JSON.parse(out)), JSON.stringify(expected));
});

for (const fieldCase of cases) {
  const { id, what, header = [], entries } = fieldCase;
  test(`${id}, on the command line: ${what}`, (t) => {
    const { code, said } = check(listFile(t, bodyOf(fieldCase)));
    assert.equal(code, 0);
    assert.deepEqual(said.problems, []);
    assert.deepEqual(said.header, { attributes: header });
    assert.equal(said.entries.length, entries.length);
    for (const [index, { url, urlHeaders, ...expected }] of entries.entries()) {
      const entry = said.entries[index];
      assert.ok(entry);
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(entry[field], value, field);
      const [first, ...more] = entry.urls;
      assert.deepEqual(more, []);
      if (url !== undefined) assert.equal(first?.url, url);
      assert.deepEqual(first?.headers, urlHeaders ?? {});
    }
  });
}

const nothings: [what: string, body: string | Uint8Array, reason: RegExp][] = [
  ['an empty file', '', /^It is empty\.$/],
  ['a header alone', '#EXTM3U\n', /^It names no channel/],
  ['entries without addresses', '#EXTM3U\n#EXTINF:-1,A\n', /no address/],
  ['a page', '<!doctype html><html></html>', /HTML page/],
  ['JSON', '{"user_info":{"auth":0}}', /JSON/],
  ['an HLS playlist', '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nhttp://h/1.ts', /HLS/],
  ['a list whose gzip is cut off', gzipSync('#EXTM3U\n#EXTINF:-1,A\nudp://239.1.1.1:1\n').subarray(0, 30), /cut off/],
];

for (const [what, body, reason] of nothings) {
  test(`of ${what} nothing is read: exit 1, a problem in the document, one line without it`, (t) => {
    const file = listFile(t, body);
    const { code, said } = check(file);
    assert.equal(code, 1);
    assert.deepEqual(said.entries, []);
    assert.match(said.problems[0]?.message ?? '', reason);
    const short = runWeir('check', 'playlist', file);
    assert.deepEqual([short.code, short.out], [1, '']);
    assert.match(short.err, /^weir: \S+list\.m3u: It [^\n]+\n$|^weir: \S+list\.m3u: The gzip file is cut off[^\n]+\n$/);
  });
}

test('a file that is not there is exit 1 and one line that names it', (t) => {
  const file = join(tempDir(t), 'none.m3u');
  assert.deepEqual(runWeir('check', 'playlist', file), {
    code: 1,
    out: '',
    err: `weir: ${file}: It cannot be read: ENOENT.\n`,
  });
});

test('without --json a short report counts what was read and shows the problems', (t) => {
  const lines = [
    '#EXTM3U',
    '#EXTINF:-1 tvg-id="a" group-title="G",A',
    'udp://239.1.1.1:1',
    'udp://239.1.1.2:1',
    '#EXTINF:-1,Film',
    'http://h/movie/u/p/1.mkv',
    'garbage',
  ];
  const { code, out, err } = runWeir('check', 'playlist', listFile(t, lines.join('\n')));
  assert.deepEqual([code, err], [0, '']);
  assert.match(
    out,
    /^live channels +1\nmovies +1\nseries +0\ngroups +1\nalternatives +1\nguide ids +1\ncatch-up +0\nproblems +1\n/m,
  );
  assert.match(out, /^ {2}line 7, bad-address: "garbage" is no address/m);
});

for (const args of [
  ['check'],
  ['check', 'playlist'],
  ['check', 'list'],
  ['check', 'playlist', 'a', 'b'],
  ['check', 'playlist', 'a', '--xml'],
]) {
  test(`weir ${args.join(' ')} is wrong usage: exit 2 and nothing on standard output`, () => {
    const { code, out } = runWeir(...args);
    assert.deepEqual([code, out], [2, '']);
  });
}

async function serve(owner: Owner, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  owner.after(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a list by address is downloaded and unpacked, and what is relative in it is of that address', async (t) => {
  const list = '#EXTM3U url-logo="/logos"\n#EXTINF:-1 tvg-logo="a.png",A\nlive/1.m3u8\n#EXTINF:-1,B\n/2.ts\n';
  const base = await serve(t, (_, response) => response.end(gzipSync(list)));
  const { code, out } = await runWeirAside('check', 'playlist', `${base}/lists/tv.m3u?key=1`, '--json');
  assert.equal(code, 0);
  const { entries } = JSON.parse(out) as { entries: { logo: string | null; urls: { url: string }[] }[] };
  assert.deepEqual(
    entries.map(({ logo, urls }) => [logo, urls[0]?.url]),
    [
      [`${base}/logos/a.png`, `${base}/lists/live/1.m3u8`],
      [null, `${base}/2.ts`],
    ],
  );
});

test('M34 and H10: a refusal, and a page in place of a list, are exit 1 and say what came', async (t) => {
  const base = await serve(t, (request, response) => {
    const isPage = request.url?.startsWith('/page') === true;
    response.writeHead(isPage ? 200 : 429, { 'Retry-After': '30' }).end('<html><title>Just a moment</title></html>');
  });
  const limited = await runWeirAside('check', 'playlist', `${base}/list?password=secret`);
  assert.deepEqual([limited.code, limited.out], [1, '']);
  assert.equal(limited.err, `weir: ${base}/list?…: The server answered 429.\n`);
  const page = await runWeirAside('check', 'playlist', `${base}/page`);
  assert.equal(page.err, `weir: ${base}/page: It is an HTML page, not a list.\n`);
});

test('a document of which only the start is read ends without a word', (t) => {
  const file = listFile(t, '#EXTINF:-1,A\nudp://239.1.1.1:1\n'.repeat(5000));
  const weir = join(import.meta.dirname, '../../src/cli/main.js');
  const piped = `"${process.execPath}" "${weir}" check playlist "${file}" --json | head -c 1`;
  const { stdout, stderr } = spawnSync('sh', ['-c', piped], { encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['{', '']);
});
