import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { household, m3u } from './set-up.js';

type Answer = { status: number; headers?: { etag?: string; 'retry-after'?: string }; body?: string };

/** A provider whose next answer can be set; it knows how often it sent a whole list. */
async function provider(t: TestContext) {
  const state: { answer: Answer; sent: number } = { answer: { status: 200, body: m3u(['A', 1]) }, sent: 0 };
  const server = createServer((request, response) => {
    const { status, headers = {}, body = '' } = state.answer;
    if (headers.etag !== undefined && request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304).end();
      return;
    }
    state.sent += 1;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { state, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a list at an address is published, and fetched in whole only when it changed', async (t) => {
  const { state, host } = await provider(t);
  state.answer = { status: 200, headers: { etag: '"1"' }, body: m3u(['A', 1]) };
  const home = await household(t, { sources: [`http://${host}/list.m3u`] });
  assert.deepEqual([...(await home.keys()).keys()], ['A']);
  await home.playlists.refreshAll();
  assert.equal(state.sent, 1);
  assert.equal((await home.status())?.state, 'published');
  state.answer = { status: 200, headers: { etag: '"2"' }, body: m3u(['A', 1], ['B', 2]) };
  await home.playlists.refreshAll();
  assert.deepEqual([...(await home.keys()).keys()], ['A', 'B']);
});

test('M34: an answer 429 leaves the last good list in service and says why', async (t) => {
  const { state, host } = await provider(t);
  const home = await household(t, { sources: [`http://${host}/list.m3u`] });
  const before = await home.channels();
  state.answer = { status: 429, headers: { 'retry-after': '30' } };
  await home.playlists.refreshAll();
  const status = await home.status();
  assert.deepEqual([status?.state, status?.reason], ['failed', 'The server answered 429.']);
  assert.deepEqual(await home.channels(), before);
});

test('a refused list is asked for in whole again, because what is at hand is the one before it', async (t) => {
  const { state, host } = await provider(t);
  state.answer = { status: 200, headers: { etag: '"1"' }, body: m3u(['A', 1]) };
  const home = await household(t, { sources: [`http://${host}/list.m3u`] });
  state.answer = { status: 200, headers: { etag: '"2"' }, body: '<html></html>' };
  await home.playlists.refreshAll();
  await home.playlists.refreshAll();
  assert.equal(state.sent, 3);
  assert.equal((await home.status())?.state, 'quarantined');
});

test('credentials of an address stand neither in a reason nor in the log', async (t) => {
  const { state, host } = await provider(t);
  const home = await household(t, { sources: [`http://me:s3cret@${host}/get.php?username=me&password=s3cret`] });
  state.answer = { status: 500 };
  await home.playlists.refreshAll();
  assert.equal(home.lines.length, 2);
  assert.equal(home.lines[1]?.source, `http://${host}/get.php?…`);
  assert.ok(!JSON.stringify([home.lines, (await home.status())?.reason]).includes('s3cret'));
});
