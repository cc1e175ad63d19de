import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createPublishedLists } from '../../src/playlist/publish.js';
import { by, type Line, publish, setUp } from '../store/fixture.js';
import { seeded } from '../support/random.js';

const base = 'http://10.0.0.1:4022';
/** Each list is cut into several parts. */
const count = 2300;
const locations = ['http://one.example/a.m3u', 'http://two.example/a.m3u'];

function linesOf(location: string, entries: readonly number[] = []): Line[] {
  const host = new URL(location).hostname;
  return Array.from({ length: count }, (_, n) => ({
    name: `${host} ${n}`,
    groups: [`Group ${n % 20}`],
    ...(n % 3 === 0 ? { url: `http://${host}/${n}.ts?token=x` } : {}),
    ...(entries[n] === undefined ? {} : { entry: entries[n] }),
  }));
}

/** A store with two lists that publish their provider's addresses, and what is published of it. */
async function published(t: TestContext) {
  const { store } = await setUp(t);
  const sources: { location: string; id: number; entries: number[]; channels: number[] }[] = [];
  for (const location of locations) {
    const { id } = await store.sources.add({ kind: 'url', location, publishDirect: true }, by);
    sources.push({ location, id, ...(await publish(store, location, linesOf(location))) });
  }
  let lists = createPublishedLists({ store });
  t.after(() => lists.close());
  const get = async (at = base, lineup: string | null = null, format: 'm3u' | 'txt' = 'm3u') => {
    const list = await lists.get({ format, profile: 'generic', lineup, base: at });
    return { ...list, text: readFileSync(list.path, 'utf8') };
  };
  const restart = () => {
    lists.close();
    lists = createPublishedLists({ store });
  };
  return { store, sources, channels: sources.flatMap(({ channels }) => channels), get, restart };
}

const changedLines = (one: string, other: string) => {
  const before = new Set(one.split('\n'));
  return other.split('\n').filter((line) => !before.has(line));
};

test('an edit of one channel changes its line and the ETag, and to take it back gives the same ETag again', async (t) => {
  const { store, channels, get } = await published(t);
  const first = await get();
  assert.equal(first.text.split('\n').filter((line) => line.startsWith('#EXTINF')).length, 2 * count);
  assert.equal(first.bytes, Buffer.byteLength(first.text));
  await store.edits.editChannels({ ids: [channels[1500] ?? 0] }, { name: 'Edited' }, by);
  const edited = await get();
  const [line = '', ...more] = changedLines(first.text, edited.text);
  assert.deepEqual(more, []);
  assert.match(line, /,Edited$/);
  assert.notEqual(edited.etag, first.etag);
  await store.edits.editChannels({ ids: [channels[1500] ?? 0] }, { name: null }, by);
  const again = await get();
  assert.deepEqual([again.etag, again.text], [first.etag, first.text]);
});

test('what did not change is copied from the file that was written before, and written anew when that is gone', async (t) => {
  const { store, channels, get } = await published(t);
  const first = await get();
  const marked = first.text.replace(',two.example 2200\n', ',TWO.EXAMPLE 2200\n');
  assert.notEqual(marked, first.text);
  writeFileSync(first.path, marked);
  await store.edits.editChannels({ ids: [channels[0] ?? 0] }, { name: 'Edited' }, by);
  const second = await get();
  assert.deepEqual(
    changedLines(marked, second.text).map((line) => line.split(',').at(-1)),
    ['Edited'],
  );
  rmSync(second.path);
  await store.edits.editChannels({ ids: [channels[0] ?? 0] }, { name: null }, by);
  const third = await get();
  assert.deepEqual([third.etag, third.text], [first.etag, first.text]);
});

test('a list is the same, with the same ETag, after a restart and after the same list was published again', async (t) => {
  const { store, sources, get, restart } = await published(t);
  const first = await get();
  restart();
  const restarted = await get();
  assert.deepEqual([restarted.etag, restarted.text], [first.etag, first.text]);
  for (const { location, entries } of sources) await publish(store, location, linesOf(location, entries));
  const renewed = await get();
  assert.notEqual(renewed.path, restarted.path);
  assert.deepEqual([renewed.etag, renewed.text], [first.etag, first.text]);
});

