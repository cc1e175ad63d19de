import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openGuideStore } from '../../../src/store/guide/open.js';
import { tempDir } from '../../support/temp.js';
import { countOf, day, guideOf, look, newYear, open, publish, shown } from './fixture.js';

const program = fileURLToPath(new URL('./kill-process.js', import.meta.url));

/** A directory whose guide was published whole, and what it shows. */
async function published(t: TestContext) {
  const dir = tempDir(t);
  const store = await openGuideStore({ dir });
  const { channels } = await publish(store, 1, guideOf('old'));
  const titles = shown(store, channels);
  await store.close();
  return { dir, channels, titles };
}

/** Runs a process until it has done a step, and kills it. */
async function killAt(dir: string, step: string): Promise<void> {
  const child = spawn(process.execPath, [program, dir, step], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  const exit: unknown[] = await once(child, 'exit');
  assert.equal(exit[1], 'SIGKILL');
}

function content(dir: string) {
  return {
    programmes: look(dir, 'SELECT * FROM programme ORDER BY channel, start, stop, hash'),
    texts: look(dir, 'SELECT * FROM text ORDER BY id'),
    titles: look(dir, 'SELECT * FROM title ORDER BY id'),
    indexed: look(dir, 'SELECT * FROM title_text ORDER BY title, text'),
    listed: look(dir, 'SELECT * FROM listed_channel ORDER BY snapshot, channel'),
    snapshots: look(dir, 'SELECT * FROM snapshot'),
    feeds: look(dir, 'SELECT * FROM feed'),
  };
}

const steps = {
  begun: 'a pass has begun',
  texts: 'a text is staged without its airing',
  airings: 'an airing is staged without its text',
  staged: 'all of a pass is staged',
  indexed: 'the titles of a pass are half indexed',
  undone: 'a pass is half undone',
};
for (const [step, what] of Object.entries(steps)) {
  test(`a process killed when ${what} leaves the guide as it was, and nothing of the pass`, async (t) => {
    const { dir, channels, titles } = await published(t);
    const before = content(dir);
    await killAt(dir, step);
    assert.equal(countOf(dir, "snapshot WHERE state = 'staged'"), 1);
    const store = await open(t, dir);
    assert.deepEqual(shown(store, channels), titles);
    await store.recover();
    assert.deepEqual(content(dir), before);
    assert.equal(before.indexed.length, before.texts.length);
    const { texts } = await publish(store, 1, guideOf('new'));
    assert.equal(texts, 6000);
  });
}

test('a process killed while it prunes goes on with it the next time', async (t) => {
  const { dir, channels } = await published(t);
  await killAt(dir, 'pruned');
  const left = countOf(dir, 'programme');
  assert.ok(left > 0 && left < 12_000, `${left} programmes are left`);
  assert.equal(countOf(dir, 'text'), left);
  const store = await open(t, dir);
  await store.recover();
  assert.equal(shown(store, channels).length, left);
  await store.prune(new Map(channels.map((channel) => [channel, day])), newYear + 2 ** 30);
  assert.deepEqual([countOf(dir, 'programme'), countOf(dir, 'text'), countOf(dir, 'title')], [0, 0, 0]);
});

test('a process killed while it forgets a source has forgotten it, and the next start drops the rest', async (t) => {
  const { dir, channels } = await published(t);
  await killAt(dir, 'forgotten');
  assert.ok(countOf(dir, 'programme') > 0);
  const store = await open(t, dir);
  assert.deepEqual(shown(store, channels), []);
  await store.recover();
  const left = ['programme', 'text', 'title', 'guide_channel', 'feed'];
  assert.deepEqual(
    left.map((table) => countOf(dir, table)),
    [0, 0, 0, 0, 0],
  );
});

test('a source that was being fetched when weir ended is as it was before', async (t) => {
  const { dir } = await published(t);
  const first = await openGuideStore({ dir });
  await first.feeds.setState(1, 'fetching');
  await first.feeds.setState(2, 'staging', 'It is being read.');
  await first.close();
  const store = await open(t, dir);
  await store.recover();
  const feeds = await store.feeds.all();
  assert.deepEqual(
    feeds.map(({ state, reason }) => [state, reason]),
    [
      ['published', null],
      ['idle', null],
    ],
  );
});
