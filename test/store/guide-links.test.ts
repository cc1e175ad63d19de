import assert from 'node:assert/strict';
import { test } from 'node:test';
import { by } from './fixture.js';
import { auto, candidate, household, lastChange, linked, nothing, page } from './guide-household.js';

test('links of the matcher follow the order of the guides, whatever order they come in', async (t) => {
  const { store, house, a, b } = await household(t);
  assert.equal(
    await house.writeMatches({ ...nothing, auto: [auto(a, 3, 'a3'), auto(b, 1, 'b1'), auto(a, 1, 'a1')] }),
    true,
  );
  assert.deepEqual(linked(store, a), [
    [1, 'a1', 'auto', 0],
    [3, 'a3', 'auto', 1],
  ]);
  assert.deepEqual(
    [...house.links()].map(({ channel, guideKey, rank }) => [channel, guideKey, rank]),
    [
      [a, 'a1', 0],
      [a, 'a3', 1],
      [b, 'b1', 0],
    ],
  );
  assert.deepEqual([...house.linkedBySource()].sort(), [
    [1, 2],
    [3, 1],
  ]);
  assert.deepEqual(
    house.channelsLinkedTo(1, ['a1', 'b1', 'x']),
    new Map([
      ['a1', [a]],
      ['b1', [b]],
    ]),
  );
});

test('a run that finds the same links changes nothing, and lists need not be made again', async (t) => {
  const { store, house, a } = await household(t);
  await house.writeMatches({ ...nothing, auto: [auto(a, 1, 'a1')] });
  const before = await store.channels.generation();
  assert.equal(await house.writeMatches({ ...nothing, auto: [{ ...auto(a, 1, 'a1'), score: 0.95 }] }), false);
  assert.equal(await store.channels.generation(), before);
  assert.equal([...house.links()][0]?.score, 0.95);
  assert.equal(await house.writeMatches({ ...nothing, auto: [auto(a, 1, 'other')] }), true);
  assert.deepEqual(linked(store, a), [[1, 'other', 'auto', 0]], 'one link to each guide source');
  assert.equal(await store.channels.generation(), before + 1);
});

test('links of users stand first in their order, and the matcher leaves them and their guides alone', async (t) => {
  const { store, house, a } = await household(t);
  await house.writeMatches({ ...nothing, auto: [auto(a, 1, 'a1'), auto(a, 2, 'a2')] });
  const links = [
    { guideSource: 3, guideId: 'mine' },
    { guideSource: 2, guideId: 'A2', shift: 3600 },
  ];
  const { rows } = await house.setChannelGuide(a, { links }, by);
  assert.equal(rows, 2, "what the matcher found of guide 2 became the user's");
  assert.deepEqual(linked(store, a), [
    [3, 'mine', 'user', 0],
    [2, 'A2', 'user', 1],
    [1, 'a1', 'auto', 2],
  ]);
  const own = [...house.links()].filter(({ origin }) => origin === 'user');
  assert.equal(
    await house.writeMatches({ ...nothing, auto: [auto(a, 3, 'b'), auto(a, 2, 'b')], drop: own.map(({ id }) => id) }),
    false,
  );
  assert.deepEqual(linked(store, a), [
    [3, 'mine', 'user', 0],
    [2, 'A2', 'user', 1],
    [1, 'a1', 'auto', 2],
  ]);
  await store.edits.undo(await lastChange(store), by);
  assert.deepEqual(linked(store, a), [
    [1, 'a1', 'auto', 0],
    [2, 'a2', 'auto', 1],
  ]);
});

test('links that a user gave up come back with an undo, in place of what the matcher found since', async (t) => {
  const { store, house, a } = await household(t);
  await house.setChannelGuide(a, { links: [{ guideSource: 1, guideId: 'mine' }], mode: 'manual' }, by);
  await house.setChannelGuide(a, { links: null }, by);
  assert.deepEqual([linked(store, a), house.guideOf(a)?.mode], [[], 'auto']);
  await house.writeMatches({ ...nothing, auto: [auto(a, 1, 'mine'), auto(a, 2, 'a2')] });
  await store.edits.undo(await lastChange(store), by);
  assert.equal(house.guideOf(a)?.mode, 'manual');
  assert.deepEqual(linked(store, a)[0], [1, 'mine', 'user', 0]);
});

test("a channel in manual mode or without a guide is out of the matcher's reach", async (t) => {
  const { store, house, a, b, c } = await household(t);
  await house.writeMatches({ ...nothing, auto: [auto(a, 1, 'a1'), auto(b, 1, 'b1')] });
  await house.setChannelGuide(a, { mode: 'manual' }, by);
  await house.setChannelGuide(b, { mode: 'none', links: [{ guideSource: 2, guideId: 'kept' }] }, by);
  const review = [{ channel: a, why: 'unsure' as const, candidates: [candidate(1, 'x')] }];
  assert.equal(await house.writeMatches({ ...nothing, auto: [auto(a, 1, 'a1'), auto(b, 1, 'b1')], review }), false);
  const asked: number[] = [];
  for await (const part of house.matchChannels()) asked.push(...part.map(({ channel }) => channel));
  assert.deepEqual([asked, (await house.review(page)).items], [[c], []]);
  assert.deepEqual([linked(store, a), linked(store, b), [...house.links()]], [[], [], []]);
  assert.deepEqual(
    house.guideOf(b)?.links.map(({ guideId }) => guideId),
    ['kept'],
    'shown, and not used',
  );
  await house.setChannelGuide(b, { mode: 'auto' }, by);
  assert.deepEqual(linked(store, b), [[2, 'kept', 'user', 0]]);
});

