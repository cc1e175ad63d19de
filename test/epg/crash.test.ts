import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { evenly, home, look, xmltv } from './set-up.js';

const program = fileURLToPath(new URL('./import-process.js', import.meta.url));
const names = Array.from({ length: 300 }, (_, n) => `ch${n}.de`);
const lines = names.map((name) => ({ name }));
const guideOf = (title: string) =>
  xmltv(Object.fromEntries(names.map((name) => [name, evenly(`${title} ${name}`, 48)])));

test('a process killed in the middle of a pass leaves the last guide whole, and the next start takes the new one', async (t) => {
  const dir = tempDir(t);
  const file = join(dir, 'guide.xml');
  const write = (text: string) => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  write(guideOf('old'));
  const first = await home(t, { dir, guides: [file], lines, linked: names });
  const before = first.whole();
  await first.stop();
  write(guideOf('new'));

  const child = spawn(process.execPath, [program, dir, file, String(names.length)], { stdio: 'ignore' });
  const staged = () =>
    look<{ rows: number }>(dir, 'SELECT count(*) AS rows FROM programme p, feed f WHERE p.added > f.snapshot')[0]?.rows;
  await until('airings are staged', () => Number(staged()) > 1000, { within: 60_000 });
  child.kill('SIGKILL');
  const exit: unknown[] = await once(child, 'exit');
  assert.equal(exit[1], 'SIGKILL');
  assert.deepEqual(
    look(dir, 'SELECT state FROM snapshot ORDER BY id'),
    [{ state: 'published' }, { state: 'staged' }],
    'it was in the middle of it',
  );

  const offline = await home(t, { dir, guides: [file], lines, start: false });
  assert.deepEqual(offline.whole(), before);
  assert.equal(staged(), 0, 'what was staged is removed');
  await offline.stop();

  const last = await home(t, { dir, guides: [file], lines, linked: names });
  await until('the new guide is published', () => last.shown('ch299.de')[0] === 'new ch299.de 0@0', { within: 60_000 });
  assert.equal(last.shown('ch0.de').length, 48);
});

test('a stop in the middle of a pass ends it, and the last guide stays', async (t) => {
  const dir = tempDir(t);
  const file = join(dir, 'guide.xml');
  writeFileSync(file, guideOf('old'));
  const house = await home(t, { dir, guides: [file], lines, linked: names });
  const before = house.whole();
  writeFileSync(`${file}.new`, guideOf('new'));
  renameSync(`${file}.new`, file);
  const refresh = house.guides.refreshAll();
  await until('the pass runs', async () => (await house.feed())?.state === 'staging', { within: 60_000 });
  await house.guides.stop();
  await refresh;
  assert.deepEqual(house.whole(), before);
});
