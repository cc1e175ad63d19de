import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openLog } from '../../src/lib/log.js';
import { createLogos } from '../../src/playlist/logos/logos.js';
import { openStore } from '../../src/store/open.js';
import { addLoopbackAddress } from '../support/netns.js';
import { pictures, png } from '../support/pictures.js';
import { privateNetwork } from '../support/private-network.js';
import { serve } from '../support/server.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';

const skip = privateNetwork();
/** Loopback is refused, so the servers are elsewhere in the household. */
const address = '10.9.0.1';
const metadata = '169.254.169.254';
if (skip === false) for (const one of [address, metadata]) addLoopbackAddress(one);

type Options = Partial<Parameters<typeof createLogos>[0]> & { readonly dir?: string };

async function setUp(t: TestContext, { dir = tempDir(t), ...options }: Options = {}) {
  const store = await openStore({ dir });
  const logos = createLogos({ store: store.logos, dir, log: openLog('error'), ownPorts: [], ...options });
  await logos.start();
  const stop = async () => {
    await logos.stop();
    await store.close();
  };
  t.after(stop);
  const files = () => (statSync(join(dir, 'logos'), { throwIfNoEntry: false }) ? readdirSync(join(dir, 'logos')) : []);
  const reasonOf = (url: string) =>
    logos.get(url).then(
      () => assert.fail(`${url} has a picture`),
      (error: Error & { code: string }) => {
        assert.equal(error.code, 'not-found');
        return error.message;
      },
    );
  return { dir, logos, files, reasonOf, stop };
}