test('a guide that gave its channel another id keeps the links, those of users too', async (t) => {
  const { store, house, a, b } = await household(t);
  await house.setChannelGuide(a, { links: [{ guideSource: 1, guideId: 'old', names: ['A HD'] }] }, by);
  await house.writeMatches({ ...nothing, auto: [auto(b, 1, 'old')] });
  const relink = [...house.links()].map(({ id }) => ({
    id,
    guideId: 'New',
    names: ['A'],
    reasons: ['The guide renamed it.'],
  }));
  assert.deepEqual([...house.links()][0]?.names, ['A HD']);
  assert.equal(await house.writeMatches({ ...nothing, relink }), true);
  assert.deepEqual([linked(store, a), linked(store, b)], [[[1, 'New', 'user', 0]], [[1, 'New', 'auto', 0]]]);
  const [first] = house.links();
  assert.deepEqual([first?.guideKey, first?.names, first?.reasons], ['new', ['A'], ['The guide renamed it.']]);
});

test('channels that become one share their guides: own links first, and an undo gives them back', async (t) => {
  const { store, house, a, b } = await household(t);
  await house.setChannelGuide(a, { links: [{ guideSource: 2, guideId: 'a2' }] }, by);
  await house.setChannelGuide(
    b,
    {
      links: [
        { guideSource: 3, guideId: 'b3' },
        { guideSource: 2, guideId: 'b2' },
      ],
    },
    by,
  );
  await house.writeMatches({ ...nothing, auto: [auto(b, 1, 'b1')] });
  await store.edits.mergeChannels(a, [b], by);
  assert.deepEqual(linked(store, a), [
    [2, 'a2', 'user', 0],
    [3, 'b3', 'user', 1],
    [1, 'b1', 'auto', 2],
  ]);
  assert.equal(house.guideOf(b), null);
  await store.edits.undo(await lastChange(store), by);
  assert.deepEqual(linked(store, a), [[2, 'a2', 'user', 0]]);
  assert.deepEqual(
    linked(store, b).map(([, id]) => id),
    ['b3', 'b2', 'b1'],
  );
});

test('the ETag of a guide changes with what users set, not with what the matcher finds', async (t) => {
  const { house, a } = await household(t);
  const etag = () => house.guideOf(a)?.etag ?? '';
  const before = etag();
  await house.writeMatches({ ...nothing, auto: [auto(a, 1, 'a1')] });
  assert.equal(etag(), before);
  await house.setChannelGuide(a, { placeholder: { minutes: 60, title: '{name}' } }, { ...by, ifMatch: before });
  assert.deepEqual(house.guideOf(a)?.placeholder, { minutes: 60, title: '{name}' });
  await assert.rejects(house.setChannelGuide(a, { mode: 'none' }, { ...by, ifMatch: before }), {
    code: 'precondition-failed',
  });
  await house.setChannelGuide(a, { placeholder: null }, { ...by, ifMatch: etag() });
  assert.equal(etag(), before);
});

test('links that cannot be are refused, and nothing of them is written', async (t) => {
  const { house, a, store } = await household(t);
  const set = (...links: { guideSource: number; guideId: string }[]) => house.setChannelGuide(a, { links }, by);
  await assert.rejects(set({ guideSource: 9, guideId: 'x' }), {
    code: 'invalid',
    message: 'There is no guide source 9.',
  });
  await assert.rejects(set({ guideSource: 1, guideId: 'x' }, { guideSource: 1, guideId: 'y' }), { code: 'invalid' });
  await assert.rejects(house.setChannelGuide(99, { mode: 'none' }, by), { code: 'not-found' });
  assert.deepEqual([linked(store, a), (await store.editReads.changes(page)).items], [[], []]);
});

test('links are read a page at a time, by guide and by whoever made them', async (t) => {
  const { house, a, b, c } = await household(t);
  await house.writeMatches({
    ...nothing,
    auto: [auto(a, 1, 'a1'), auto(a, 2, 'a2'), auto(b, 2, 'b2'), auto(c, 1, 'c1')],
  });
  await house.setChannelGuide(c, { links: [{ guideSource: 2, guideId: 'c2' }] }, by);
  const all = async (filter: Parameters<typeof house.pageOfLinks>[0], limit: number) => {
    const found: unknown[] = [];
    for (let after: string | null = null; ; ) {
      const { items, next } = await house.pageOfLinks(filter, { after, limit });
      found.push(...items.map(({ name, guideId, rank }) => `${name} ${guideId} ${rank}`));
      if (next === null) return found;
      after = next;
    }
  };
  for (const limit of [1, 2, 10]) {
    assert.deepEqual(await all({}, limit), ['A a1 0', 'A a2 1', 'B b2 0', 'C c2 0', 'C c1 1']);
    assert.deepEqual(await all({ source: 2 }, limit), ['A a2 1', 'B b2 0', 'C c2 0']);
    assert.deepEqual(await all({ origin: 'user' }, limit), ['C c2 0']);
  }
});
