import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBatch, type SliceBatch } from '../../../src/epg/read/parse-batch.js';
import { createParsePool } from '../../../src/epg/read/parse-pool.js';
import type { ProgrammeContent } from '../../../src/model/programme.js';
import type { PackedTexts } from '../../../src/store/guide/contract.js';
import { openGuideStore } from '../../../src/store/guide/open.js';
import { tempDir } from '../../support/temp.js';
import { programme } from './cases.js';

const options = { timeZone: null, encoding: null, declared: 'UTF-8' };

function batchOf(contents: readonly string[], firstText: number): SliceBatch {
  const slices = contents.map((content) => Buffer.from(programme(1, content)));
  let end = 0;
  return {
    bytes: new Uint8Array(Buffer.concat(slices)),
    ends: Uint32Array.from(slices, ({ length }) => {
      end += length;
      return end;
    }),
    texts: Float64Array.from(slices, (_, index) => firstText + index),
    offsets: Float64Array.from(slices, (_, index) => 1000 * (firstText + index)),
  };
}

function contentsIn({ ids, bodies, ends }: PackedTexts): [number, ProgrammeContent][] {
  return [...ids].map((id, index) => {
    const body = bodies.subarray(ends[index - 1] ?? 0, ends[index]);
    return [id, JSON.parse(Buffer.from(body).toString()) as ProgrammeContent];
  });
}

test('slices that can be read are packed under their ids, the others are told with their place', () => {
  const contents = [
    '<title>Zoë</title>',
    '<title>One<date></title>',
    '<desc>No title</desc>',
    '<title lang="de">日本</title><x/>',
  ];
  const { texts, unreadable, problems } = parseBatch(batchOf(contents, 7), options);
  assert.deepEqual(contentsIn(texts), [
    [7, { titles: [{ text: 'Zoë', lang: null }] }],
    [10, { titles: [{ text: '日本', lang: 'de' }] }],
  ]);
  assert.deepEqual(texts.titles, ['Zoë', '日本']);
  assert.deepEqual(
    unreadable.map(({ text, problem }) => [text, problem.code, problem.offset]),
    [
      [8, 'bad-nesting', 8000],
      [9, 'no-title', 9000],
    ],
  );
  assert.deepEqual(
    problems.map(({ code, offset, count }) => [code, offset, count]),
    [['unknown-element', 10_000, 1]],
  );
});

test('references that become more bytes than they were leave room for all', () => {
  const { texts } = parseBatch(
    batchOf(['<title>&lt;</title>', `<title>${'&#9;&le;'.repeat(3000)}</title>`], 1),
    options,
  );
  assert.deepEqual(
    texts.titles.map(({ length }) => length),
    [1, 5999],
  );
  assert.equal(contentsIn(texts)[1]?.[1].titles[0]?.text.length, 5999);
});

test('texts that are parsed in threads are in the guide once it is published', async (t) => {
  const dir = tempDir(t);
  const store = await openGuideStore({ dir });
  t.after(() => store.close());
  const body = { file: null, hash: 'h', etag: null, lastModified: null };
  const { snapshot, nextText } = await store.stage.begin({ source: 1, listing: null, body });
  const pool = createParsePool({ dir, snapshot, ports: [store.connect(), store.connect()], ...options });
  const batches = 40;
  const each = 50;
  for (let at = 0; at < batches; at += 1) {
    const contents = Array.from({ length: each }, (_, index) => `<title>T${at * each + index}</title>`);
    if (at === 3) contents[0] = '<title>Broken<x></title>';
    if (at === 30) contents[5] = '<title>Six &foo;</title>';
    await pool.send(batchOf(contents, nextText + at * each));
  }
  const { unreadable, problems } = await pool.end();
  const broken = nextText + 3 * each;
  assert.deepEqual(
    unreadable.map(({ text, problem }) => [text, problem.code]),
    [[broken, 'bad-nesting']],
  );
  assert.deepEqual(
    problems.map(({ code, count }) => [code, count]),
    [['unknown-entity', 1]],
  );
  await store.stage.dropTexts(snapshot, [broken]);
  const [channel = 0] = await store.stage.channelIds(1, [{ key: 'a', guideId: 'a' }]);
  const rows = Array.from({ length: batches * each }, (_, index) => [
    channel,
    3600 * index,
    3600 * index + 3600,
    index + 1,
    nextText + index,
  ]);
  await store.stage.airings(snapshot, Float64Array.from(rows.filter(([, , , , text]) => text !== broken).flat()));
  const counts = {
    channels: 0,
    programmes: 0,
    first: null,
    last: null,
    wanted: 0,
    unchanged: 0,
    reused: 0,
    parsed: 0,
    removed: 0,
    lost: 0,
    problems: {},
  };
  await store.stage.publish({ source: 1, cause: 'user', startedAt: 0, snapshot, counts, kept: [channel], manner: '' });
  const shown = store.programmes([channel], 0, 3600 * batches * each).get(channel) ?? [];
  assert.equal(shown.length, batches * each - 1);
  assert.equal(shown.at(-1)?.content.titles[0]?.text, `T${batches * each - 1}`);
});

test('what is sent to a pool that was stopped is refused in the end', async (t) => {
  const dir = tempDir(t);
  const store = await openGuideStore({ dir });
  t.after(() => store.close());
  const body = { file: null, hash: 'h', etag: null, lastModified: null };
  const { snapshot } = await store.stage.begin({ source: 1, listing: null, body });
  const pool = createParsePool({ dir, snapshot, ports: [store.connect()], ...options });
  await pool.send(batchOf(['<title>T</title>'], 1));
  pool.stop();
  pool.stop();
  await assert.rejects(pool.end(), { code: 'unavailable' });
});

test('a writer that refuses the texts ends the pool with its reason', async (t) => {
  const dir = tempDir(t);
  const store = await openGuideStore({ dir });
  t.after(() => store.close());
  const pool = createParsePool({ dir, snapshot: 99, ports: [store.connect()], ...options });
  await pool.send(batchOf(['<title>T</title>'], 1));
  await assert.rejects(pool.end(), { code: 'conflict' });
});
