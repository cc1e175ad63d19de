import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { until } from '../support/until.js';
import { household, m3u, many } from './set-up.js';

const program = fileURLToPath(new URL('./import-process.js', import.meta.url));

test('a process killed in the middle of an import leaves the last published list, and the next start imports the new one', async (t) => {
  const first = await household(t, { list: m3u(['Channel 1', 1], ['Channel 2', 2]) });
  const before = await first.keys();
  await first.stop();
  first.write(many(30_000));

  const child = spawn(process.execPath, [program, first.dir], { stdio: 'ignore' });
  const raw = new Database(join(first.dir, 'weir.db'), { readonly: true });
  t.after(() => raw.close());
  const staged = raw
    .prepare('SELECT 250 * count(*) FROM snapshot_page WHERE snapshot NOT IN (SELECT snapshot FROM source)')
    .pluck();
  await until('entries are staged', () => Number(staged.get()) > 1000, { within: 30_000 });
  child.kill('SIGKILL');
  const exit: unknown[] = await once(child, 'exit');
  assert.equal(exit[1], 'SIGKILL');
  assert.equal(raw.prepare('SELECT state FROM source').pluck().get(), 'staging');
  assert.ok(Number(staged.get()) > 1000);

  const offline = await household(t, { dir: first.dir, sources: [] });
  assert.deepEqual(await offline.keys(), before);
  await offline.stop();
  assert.equal(staged.get(), 0, 'what was staged is removed');
  assert.equal(raw.prepare('SELECT count(*) FROM channel').pluck().get(), 2);
  assert.equal(raw.prepare('SELECT count(*) FROM entry').pluck().get(), 2);

  const last = await household(t, { dir: first.dir });
  await until('the new list is published', async () => (await last.status())?.channels === 30_000, { within: 30_000 });
  const after = await last.keys();
  assert.deepEqual(
    [after.get('Channel 1'), after.get('Channel 2')],
    [before.get('Channel 1'), before.get('Channel 2')],
  );
});

test('a stop in the middle of an import ends it, and the last published list stays', async (t) => {
  const home = await household(t, { list: m3u(['Channel 1', 1]) });
  const before = await home.channels();
  home.write(many(30_000));
  const refresh = home.playlists.refreshAll();
  await until('the import runs', async () => (await home.status())?.state === 'staging', { within: 30_000 });
  await home.playlists.stop();
  await refresh;
  assert.deepEqual(await home.channels(), before);
});

test('a rule that was changed just before a crash shows after the next start, though the list is the same', async (t) => {
  const home = await household(t, { list: m3u(['DE: A', 1], ['B', 2]) });
  const rename = { match: { field: 'name', pattern: '^DE: ' }, action: { kind: 'rename', replacement: '' } } as const;
  const by = { actor: { key: null, name: 'test' } };
  await home.store.edits.createRule({ ...rename, position: 1, enabled: true, source: null }, by);
  await home.stop();
  const again = await household(t, { dir: home.dir });
  assert.deepEqual([...(await again.keys()).keys()], ['A', 'B']);
  assert.equal((await again.status())?.state, 'published');
});
