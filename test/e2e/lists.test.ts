import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ask, watch } from '../support/http.js';
import { needs } from '../support/needs.js';
import { buildStreet, type Street } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { startSource } from '../support/rtp-source.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir, type Weir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.15.1';
const port = 5000;

/** A configuration of two lists that both have the same group, and more of each. */
function writeConfig(folder: string, ...more: readonly [left: string, right: string]): string {
  const lists = ['left', 'right'].map((name, index) => {
    const file = join(folder, `${name}.m3u`);
    writeFileSync(file, `#EXTM3U\n#EXTINF:-1,${name}\nrtp://${group}:${port}\n`);
    return `  - location: ${file}\n${more[index]}`;
  });
  const config = join(folder, 'weir.yaml');
  writeFileSync(config, `playlists:\n${lists.join('')}`);
  return config;
}

const on = ({ interface: name }: Street, refresh: number | null = null) =>
  `    interface: ${name}\n${refresh === null ? '' : `    membership_refresh: ${refresh}\n`}`;

/** Two streets on which the same group brings different media: tag 1 and tag 2. */
async function twoStreets(t: TestContext, first: number): Promise<[Street, Street]> {
  const streets: [Street, Street] = [buildStreet(first), buildStreet(first + 1)];
  for (const [index, { netns, hosts, close }] of streets.entries()) {
    t.after(close);
    await startSource(t, { address: group, port, netns, from: hosts[0], interface: hosts[0], tag: index + 1 });
  }
  return streets;
}

/** The path of each channel by its name. */
async function paths(weir: Weir): Promise<Map<string, string>> {
  const { body } = await ask(weir.url, '/playlist.m3u');
  const entries = body.matchAll(/,(\w+)\nhttp:\/\/[^/]+(\/\S+)/g);
  return new Map([...entries].map(([, name = '', path = '']) => [name, path]));
}

/** The tags of what a path brings. */
async function tagsOf(t: TestContext, weir: Weir, path: string | undefined): Promise<number[]> {
  const viewer = await (await watch(t, weir.url, path ?? '')).received(200);
  assert.deepEqual([viewer.status, viewer.ts.missing], [200, []]);
  viewer.close();
  return [...viewer.ts.tags];
}

test('each list is received on its own interface, and a restart with others takes effect though the lists are the same', {
  skip,
}, async (t) => {
  const [one, two] = await twoStreets(t, 1);
  const folder = tempDir(t);
  const weir = await startWeir(t, { args: ['--config', writeConfig(folder, on(one), on(two))] });
  const before = await paths(weir);
  assert.deepEqual(await tagsOf(t, weir, before.get('left')), [1]);
  assert.deepEqual(await tagsOf(t, weir, before.get('right')), [2]);
  assert.deepEqual(await tagsOf(t, weir, `${before.get('left')}?ifname=${two.interface}`), [2]);
  const interfaces = (await weir.api<{ items: { interface: string }[] }>('/api/v1/sources')).items;
  assert.deepEqual(
    interfaces.map((source) => source.interface),
    [one.interface, two.interface],
  );

  writeConfig(folder, on(two), on(one));
  const seen = weir.log.length;
  await weir.signal('SIGUSR2');
  await weir.start();
  assert.deepEqual(await paths(weir), before);
  assert.deepEqual(await tagsOf(t, weir, before.get('left')), [2]);
  assert.deepEqual(await tagsOf(t, weir, before.get('right')), [1]);
  assert.doesNotMatch(weir.log.slice(seen), /playlist published/);
});

test('membership is reported unasked for the channels of the list that says so, and for no others', {
  skip: skip || needs('tcpdump'),
}, async (t) => {
  const [quiet, reporting] = await twoStreets(t, 3);
  const captured = [quiet, reporting].map((street) => capture(t, street));
  const weir = await startWeir(t, {
    args: ['--config', writeConfig(tempDir(t), on(quiet), on(reporting, 0.2))],
  });
  const channels = await paths(weir);
  for (const name of ['left', 'right']) await (await watch(t, weir.url, channels.get(name) ?? '')).received(100);
  // IGMPv2 reports are only sent by us: the kernel speaks IGMPv3 here.
  const reports = () => captured.map((seen) => seen().match(new RegExp(`igmp v2 report ${group}`, 'g'))?.length ?? 0);
  await until('five reports', () => (reports()[1] ?? 0) >= 5);
  assert.equal(reports()[0], 0);
});

/** What tcpdump has seen of IGMP on a street so far. */
function capture(t: TestContext, { netns, interface: name }: Street): () => string {
  const command = ['netns', 'exec', netns, 'tcpdump', '-l', '-n', '-v', '-i', name, 'igmp'];
  const tcpdump = spawn('ip', command, { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => tcpdump.kill());
  let seen = '';
  tcpdump.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  return () => seen;
}
