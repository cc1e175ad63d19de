import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { databaseFile } from '../../src/store/connection.js';
import { openStore } from '../../src/store/open.js';
import { until } from '../support/until.js';
import { by, look, publish, setUp } from './fixture.js';

const page = { after: null, limit: 10 };
/** More than are edited in one transaction. */
const many = 10_500;

async function setUpMany(t: TestContext) {
  const parts = await setUp(t);
  const lines = Array.from({ length: many }, (_, n) => ({ name: `Channel ${n}` }));
  return { ...parts, ...(await publish(parts.store, '/a.m3u', lines)) };
}

const hiddenCount = (dir: string) =>
  look<{ n: number }>(dir, 'SELECT count(*) AS n FROM shown_channel WHERE hidden = 1')[0]?.n;

test('an edit of more channels than one transaction takes is one change, which can be undone', async (t) => {
  const { store, dir, channels } = await setUpMany(t);
  await store.edits.editChannels({ ids: channels.slice(0, 1) }, { name: 'Named' }, by);
  const before = look(dir, 'SELECT * FROM channel_override');
  const tried = await store.edits.editChannels({ filter: {} }, { hidden: true }, { ...by, dryRun: true });
  assert.deepEqual([tried, hiddenCount(dir)], [{ change: null, rows: many }, 0]);
  const order: string[] = [];
  const edit = store.edits.editChannels({ filter: {} }, { hidden: true }, by).finally(() => order.push('edit'));
  await store.access.createToken('between').finally(() => order.push('other'));
  const { change, rows } = await edit;
  assert.deepEqual(order, ['other', 'edit']);
  assert.deepEqual([rows, hiddenCount(dir)], [many, many]);
  assert.equal(change?.summary, `set hidden of ${many} channels`);
  assert.deepEqual(
    (await store.editReads.changes(page)).items.map(({ id, rows }) => [id, rows]),
    [
      [change?.id, many],
      [1, 1],
    ],
  );
  const undone = await store.edits.undo(change?.id ?? 0, by);
  assert.deepEqual([undone.rows, hiddenCount(dir)], [many, 0]);
  assert.deepEqual(look(dir, 'SELECT * FROM channel_override'), before);
  assert.equal((await store.editReads.change(change?.id ?? 0))?.undoneBy, undone.change?.id);
});

test('a big undo that meets a channel changed since is refused, and all channels stay as they are', async (t) => {
  const { store, dir, channels } = await setUpMany(t);
  const { change } = await store.edits.editChannels({ filter: {} }, { hidden: true }, by);
  await store.edits.editChannels({ ids: channels.slice(-1) }, { name: 'Later' }, by);
  const before = look(dir, 'SELECT * FROM channel_override');
  await assert.rejects(store.edits.undo(change?.id ?? 0, by), {
    code: 'conflict',
    message: `Change 1 cannot be undone: what is set on channel ${many} was changed since. Undo the later changes first.`,
  });
  assert.deepEqual(look(dir, 'SELECT * FROM channel_override'), before);
  assert.equal(hiddenCount(dir), many);
  assert.equal((await store.editReads.changes(page)).items.length, 2);
});

test('a big edit that is killed half way is gone after the next start', async (t) => {
  const { store, dir, channels } = await setUpMany(t);
  await store.edits.editChannels({ ids: channels.slice(0, 2000) }, { number: '7' }, by);
  await store.close();
  const before = look(dir, 'SELECT * FROM channel_override');
  const script = join(dir, 'edit.mjs');
  writeFileSync(
    script,
    `const { openStore } = await import(${JSON.stringify(new URL('../../src/store/open.js', import.meta.url).href)});
    const store = await openStore({ dir: ${JSON.stringify(dir)} });
    const by = { actor: { key: null, name: 'anna' } };
    await store.edits.editChannels({ filter: {} }, { hidden: true, number: null }, by);`,
  );
  for (const rows of [1, 3000, 6000]) {
    const child = spawn(process.execPath, [script], { stdio: 'inherit' });
    const ended = new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
    const written = () => look<{ n: number }>(dir, 'SELECT count(*) AS n FROM change_row WHERE change <> 1')[0]?.n ?? 0;
    await until(`${rows} rows are written`, () => written() >= rows, { within: 60_000 });
    child.kill('SIGKILL');
    assert.equal(await ended, 'SIGKILL');
    const half = hiddenCount(dir) ?? 0;
    assert.ok(half > 0 && half < many, `${half} of ${many} were hidden when it was killed`);
    const again = await openStore({ dir });
    assert.deepEqual(
      (await again.editReads.changes(page)).items.map(({ id }) => id),
      [1],
    );
    await again.edits.recover();
    await again.close();
    assert.equal(hiddenCount(dir), 0);
    assert.deepEqual(look(dir, 'SELECT * FROM channel_override'), before);
    assert.deepEqual(look(dir, 'SELECT id FROM change'), [{ id: 1 }]);
    const raw = new Database(databaseFile(dir));
    assert.equal(raw.pragma('integrity_check', { simple: true }), 'ok');
    assert.deepEqual(raw.pragma('foreign_key_check'), []);
    raw.close();
  }
});
