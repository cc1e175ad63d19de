import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { decompress, decompressed } from '../../src/lib/decompress.js';
import { WeirError } from '../../src/lib/errors.js';
import { until } from '../support/until.js';

const list = '#EXTM3U\n#EXTINF:-1,A\nudp://239.1.1.1:1\n';
/** The same, written by xz 5.4. */
const xz = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQAmI0VYVE0zVQojRVhUSU5GOi0xLEEKdWRwOi8vMjM5LjEuMS4xOjEKAACunMUOtNCnoAABPyd8KlLdH7bzfQEAAAAABFla',
  'base64',
);
const maxBytes = 64 * 1024 * 1024;

async function unpack(body: Uint8Array | AsyncIterable<Uint8Array>, limit = maxBytes): Promise<string> {
  return Buffer.from(await decompress(body, { maxBytes: limit })).toString('utf8');
}

const zip = (members: Record<string, Uint8Array | string>) =>
  zipSync(Object.fromEntries(Object.entries(members).map(([name, content]) => [name, Buffer.from(content)])));

function refusal(code: string, message: RegExp) {
  return (error: unknown) => error instanceof WeirError && error.code === code && message.test(error.message);
}

async function* inPieces(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield await Promise.resolve(body.subarray(at, at + size));
}

const packed: Record<string, Uint8Array> = {
  plain: Buffer.from(list),
  gzip: gzipSync(list),
  'gzip of two members': Buffer.concat([gzipSync(list.slice(0, 9)), gzipSync(list.slice(9))]),
  'zlib (X04)': deflateSync(list),
  'zlib of the fastest kind': deflateSync(list, { level: 2 }),
  'raw deflate (X04)': deflateRawSync(list),
  'raw deflate in gzip': gzipSync(deflateRawSync(list)),
  xz,
  'xz of two streams': Buffer.concat([xz, xz]),
  zip: zip({ 'list.m3u': list }),
  'zip, not deflated': zipSync({ 'list.m3u': [Buffer.from(list), { level: 0 }] }),
  'zip in gzip': gzipSync(zip({ 'list.m3u': list })),
  'xz in gzip in zip': zip({ 'list.xz': gzipSync(xz) }),
};

for (const [what, body] of Object.entries(packed)) {
  test(`${what}, whole or in pieces of seven bytes, comes out as it went in`, async () => {
    const expected = what === 'xz of two streams' ? list + list : list;
    assert.equal(await unpack(body), expected);
    assert.equal(await unpack(inPieces(body, 7)), expected);
  });
}

test('of a zip of several members the lists come out, joined by line feeds, and no readme, picture or folder', async () => {
  const members = {
    'readme.txt': 'http://example/',
    'lists/': '',
    'lists/a.m3u': '#EXTM3U',
    '__MACOSX/lists/._a.m3u': 'x',
    'lists/b.M3U8.gz': gzipSync('#EXTINF:-1,B'),
    'picture.png': 'png',
  };
  assert.equal(await unpack(zip(members)), '#EXTM3U\n#EXTINF:-1,B');
});

test('of a zip without lists the guides come out, else the texts, else all of it', async () => {
  assert.equal(await unpack(zip({ 'guide.xml': '<tv/>', 'readme.txt': 'x' })), '<tv/>');
  assert.equal(await unpack(zip({ 'tv.txt': 'A,udp://239.1.1.1:1', logo: 'x' })), 'A,udp://239.1.1.1:1');
  assert.equal(await unpack(zip({ one: '1', two: '2' })), '1\n2');
  assert.equal(await unpack(zip({})), '');
});

test('of a zip of which the guides are wanted these come out, joined by line feeds, before lists and texts', async () => {
  const prefer = 'guides';
  const body = zip({
    'a.m3u': list,
    'one.xml': '<tv>1</tv>',
    'readme.txt': 'x',
    'two.xmltv.gz': gzipSync('<tv>2</tv>'),
  });
  assert.equal(Buffer.from(await decompress(body, { maxBytes, prefer })).toString(), '<tv>1</tv>\n<tv>2</tv>');
  const other = await decompress(zip({ 'a.m3u': list, 'b.txt': 'x' }), { maxBytes, prefer });
  assert.equal(Buffer.from(other).toString(), list);
});

test('texts that begin as packed ones may are left as they are', async () => {
  for (const text of ['x^y,udp://239.1.1.1:1', 'x\u0001', '\u00fe\u00ff\u0000<', '\u0005\u0000']) {
    const body = Buffer.from(text, 'latin1');
    assert.deepEqual(Buffer.from(await decompress(body, { maxBytes })), body);
  }
});

/** What came out before the error, and the error. */
async function partly(body: Uint8Array, pieces: number): Promise<{ came: string; error: unknown }> {
  let came = '';
  try {
    for await (const chunk of decompressed(inPieces(body, pieces), { maxBytes }))
      came += Buffer.from(chunk).toString('latin1');
    return { came, error: null };
  } catch (error) {
    return { came, error };
  }
}

