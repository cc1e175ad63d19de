import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { Log } from '../../../src/lib/log.js';
import { openGuideStore } from '../../../src/store/guide/open.js';
import { tempDir } from '../../support/temp.js';
import { guideOf, newYear, open, publish, setUp, shown } from './fixture.js';

const news = { key: 'one', start: newYear, title: 'News' };

/** What is logged as a warning. */
function warnings() {
  const lines: string[] = [];
  return { lines, log: { warn: (line: string) => lines.push(line), error: () => undefined } as unknown as Log };
}

test('the files of a new guide are readable by their owner alone, and it holds nothing', async (t) => {
  const { dir, store } = await setUp(t);
  assert.deepEqual(await store.feeds.all(), []);
  for (const file of ['guide.db', 'guide.db-wal']) assert.equal(statSync(join(dir, file)).mode & 0o777, 0o600);
});

test('a guide opened again has what was published before', async (t) => {
  const dir = tempDir(t);
  const first = await openGuideStore({ dir });
  const { channels } = await publish(first, 1, [news]);
  await Promise.all([first.close(), first.close()]);
  await assert.rejects(first.feeds.setState(1, 'idle'), { code: 'unavailable' });
  const second = await open(t, dir);
  assert.deepEqual(shown(second, channels), ['News']);
});

test('a file that is no database is moved away with one line, and an empty guide takes its place', async (t) => {
  const dir = tempDir(t);
  const rubbish = 'not a database, but long enough to be taken for one at first'.repeat(20);
  writeFileSync(join(dir, 'guide.db'), rubbish);
  const { lines, log } = warnings();
  const store = await openGuideStore({ dir, log });
  t.after(() => store.close());
  assert.deepEqual(await store.feeds.all(), []);
  assert.equal(readFileSync(join(dir, 'guide.db.broken'), 'utf8'), rubbish);
  const moved = `The guide's database was moved to ${join(dir, 'guide.db.broken')} and made anew, because it is damaged.`;
  assert.deepEqual(lines, [`${moved} All guides are fetched again.`]);
});

test('a guide of a newer version is moved away and made anew', async (t) => {
  const dir = tempDir(t);
  const raw = new Database(join(dir, 'guide.db'));
  raw.pragma('user_version = 9000');
  raw.close();
  const { lines, log } = warnings();
  const store = await openGuideStore({ dir, log });
  t.after(() => store.close());
  assert.match(lines.join('\n'), /because a newer Weir wrote it\. All guides are fetched again\.$/);
  await publish(store, 1, [news]);
  assert.equal((await store.feeds.byId(1))?.state, 'published');
});

test('damage that a write meets is said in one line, and the next start makes the guide anew', async (t) => {
  const dir = tempDir(t);
  const first = await openGuideStore({ dir });
  await publish(first, 1, guideOf('old'));
  await first.close();
  const file = join(dir, 'guide.db');
  const bytes = readFileSync(file);
  bytes.fill(0xee, 3 * 8192);
  writeFileSync(file, bytes);
  const second = await openGuideStore({ dir });
  const damaged = /^The database .*guide\.db is damaged\. Start weir again: it is made anew then/;
  await assert.rejects(publish(second, 1, guideOf('new')), { code: 'unavailable', message: damaged });
  await second.close();
  const { lines, log } = warnings();
  const third = await openGuideStore({ dir, log });
  t.after(() => third.close());
  assert.match(lines.join('\n'), /because it was damaged when it was used last/);
  assert.ok(existsSync(join(dir, 'guide.db.broken')));
  await publish(third, 1, [news]);
  assert.equal((await third.feeds.byId(1))?.state, 'published');
});

test('a path that is no directory is refused with one line that names it', async (t) => {
  const file = join(tempDir(t), 'file');
  writeFileSync(file, '');
  await assert.rejects(openGuideStore({ dir: file }), {
    code: 'unavailable',
    message: `Cannot write to the data directory ${file} (EEXIST). Give weir a directory that it may write to.`,
  });
});
