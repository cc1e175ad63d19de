import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { processes } from '../support/proc.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';

const skip = privateNetwork();
const program = fileURLToPath(new URL('../../demo/main.js', import.meta.url));

/** Starts the demo with a temporary directory of its own and waits until it has said everything. */
async function startDemo(t: TestContext) {
  // What is registered first is undone first: the demo ends before its directory goes.
  let end = () => Promise.resolve();
  t.after(() => end());
  const directory = tempDir(t);
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, TMPDIR: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  end = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until('the demo to be ready', () => said.includes('Ctrl-C'), { within: 15_000 });
  return { child, directory, said };
}

test('the demo prints addresses that play, and Ctrl-C ends all of it and leaves nothing', {
  skip: skip || needs('ffmpeg'),
}, async (t) => {
  const { child, directory, said } = await startDemo(t);
  const addresses = [...said.matchAll(/^ {2}(\w+) {2,}(http:\S+)$/gm)].map(([, name, url]) => ({
    name,
    url: url ?? '',
  }));
  assert.deepEqual(
    addresses.map(({ name }) => name),
    ['playlist', 'Bars', 'Clock', 'Fractal'],
  );
  assert.equal(addresses[0]?.url, 'http://127.0.0.1:5140/playlist.m3u');
  for (const { url } of addresses.slice(1)) {
    const show = ['-v', 'fatal', '-show_entries', 'stream=codec_name,width', '-of', 'csv=p=0'];
    const { stdout } = spawnSync('ffprobe', [...show, url], { encoding: 'utf8', timeout: 20_000 });
    assert.match(stdout, /h264,640[\s\S]*aac/);
  }
  assert.equal(processes('weir-pump', directory).length, 1);

  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  assert.deepEqual(processes('weir-pump', directory), []);
  assert.deepEqual(readdirSync(directory), []);
});

test('the demo takes the next port when 5140 is taken', { skip }, async (t) => {
  const other = createServer().listen(5140, '127.0.0.1');
  t.after(() => void other.close());
  await once(other, 'listening');
  const { said } = await startDemo(t);
  assert.match(said, /http:\/\/127\.0\.0\.1:5141\/playlist\.m3u/);
});