test('when the source of a merged channel is removed, the other entry of it stands in its own place', async (t) => {
  const { store, sources, channels, get } = await published(t);
  const [kept = 0, taken = 0] = [channels[10], channels[count + 1200]];
  await store.edits.mergeChannels(kept, [taken], by);
  const merged = await get();
  assert.ok(merged.text.includes(',one.example 10\n') && !merged.text.includes(',two.example 1200\n'));
  await store.sources.remove(sources[0]?.id ?? 0, by);
  const { text } = await get();
  const { key } = (await store.channels.byId(kept)) ?? { key: '' };
  const [before, after] = [',two.example 1199\n', ',two.example 1201\n'].map((line) => text.indexOf(line));
  const own = text.indexOf(key);
  assert.ok(before !== undefined && after !== undefined && before > 0 && before < own && own < after);
});

test('addresses of providers leave the list when their source does not publish them any more, and come back', async (t) => {
  const { store, sources, get } = await published(t);
  const first = await get();
  const [{ id } = { id: 0 }] = sources;
  await store.sources.update(id, { publishDirect: false }, by);
  const without = await get();
  assert.ok(first.text.includes('http://one.example/3.ts'));
  assert.ok(!without.text.includes('http://one.example/') && without.text.includes('http://two.example/3.ts'));
  await store.sources.update(id, { publishDirect: true }, by);
  assert.equal((await get()).etag, first.etag);
});

for (const seed of [1, 2, 3]) {
  test(`after any edits a list equals one that is written from nothing (seed ${seed})`, async (t) => {
    const { store, sources, channels, get, restart } = await published(t);
    await store.edits.createLineup({ slug: 'some', name: 'Some', filter: { group: 'Group 7' } }, by);
    const random = seeded(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const edit = (patch: Parameters<typeof store.edits.editChannels>[1]) =>
      store.edits.editChannels({ ids: [pick(channels)] }, patch, by);
    const steps: Record<string, () => Promise<unknown>> = {
      renamed: () => edit({ name: `New ${random()}` }),
      numbered: () => edit({ number: `${Math.floor(random() * 100)}` }),
      hidden: () => edit({ hidden: random() < 0.7 }),
      moved: () => edit({ order: Math.floor(random() * 10) }),
      'many moved back': () => store.edits.editChannels({ filter: { group: 'Group 3' } }, { order: null }, by),
      merged: () => store.edits.mergeChannels(pick(channels), [pick(channels)], by),
      undone: async () => {
        const { items } = await store.editReads.changes({ after: null, limit: 5 });
        await store.edits.undo(pick(items.filter(({ summary }) => !summary.includes('line-up'))).id, by);
      },
      'addresses published or not': () => store.sources.update(pick(sources).id, { publishDirect: random() < 0.5 }, by),
      'source removed': () => store.sources.remove(pick(sources).id, by),
      'source added again': () => {
        const { location } = pick(sources);
        return store.sources.add({ kind: 'url', location, publishDirect: random() < 0.8 }, by);
      },
      'list replaced': () => {
        const { location, entries } = pick(sources);
        const from = Math.floor(random() * count);
        return publish(store, location, linesOf(location, entries).toSpliced(from, random() < 0.5 ? 1 : 300));
      },
    };
    const seen = new Map<string, string>();
    for (let step = 0; step < 30; step += 1) {
      const [what, take] = pick(Object.entries(steps));
      // What is gone, merged already or changed since is refused: that is no matter of lists.
      await take().catch(() => undefined);
      const fresh = `http://10.0.0.2:${5000 + step}`;
      for (const [lineup, format] of [
        [null, 'm3u'],
        ['some', 'm3u'],
        [null, 'txt'],
      ] as const) {
        const [now, anew] = [await get(base, lineup, format), await get(fresh, lineup, format)];
        assert.equal(
          now.text,
          anew.text.replaceAll(fresh, base),
          `${lineup ?? 'all'}.${format}, step ${step}: ${what}`,
        );
        assert.equal(seen.get(now.etag) ?? now.text, now.text);
        seen.set(now.etag, now.text);
      }
    }
    const last = await get();
    restart();
    const again = await get();
    assert.deepEqual([again.etag, again.text], [last.etag, last.text]);
  });
}