/** A server of pictures by path; it counts what is asked. */
async function serveAll(
  t: TestContext,
  answer: (path: string, response: ServerResponse, headers: IncomingHttpHeaders) => void,
) {
  const asked: string[] = [];
  const url = await serve(
    t,
    ({ url: path = '', headers }, response) => {
      asked.push(path);
      answer(path, response, headers);
    },
    { address },
  );
  return { url, asked };
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('many who ask for a picture wait for one fetch, and it is given from its file from then on', {
  skip,
}, async (t) => {
  const body = png(5000);
  const { url, asked } = await serveAll(t, (_, response) => response.end(body));
  const { logos, dir, files, stop } = await setUp(t);
  const all = await Promise.all(Array.from({ length: 20 }, () => logos.get(`${url}/a`)));
  for (const logo of all) assert.deepEqual([logo.mime, logo.size, logo.hash], ['image/png', 5000, sha256(body)]);
  assert.deepEqual(files(), [sha256(body)]);
  assert.equal(statSync(join(dir, 'logos', sha256(body))).mode & 0o777, 0o600);
  assert.deepEqual(Buffer.from(await (await logos.get(`${url}/a`)).read()), body);
  await stop();
  const again = await setUp(t, { dir });
  assert.deepEqual(Buffer.from(await (await again.logos.get(`${url}/a`)).read()), body);
  assert.deepEqual(asked, ['/a']);
});

test('four pictures are fetched at once, and no more', { skip }, async (t) => {
  const open = new Set<ServerResponse>();
  let most = 0;
  const { url, asked } = await serveAll(t, (_, response) => {
    open.add(response);
    most = Math.max(most, open.size);
  });
  const { logos } = await setUp(t);
  const all = Promise.all(Array.from({ length: 12 }, (_, n) => logos.get(`${url}/${n}`)));
  for (let done = 0; done < 12; done += 1) {
    await until('the next requests', () => open.size === Math.min(4, 12 - done));
    const [response] = open;
    if (response !== undefined) open.delete(response);
    response?.end(png(100, done));
  }
  await all;
  assert.deepEqual([most, asked.length], [4, 12]);
});

test('a picture is of the type that its bytes are, whatever its server says', { skip }, async (t) => {
  const { url } = await serveAll(t, (path, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(pictures[path.slice(1)]),
  );
  const { logos } = await setUp(t);
  for (const mime of Object.keys(pictures)) assert.equal((await logos.get(`${url}/${mime}`)).mime, mime);
});

test('what is no raster picture of at most 2 MB is refused with a reason, once for all who ask', {
  skip,
}, async (t) => {
  const bodies: Record<string, string | Buffer> = {
    '/a.svg': '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '/a.png': '\ufeff <!DOCTYPE html><title>Not found</title>',
    '/empty': '',
    '/text': 'BMX tracks',
    '/cursor': Buffer.from(`00000200${'00'.repeat(30)}`, 'hex'),
    '/video': Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
    '/large': png(2 * 1024 * 1024 + 1),
  };
  const { url, asked } = await serveAll(t, (path, response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    response.flushHeaders();
    response.end(bodies[path]);
  });
  const { reasonOf, files } = await setUp(t);
  const served = 'PNG, JPEG, GIF, WebP, AVIF, BMP and ICO are served.';
  const reasons: Record<string, string> = {
    '/a.svg': `There is no logo. It is an SVG, which could hold scripts. ${served}`,
    '/a.png': `There is no logo. It is a web page. ${served}`,
    '/empty': `There is no logo. It is empty. ${served}`,
    '/text': `There is no logo. It is no picture of a known kind. ${served}`,
    '/cursor': `There is no logo. It is no picture of a known kind. ${served}`,
    '/video': `There is no logo. It is no picture of a known kind. ${served}`,
    '/large': 'There is no logo. It is larger than 2 MB.',
  };
  for (const [path, reason] of Object.entries(reasons)) {
    assert.equal(await reasonOf(url + path), reason);
    assert.equal(await reasonOf(url + path), reason);
  }
  assert.deepEqual(asked, Object.keys(reasons));
  assert.deepEqual(files(), []);
});

test('an address at loopback, a redirect to a metadata service and our own port are refused, and not reached', {
  skip,
}, async (t) => {
  const reached: string[] = [];
  const inner = async (at: { address?: string; port?: number }) =>
    await serve(t, ({ headers }, response) => reached.push(`${headers.host}`) && response.end(png(100)), at);
  const loopback = await inner({});
  const own = await inner({ address });
  await inner({ address: metadata, port: 80 });
  const { url } = await serveAll(t, (_, response) =>
    response.writeHead(302, { location: `http://${metadata}/latest/meta-data/` }).end(),
  );
  const { reasonOf } = await setUp(t, { ownPorts: [Number(new URL(own).port)] });
  const refusal = 'There is no logo. It leads to an address of this machine or its links, which is refused.';
  for (const one of [loopback, loopback.replace('127.0.0.1', 'localhost'), `${url}/redirect`, own])
    assert.equal(await reasonOf(`${one}/logo.png`), refusal, one);
  assert.equal(await reasonOf('file:///etc/passwd'), 'There is no logo. Its address is neither http nor https.');
  assert.deepEqual(reached, []);
});

test('a failure is remembered for five minutes, then twice as long, and as long as the server asks', {
  skip,
}, async (t) => {
  const { url, asked } = await serveAll(t, (path, response) =>
    response.writeHead(503, path === '/wait' ? { 'retry-after': '3600' } : {}).end(),
  );
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  const { reasonOf } = await setUp(t);
  const countAfter = async (path: string, seconds: number) => {
    t.mock.timers.setTime(Date.now() + seconds * 1000);
    assert.equal(await reasonOf(url + path), 'There is no logo. The server answered 503.');
    return asked.filter((one) => one === path).length;
  };
  const counts = [];
  for (const seconds of [0, 299, 1, 599, 1, 1199, 1]) counts.push(await countAfter('/a', seconds));
  assert.deepEqual(counts, [1, 1, 2, 2, 3, 3, 4]);
  assert.equal(await countAfter('/wait', 0), 1);
  assert.equal(await countAfter('/wait', 3599), 1);
  assert.equal(await countAfter('/wait', 1), 2);
});

test('after a week a picture is given at once and asked for again meanwhile: the same, another one, or none', {
  skip,
}, async (t) => {
  const [first, second] = [png(100, 1), png(100, 2)];
  let state: 'first' | 'second' | 'gone' = 'first';
  let seen: IncomingHttpHeaders = {};
  const { url, asked } = await serveAll(t, (_, response, headers) => {
    seen = headers;
    if (state === 'gone') response.writeHead(404).end();
    else if (headers['if-none-match'] === `"${state}"`) response.writeHead(304).end();
    else response.writeHead(200, { etag: `"${state}"` }).end(state === 'first' ? first : second);
  });
  const week = 7 * 24 * 3600 * 1000;
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  const { logos, dir, stop } = await setUp(t);
  const hash = async () => (await logos.get(url)).hash;
  const pass = (milliseconds: number) => t.mock.timers.setTime(Date.now() + milliseconds);
  assert.equal(await hash(), sha256(first));
  pass(week - 1000);
  assert.equal(await hash(), sha256(first));
  assert.equal(asked.length, 1);

  pass(1000);
  assert.equal(await hash(), sha256(first));
  await until('it to be asked for again', () => asked.length === 2);
  assert.equal(seen['if-none-match'], '"first"');
  pass(week);
  state = 'second';
  assert.equal(await hash(), sha256(first));
  await until('the other one', async () => (await hash()) === sha256(second));
  pass(week);
  state = 'gone';
  const before = asked.length;
  assert.equal(await hash(), sha256(second));
  await until('it to be asked for again', () => asked.length > before);
  await stop();
  const again = await setUp(t, { dir });
  assert.equal((await again.logos.get(url)).hash, sha256(second));
});

test('the oldest pictures make room for new ones, and files that belong to nothing go at the next start', {
  skip,
}, async (t) => {
  const { url, asked } = await serveAll(t, (path, response) => response.end(png(1000, Number(path.slice(1)))));
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  const { logos, dir, files, stop } = await setUp(t, { maxBytes: 10_000 });
  for (let n = 0; n < 11; n += 1) {
    t.mock.timers.setTime(Date.now() + 1000);
    await logos.get(`${url}/${n}`);
  }
  const hashes = (numbers: number[]) => numbers.map((n) => sha256(png(1000, n))).sort();
  assert.deepEqual(files().sort(), hashes([2, 3, 4, 5, 6, 7, 8, 9, 10]));
  await logos.get(`${url}/1`);
  assert.equal(asked.length, 12);
  await stop();
  writeFileSync(join(dir, 'logos', `${sha256(png(1000, 0))}.cafe`), 'cut off');
  truncateSync(join(dir, 'logos', sha256(png(1000, 7))), 10);
  const again = await setUp(t, { dir });
  assert.equal(again.files().length, 10);
  assert.equal((await (await again.logos.get(`${url}/7`)).read()).length, 1000);
  assert.equal(readFileSync(join(dir, 'logos', sha256(png(1000, 7)))).length, 1000);
  assert.equal(asked.length, 13);
});

test('a picture in a data: address is its bytes, if they are a raster picture', { skip }, async (t) => {
  const { logos, reasonOf, files } = await setUp(t);
  const body = png(300, 200);
  const encoded = [...body].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  for (const url of [
    `data:image/svg+xml;base64,${body.toString('base64')}`,
    `data:;base64,${encodeURIComponent(body.toString('base64'))}`,
    `data:image/png,${encoded}`,
  ]) {
    const logo = await logos.get(url);
    assert.deepEqual([logo.mime, logo.hash, Buffer.from(await logo.read())], ['image/png', sha256(body), body]);
  }
  assert.match(await reasonOf('data:image/png,<svg onload="alert(1)"/>'), /It is an SVG/);
  assert.match(await reasonOf('data:image/png;base64'), /has no comma/);
  assert.match(await reasonOf(`data:;base64,${png(2 * 1024 * 1024 + 1).toString('base64')}`), /larger than 2 MB/);
  assert.deepEqual(files(), []);
});

test('a server that does not answer in time is left alone for a minute, also for its other pictures', {
  skip,
}, async (t) => {
  let isUp = false;
  const { url, asked } = await serveAll(t, (_, response) => isUp && response.end(png(100)));
  t.mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
  const { logos, reasonOf } = await setUp(t, { timeout: 200 });
  assert.equal(await reasonOf(`${url}/a`), 'There is no logo. No whole answer within 0.2 s.');
  isUp = true;
  assert.match(await reasonOf(`${url}/b`), /asked again in a minute\.$/);
  assert.deepEqual(asked, ['/a']);
  t.mock.timers.setTime(Date.now() + 60_000);
  assert.equal((await logos.get(`${url}/b`)).size, 100);
});
