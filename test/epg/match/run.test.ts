import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createMatcher } from '../../../src/epg/match/matcher.js';
import type { GuideStore } from '../../../src/store/guide/contract.js';
import { openGuideStore } from '../../../src/store/guide/open.js';
import { by } from '../../store/fixture.js';
import { body, counts, ended } from '../../store/guide/fixture.js';
import { household, linked, page } from '../../store/guide-household.js';

/** Ids and names of the channels of a guide; those in `empty` have no programmes now. */
type Said = Readonly<Record<string, string>>;

async function setUp(t: TestContext, names: readonly string[]) {
  const home = await household(
    t,
    names.map((name) => ({ name })),
  );
  const guide = await openGuideStore({ dir: home.dir });
  t.after(() => guide.close());
  const match = createMatcher(home.store);
  const told: number[] = [];
  const run = () =>
    match({
      signal: new AbortController().signal,
      progress: (share) => {
        told.push(share);
        return Promise.resolve();
      },
    });
  return { ...home, guide, run, told };
}

async function say(guide: GuideStore, source: number, said: Said, empty: readonly string[] = []): Promise<void> {
  const { snapshot } = await guide.stage.begin({ source, listing: null, body });
  const ids = Object.keys(said);
  const numbers = await guide.stage.channelIds(
    source,
    ids.map((guideId) => ({ key: guideId.toLowerCase(), guideId })),
  );
  const rows = ids.map((guideId, index) => ({
    guideId,
    names: [{ text: said[guideId] ?? '', lang: null }],
    icons: [],
    urls: [],
    programmes: 1,
    first: null,
    last: null,
    near: empty.includes(guideId) ? 0 : 10,
    channel: numbers[index] ?? 0,
  }));
  await guide.stage.listChannels(snapshot, rows);
  await guide.stage.publish({ ...ended(source), snapshot, counts, kept: [], manner: '1' });
}

const names = ['ZDF HD', 'Nova Sport 2', 'Unheard of'];

test('a run links what it is sure of in each guide, and puts the rest into the queue', async (t) => {
  const { store, house, guide, run, told, a, b, c } = await setUp(t, names);
  await say(guide, 1, { zdf: 'ZDF' });
  await say(guide, 2, { 'ZDF.de': 'ZDF', s2: 'Nova Sports 2' });
  const { changed, result } = await run();
  assert.equal(changed, true);
  assert.deepEqual(result, { accepted: 2, review: 1, kept: 0, dropped: 0, relinked: 0 });
  assert.deepEqual(linked(store, a), [
    [1, 'zdf', 'auto', 0],
    [2, 'ZDF.de', 'auto', 1],
  ]);
  assert.deepEqual([linked(store, b), linked(store, c)], [[], []]);
  const { items } = await house.review(page);
  assert.deepEqual(
    items.map(({ channel, why, candidates }) => [channel, why, candidates.map(({ guideId }) => guideId)]),
    [[b, 'unsure', ['s2']]],
  );
  assert.equal(told.at(-1), 1);
});

test('a second run changes nothing; a guide that is empty for a day, or lacks a channel, loses no link', async (t) => {
  const { store, guide, run, a } = await setUp(t, names);
  await say(guide, 1, { zdf: 'ZDF' });
  await run();
  const before = await store.channels.generation();
  assert.deepEqual(await run(), {
    changed: false,
    result: { accepted: 0, review: 0, kept: 1, dropped: 0, relinked: 0 },
  });
  await say(guide, 1, { zdf: 'ZDF' }, ['zdf']);
  assert.equal((await run()).changed, false);
  await say(guide, 1, { other: 'Other' });
  assert.equal((await run()).changed, false);
  assert.deepEqual(linked(store, a), [[1, 'zdf', 'auto', 0]]);
  assert.equal(await store.channels.generation(), before);
});

test('links follow an id that the guide changed, those of users as well', async (t) => {
  const { store, house, guide, run, a, b } = await setUp(t, ['ZDF', 'ARD', 'RTL']);
  await say(guide, 1, { zdf: 'ZDF', ard: 'ARD' });
  await house.setChannelGuide(b, { links: [{ guideSource: 1, guideId: 'ard', names: ['ARD'] }] }, by);
  await run();
  await say(guide, 1, { 'I.zdf': 'ZDF', 'I.ard': 'ARD' });
  assert.deepEqual((await run()).result, { accepted: 0, review: 0, kept: 2, dropped: 0, relinked: 2 });
  assert.deepEqual(linked(store, a), [[1, 'I.zdf', 'auto', 0]]);
  assert.deepEqual(linked(store, b), [[1, 'I.ard', 'user', 0]]);
});

test('what a user said no to in the queue is not put there again', async (t) => {
  const { house, guide, run, b } = await setUp(t, names);
  await say(guide, 1, { s2: 'Nova Sports 2' });
  await run();
  await house.rejectReview(b, { guideSource: 1, guideId: 's2' }, by);
  assert.deepEqual((await run()).result, { accepted: 0, review: 0, kept: 0, dropped: 0, relinked: 0 });
  assert.deepEqual((await house.review(page)).items, []);
});

test('a link goes when its channel is called otherwise, and the queue forgets a channel that is linked', async (t) => {
  const { store, house, guide, run, a, b } = await setUp(t, names);
  await say(guide, 1, { zdf: 'ZDF', s2: 'Nova Sports 2' });
  await run();
  await store.edits.editChannels({ ids: [a] }, { name: 'Das Erste' }, by);
  await store.edits.editChannels({ ids: [b] }, { name: 'Nova Sports 2' }, by);
  await run();
  assert.deepEqual([linked(store, a), linked(store, b)], [[[1, 'zdf', 'auto', 0]], [[1, 's2', 'auto', 0]]]);
  assert.deepEqual((await house.review(page)).items, []);
});

test('a run that is broken off says so', async (t) => {
  const { store } = await setUp(t, names);
  const stopped = AbortSignal.abort(new Error('stop'));
  await assert.rejects(createMatcher(store)({ signal: stopped, progress: () => Promise.resolve() }), /stop/);
});
