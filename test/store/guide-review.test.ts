import assert from 'node:assert/strict';
import { test } from 'node:test';
import { by } from './fixture.js';
import { auto, candidate, household, linked, nothing, page } from './guide-household.js';

test('an answer to a review links for good, and a rejection is remembered until the user links it himself', async (t) => {
  const { store, house, a } = await household(t);
  const candidates = [candidate(1, 'a1'), candidate(1, 'b1'), candidate(2, 'a2'), candidate(2, 'b2')];
  await house.writeMatches({
    ...nothing,
    auto: [auto(a, 3, 'a3')],
    review: [{ channel: a, why: 'ambiguous', candidates }],
  });
  await assert.rejects(house.acceptReview(a, { guideSource: 1, guideId: 'other' }, by), { code: 'invalid' });
  await house.rejectReview(a, { guideSource: 2, guideId: 'B2' }, by);
  await house.acceptReview(a, { guideSource: 1, guideId: 'a1' }, by);
  assert.deepEqual(
    linked(store, a),
    [
      [1, 'a1', 'user', 0],
      [3, 'a3', 'auto', 1],
    ],
    'in the place of its guide',
  );
  assert.deepEqual(
    (await house.reviewOf(a))?.candidates.map(({ guideId }) => guideId),
    ['a2'],
  );
  await house.rejectReview(a, {}, by);
  assert.equal(await house.reviewOf(a), null);
  await assert.rejects(house.rejectReview(a, {}, by), { code: 'not-found' });
  assert.deepEqual(
    [...house.rejections()].map(({ guideKey }) => guideKey),
    ['b2', 'a2'],
  );
  assert.equal(await house.writeMatches({ ...nothing, auto: [auto(a, 2, 'A2')] }), false);
  await house.setChannelGuide(a, { links: [{ guideSource: 2, guideId: 'a2' }] }, by);
  assert.deepEqual(
    [...house.rejections()].map(({ guideKey }) => guideKey),
    ['b2'],
  );
});

test('what is reviewed tells since when, through later runs, until it is settled', async (t) => {
  const { house, a, b, store } = await household(t);
  const row = (channel: number, ...ids: string[]) => {
    return { channel, why: 'unsure' as const, candidates: ids.map((id) => candidate(1, id)) };
  };
  await house.writeMatches({ ...nothing, review: [row(a, 'x'), row(b, 'y')] });
  const since = (await house.reviewOf(a))?.since;
  await house.writeMatches({ ...nothing, review: [row(a, 'x', 'z')], clear: [b] });
  const { items } = await house.review(page);
  assert.deepEqual(
    items.map(({ channel, name, candidates }) => [channel, name, candidates.length]),
    [[a, 'A', 2]],
  );
  assert.equal(items[0]?.since, since);
  assert.deepEqual((await store.editReads.changes(page)).items, [], 'nobody did it');
});
