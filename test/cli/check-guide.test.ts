import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { cases, guide, programme } from '../epg/read/cases.js';
import { tempDir } from '../support/temp.js';
import { runWeir, runWeirAside } from '../support/weir.js';

type Owner = { after(undo: () => void): void };

const midnight = Date.UTC(2024, 0, 1) / 1000;

function guideFile(owner: Owner, body: string | Uint8Array, name = 'guide.xml'): string {
  const file = join(tempDir(owner), name);
  writeFileSync(file, body);
  return file;
}

function check(file: string, ...more: readonly string[]): { code: number | null; said: unknown } {
  const { code, out, err } = runWeir('check', 'guide', file, '--json', ...more);
  assert.equal(err, '');
  return { code, said: JSON.parse(out) };
}

const full = guide(
  '<channel id="news.uk"><display-name>News HD</display-name><display-name>News</display-name><icon src="http://l/n.png"/><icon src="http://l/m.png"/></channel>',
  programme(
    14,
    '<title>Late</title><sub-title>Second</sub-title><category>A</category><category>B</category><icon src="http://i"/><new/>',
    'news.uk',
  ),
  programme(
    12,
    '<title>The News</title><desc>All of it.</desc><date>2024</date><category>News</category><episode-num>E42</episode-num>',
    'NEWS.uk',
  ),
  '<programme start="20240101130000 +0000" channel="news.uk"><title>Open</title><live/></programme>',
  programme(13, '<title>Broken<date></title>', 'news.uk'),
  programme(1, '<title>Other</title>', 'other'),
);

test('the document has the fields that are promised, in their order, and nothing else', (t) => {
  const { code, said } = check(guideFile(t, full));
  assert.equal(code, 0);
  const expected = {
    channels: [
      { id: 'news.uk', names: ['News HD', 'News'], icon: 'http://l/n.png' },
      { id: 'other', names: [], icon: null },
    ],
    programmes: { count: 4, first: midnight + 3600, last: midnight + 15 * 3600 },
    problems: [
      {
        offset: full.indexOf('<programme start="20240101130000 +0000" channel'),
        code: 'unknown-element',
        message: '<live> is not known in <programme>, and is left out.',
        count: 1,
      },
      {
        offset: full.indexOf('<programme start="20240101130000 +0000" stop'),
        code: 'bad-nesting',
        message: '</title> closes <date>.',
        count: 1,
      },
    ],
  };
  assert.equal(JSON.stringify(said), JSON.stringify(expected));
});

test('the programmes of a channel, by its id in any case, are its timeline: sorted, and each with an end', (t) => {
  const { code, said } = check(guideFile(t, full), '--programmes', 'News.UK');
  assert.equal(code, 0);
  const nothing = {
    subtitle: null,
    description: null,
    categories: [],
    episodes: [],
    icon: null,
    date: null,
    isNew: false,
  };
  const at = (hour: number, title: string) => ({
    start: midnight + hour * 3600,
    stop: midnight + (hour + 1) * 3600,
    title,
    ...nothing,
  });
  const episodes = [{ system: 'onscreen', value: 'E42' }];
  const expected = [
    { ...at(12, 'The News'), description: 'All of it.', categories: ['News'], episodes, date: '2024' },
    at(13, 'Open'),
    { ...at(14, 'Late'), subtitle: 'Second', categories: ['A', 'B'], icon: 'http://i', isNew: true },
  ];
  assert.equal(JSON.stringify(said), JSON.stringify(expected));
});

test('of a channel that the guide does not have, there are no programmes', (t) => {
  assert.deepEqual(check(guideFile(t, full), '--programmes', 'none'), { code: 0, said: [] });
});

test('without --json the report says how much there is, and the timeline is lines', (t) => {
  const file = guideFile(t, full);
  const report = runWeir('check', 'guide', file);
  assert.equal(report.code, 0);
  assert.match(report.out, /^channels +2$/m);
  assert.match(report.out, /^programmes +4$/m);
  assert.match(report.out, /bad-nesting/);
  const { out } = runWeir('check', 'guide', file, '--programmes', 'other');
  assert.equal(out, '2024-01-01 01:00 - 02:00  Other\n');
});

