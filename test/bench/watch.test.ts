import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type Server, type Socket } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { buildTools, tool } from '../../bench/contenders.js';
import { watchReport } from '../../bench/session.js';
import { needs } from '../support/needs.js';

const skip = needs('compiler');
const run = promisify(execFile);

before(() => {
  if (skip === false) buildTools();
});

/** A packet of the test stream's video: the start of a picture, of a random-access one, or neither. */
function video(counter: number, kind: 'random-access' | 'picture' | 'rest'): Buffer {
  const packet = Buffer.alloc(188, 0x55);
  packet.set([
    0x47,
    kind === 'rest' ? 0x01 : 0x41,
    0x00,
    0x30 | (counter & 15),
    1,
    kind === 'random-access' ? 0x40 : 0,
  ]);
  packet.writeBigInt64LE(1n, 180);
  return packet;
}

/** A server of one body: what `answer` writes to each client that has asked. */
async function serve(t: TestContext, answer: (client: Socket) => void): Promise<number> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => undefined).once('data', () => answer(client));
  });
  t.after(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return portOf(server);
}

function portOf(server: Server): number {
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

async function watch(port: number, ...rest: string[]) {
  const { stdout } = await run(tool('watch'), ['--port', String(port), ...rest]);
  return watchReport.parse(JSON.parse(stdout)).viewers;
}

const head = 'HTTP/1.1 200 OK\r\n\r\n';

test('a picture counts when the next one begins, at the time its own last byte came, and the viewer leaves', {
  skip,
}, async (t) => {
  let between = 0n;
  const port = await serve(t, (client) => {
    client.write(Buffer.concat([Buffer.from(head), video(0, 'picture'), video(1, 'random-access'), video(2, 'rest')]));
    // The next picture is due a little later, as in a stream.
    setTimeout(() => {
      between = process.hrtime.bigint();
      client.write(video(3, 'picture'));
    }, 200);
  });
  const [viewer] = await watch(port, '--until', 'picture', '/a');
  assert.ok(viewer !== undefined && viewer.picture > 0, 'no picture was seen');
  assert.ok(BigInt(viewer.picture) < between, 'it was timed by the start of the next one');
  assert.equal(viewer.bytes, 4 * 188);
});

test('a random-access picture that lost a packet does not count, and the next one does', { skip }, async (t) => {
  const port = await serve(t, (client) => {
    const lossy = [video(0, 'random-access'), video(2, 'rest'), video(3, 'picture')];
    const whole = [video(4, 'random-access'), video(5, 'picture')];
    client.write(Buffer.concat([Buffer.from(head), ...lossy, ...whole]));
    client.end();
  });
  const [viewer] = await watch(port, '--until', 'picture', '/a');
  assert.ok(viewer !== undefined && viewer.picture > 0);
  const other = await serve(t, (client) => {
    client.end(Buffer.concat([Buffer.from(head), video(0, 'random-access'), video(2, 'rest'), video(3, 'picture')]));
  });
  assert.equal((await watch(other, '--until', 'picture', '/a'))[0]?.picture, 0);
});

test('viewers that are refused are reported with status 0, and those that are turned away with theirs', {
  skip,
}, async (t) => {
  const port = await serve(t, (client) => client.end('HTTP/1.1 503 Service Unavailable\r\n\r\n'));
  assert.deepEqual(
    (await watch(port, '/a', '/b')).map(({ status }) => status),
    [503, 503],
  );
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, '127.0.0.1', resolve));
  const free = portOf(nobody);
  await new Promise((resolve) => nobody.close(resolve));
  assert.equal((await watch(free, '/a'))[0]?.status, 0);
});

test('two hundred viewers who ask at once a server whose backlog holds eight are all answered in the end', {
  skip,
}, async (t) => {
  const server = createServer((client) => client.once('data', () => client.end(`${head}x`)));
  t.after(() => server.close());
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 8 }, resolve));
  const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
  const viewers = await watch(portOf(server), ...paths);
  assert.equal(viewers.filter(({ status, bytes }) => status === 200 && bytes === 1).length, 200);
});