test('what came of a body that is cut off is given out, to the last byte that can be told, and then the error', async () => {
  const text = Array.from({ length: 60_000 }, (_, index) => `<title>${index}</title>`).join('\n');
  for (const [what, body] of Object.entries({
    'gzip file': gzipSync(text),
    'deflate body': deflateSync(text),
  })) {
    for (const cut of [body.length - 1, body.length - 9, Math.floor(body.length / 2)]) {
      for (const pieces of [body.length, 10_000]) {
        const { came, error } = await partly(body.subarray(0, cut), pieces);
        assert.ok(text.startsWith(came));
        // At most a few bytes of the packed ones wait for the next.
        assert.ok(came.length >= text.length * (cut / body.length) * 0.9, `${came.length} of ${text.length}`);
        assert.ok(
          refusal('invalid', new RegExp(`^The ${what} is cut off: its end is missing\\.$`))(error),
          String(error),
        );
      }
    }
  }
});

for (const [what, body] of Object.entries({ gzip: gzipSync(list), xz, zip: zip({ 'a.m3u': list }) })) {
  test(`${what} that is cut off, wherever that is, is said to be so`, async () => {
    const expected = refusal('invalid', new RegExp(`^The ${what} file is cut off: its end is missing\\.$`));
    for (let end = 12; end < body.length; end += 1) {
      await assert.rejects(unpack(body.subarray(0, end)), expected, `${end} of ${body.length} bytes`);
    }
  });

  test(`${what} with a wrong byte in its data is said to be damaged, and never hangs`, async () => {
    const wrong = Buffer.from(body);
    const middle = Math.floor(wrong.length / 2);
    wrong[middle] = (wrong[middle] ?? 0) ^ 0x55;
    await assert.rejects(unpack(wrong), refusal('invalid', /is (?:damaged|cut off): .+\.$/));
  });
}

test('what is known and not read is named, and what lies four deep is refused', async () => {
  await assert.rejects(unpack(Buffer.from('BZh91AY')), refusal('invalid', /bzip2, which is not read/));
  const deep = [1, 2, 3, 4].reduce<Uint8Array>((inner) => gzipSync(inner), Buffer.from(list));
  await assert.rejects(unpack(deep), refusal('invalid', /more than 3 times/));
});

test('an encrypted member and one of an unknown method are refused by name', async () => {
  const encrypted = Buffer.from(zip({ 'a.m3u': list }));
  const entry = encrypted.indexOf('PK\x01\x02');
  encrypted[entry + 8] = 1;
  await assert.rejects(unpack(encrypted), refusal('invalid', /"a\.m3u" in the zip file is encrypted/));
  encrypted[entry + 8] = 0;
  encrypted[entry + 10] = 12;
  await assert.rejects(unpack(encrypted), refusal('invalid', /packed by method 12/));
});

test('the limit holds for plain bodies, for each layer and for the members of a zip together', async () => {
  const tooMuch = refusal('limit-reached', /larger than/);
  const limit = 1000;
  const half = Buffer.alloc(600, 'x');
  assert.equal((await unpack(gzipSync(half), limit)).length, 600);
  for (const body of [Buffer.alloc(1001), gzipSync(Buffer.alloc(1001)), zip({ one: half, two: half })]) {
    await assert.rejects(unpack(body, limit), tooMuch);
  }
  const empties = Buffer.concat(Array.from({ length: 100 }, () => gzipSync('')));
  await assert.rejects(unpack(gzipSync(empties), limit), tooMuch);
});

/** One gzip member of zeros, ten gigabytes of them. */
function bomb(): Buffer {
  const megabytes = 64;
  const zeros = deflateRawSync(Buffer.alloc(megabytes * 1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH });
  const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  return Buffer.concat([header, ...Array.from({ length: (10 * 1024) / megabytes }, () => zeros), deflateRawSync('')]);
}

test('ten gigabytes packed into one are refused while 64 MB have come out, in a little more memory than these', async () => {
  const body = bomb();
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  await assert.rejects(unpack(body), refusal('limit-reached', /larger than 64 MB/));
  await assert.rejects(unpack(zip({ 'list.m3u.gz': body })), refusal('limit-reached', /larger than 64 MB/));
  const { user, system } = process.cpuUsage(cpu);
  assert.ok(user + system < 10e6, `${user + system} µs`);
  assert.ok(process.memoryUsage().rss - before < 400e6);
});

test('who reads no further lets go of what is read from', async () => {
  let isLetGo = false;
  const source = async function* () {
    try {
      for (;;) yield await Promise.resolve(gzipSync(Buffer.alloc(100_000)));
    } finally {
      isLetGo = true;
    }
  };
  for await (const chunk of decompressed(source(), { maxBytes })) if (chunk.length > 0) break;
  await until('the source to be let go', () => isLetGo || undefined);
});

test('what fails where it is read from is not blamed on the archive', async () => {
  for (const body of [gzipSync(list), xz]) {
    const source = async function* () {
      yield await Promise.resolve(body.subarray(0, 20));
      throw new Error('the wire broke');
    };
    await assert.rejects(unpack(source()), /^Error: the wire broke$/);
  }
});