for (const { id, body, titles, problems } of cases.filter((one) => ['X10', 'X14', 'X16', 'X17'].includes(one.id)))
  test(`${id} is printed as it is read`, (t) => {
    const file = guideFile(t, body);
    const { said } = check(file);
    const counts = (said as { problems: { code: string; count: number }[] }).problems;
    assert.deepEqual(Object.fromEntries(counts.map(({ code, count }) => [code, count])), problems);
    const programmes = check(file, '--programmes', 'a').said as { title: string }[];
    assert.deepEqual(
      programmes.map(({ title }) => title),
      Object.values(titles).flat(),
    );
  });

test('a guide that is packed twice is read, whatever its name says', (t) => {
  const { code, said } = check(guideFile(t, gzipSync(gzipSync(full)), 'guide.zip'));
  assert.equal(code, 0);
  assert.equal((said as { programmes: { count: number } }).programmes.count, 4);
});

test('a guide that is cut off is told to be, and what came of it is there', (t) => {
  const long = guide(...Array.from({ length: 3000 }, (_, at) => programme(at % 24, `<title>${at * 7919}</title>`)));
  const bytes = gzipSync(long);
  const { code, said } = check(guideFile(t, bytes.subarray(0, bytes.length / 2), 'guide.xml.gz'));
  const { programmes, problems } = said as { programmes: { count: number }; problems: { code: string }[] };
  assert.equal(code, 0);
  assert.ok(programmes.count > 500 && programmes.count < 3000, `${programmes.count} programmes`);
  assert.ok(problems.some((one) => one.code === 'truncated'));
});

test('what is no guide is a problem in the document, one line without it, and exit 1', (t) => {
  const file = guideFile(t, '<!DOCTYPE html><html><body>Log in</body></html>');
  const { code, said } = check(file);
  assert.equal(code, 1);
  assert.deepEqual(said, {
    channels: [],
    programmes: { count: 0, first: null, last: null },
    problems: [{ offset: 0, code: 'not-a-guide', message: 'It is an HTML page, not a guide.', count: 1 }],
  });
  const plain = runWeir('check', 'guide', file, '--programmes', 'a');
  assert.equal(plain.code, 1);
  assert.equal(plain.err.trim(), `weir: ${file}: It is an HTML page, not a guide.`);
});

test('a file that is not there is one line that says so, and exit 1', (t) => {
  const file = join(tempDir(t), 'none.xml');
  const { code, err } = runWeir('check', 'guide', file);
  assert.equal(code, 1);
  assert.equal(err.trim(), `weir: ${file}: It cannot be read: ENOENT.`);
});

async function serve(owner: Owner, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  owner.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/guide`;
}

test('a guide is read from an address, also when the answer is packed', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(gzipSync(full));
  });
  const { code, out } = await runWeirAside('check', 'guide', url, '--json');
  assert.equal(code, 0);
  assert.equal((JSON.parse(out) as { programmes: { count: number } }).programmes.count, 4);
});

test('of an answer that breaks off, what came is read and the end is told', async (t) => {
  const long = guide(...Array.from({ length: 40_000 }, (_, at) => programme(at % 24, `<title>${at}</title>`)));
  const url = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': String(long.length + 1000) });
    response.write(long, () => response.destroy());
  });
  const { code, out } = await runWeirAside('check', 'guide', url, '--json');
  const { programmes, problems } = JSON.parse(out) as { programmes: { count: number }; problems: { code: string }[] };
  assert.equal(code, 0);
  assert.ok(programmes.count > 0 && programmes.count <= 40_000, `${programmes.count} programmes`);
  assert.ok(problems.some((one) => one.code === 'truncated'));
});

test('an answer that is an error is one line that says so, and exit 1', async (t) => {
  const url = await serve(t, (_, response) => {
    response.writeHead(403);
    response.end();
  });
  const { code, err } = await runWeirAside('check', 'guide', url);
  assert.equal(code, 1);
  assert.match(err, /403/);
});
