import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUp } from './fixture.js';

test('a job waits, runs, makes progress and is done with its result', async (t) => {
  const { store } = await setUp(t);
  const waiting = await store.jobs.create('refresh', 7);
  assert.deepEqual([waiting.state, waiting.subject, waiting.progress, waiting.startedAt], ['waiting', 7, 0, null]);
  const running = await store.jobs.start(waiting.id);
  assert.equal(running.state, 'running');
  assert.equal(typeof running.startedAt, 'number');
  assert.equal((await store.jobs.progress(waiting.id, 0.25)).progress, 0.25);
  const done = await store.jobs.finish(waiting.id, { added: [1, 'x'] });
  assert.deepEqual([done.state, done.progress, done.result, done.reason], ['done', 1, { added: [1, 'x'] }, null]);
  assert.deepEqual(await store.jobs.byId(waiting.id), done);
  await assert.rejects(store.jobs.start(99), { code: 'not-found' });
  assert.equal(await store.jobs.byId(99), null);
});

test('a job that fails keeps its reason', async (t) => {
  const { store } = await setUp(t);
  const { id } = await store.jobs.create('rules', null);
  const failed = await store.jobs.fail(id, 'The list is empty.');
  assert.deepEqual([failed.state, failed.reason, failed.result], ['failed', 'The list is empty.', null]);
});

test('what a crash left waiting or running is failed with a reason, what had ended stays', async (t) => {
  const { store } = await setUp(t);
  const [waiting, running, done] = [
    await store.jobs.create('refresh', 1),
    await store.jobs.create('refresh', 2),
    await store.jobs.create('refresh', 3),
  ];
  await store.jobs.start(running.id);
  const ended = await store.jobs.finish(done.id, null);
  await store.jobs.recover();
  for (const { id } of [waiting, running]) {
    const job = await store.jobs.byId(id);
    assert.deepEqual([job?.state, job?.reason], ['failed', 'Weir ended before this was done. Ask for it again.']);
  }
  assert.deepEqual(await store.jobs.byId(done.id), ended);
});

test('the last 200 jobs are kept, and those that go on', async (t) => {
  const { store } = await setUp(t);
  const going = await store.jobs.create('rules', null);
  for (let count = 0; count < 250; count += 1) {
    const { id } = await store.jobs.create('refresh', 1);
    await store.jobs.finish(id, null);
  }
  const first = await store.jobs.list({ after: null, limit: 150 });
  const rest = await store.jobs.list({ after: first.next, limit: 150 });
  assert.deepEqual([first.items.length, rest.items.length, rest.next], [150, 51, null]);
  assert.deepEqual([first.items[0]?.id, rest.items.at(-1)?.id], [going.id + 250, going.id]);
});
