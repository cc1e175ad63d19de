import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../src/model/change.js';
import type { Edited } from '../../src/model/edit.js';
import type { Lineup, LineupItem } from '../../src/model/lineup.js';
import type { Page } from '../../src/model/page.js';
import type { Rule, RulePreview } from '../../src/model/rule.js';
import { until } from '../support/until.js';
import { type Answer, type Household, m3u, startHousehold } from './household.js';

type Problem = { readonly code: string; readonly errors?: readonly { path: string }[] };

const list = m3u(
  ['UK: One HD', 'udp://@239.1.1.1:5000', 'group-title="UK"'],
  ['UK: Two HD', 'udp://@239.1.1.2:5000', 'group-title="UK"'],
  ['DE: Drei', 'udp://@239.1.1.3:5000', 'group-title="DE"'],
);
const rename = {
  match: { field: 'name', pattern: '^UK: ' },
  action: { kind: 'rename', replacement: '' },
} as const;

/** Waits for the job that a change of rules points at. */
async function applied<T>(house: Household, { status, headers, body }: Answer<T>): Promise<T> {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
  const [, path = ''] = /^<\/api\/v1(\/jobs\/\d+)>; rel="monitor"$/.exec(headers.get('link') ?? '') ?? [];
  await until(
    'the rules to be applied',
    async () => {
      const job = await house.get<Job>(path);
      assert.notEqual(job.state, 'failed', JSON.stringify(job));
      return job.state === 'done';
    },
    { within: 20_000 },
  );
  return body;
}

const names = async (house: Household) => (await house.channels()).map(({ name }) => name);

test('a rule is shown before it is made, applied when it is, and gone when it is removed or undone', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const preview = await house.done<RulePreview>('POST', '/rules:preview', { as: 'read', body: rename });
  assert.deepEqual([preview.matching, preview.changing], [2, 2]);
  assert.deepEqual(preview.items[0]?.fields, { name: ['UK: One HD', 'One HD'] });
  assert.deepEqual(await names(house), ['UK: One HD', 'UK: Two HD', 'DE: Drei']);
  const made = await house.ask<Rule>('POST', '/rules', { as: 'edit', body: rename });
  assert.equal(made.headers.get('location'), `/api/v1/rules/${made.body.id}`);
  const rule = await applied(house, made);
  assert.deepEqual([rule.enabled, rule.source, rule.position], [true, null, 1]);
  assert.deepEqual(await names(house), ['One HD', 'Two HD', 'DE: Drei']);
  const second = await applied(
    house,
    await house.ask<Rule>('POST', '/rules', {
      body: { match: { field: 'group', pattern: 'DE' }, action: { kind: 'filter', hide: 'matching' } },
    }),
  );
  assert.equal(second.position, 2);
  const rules = (await house.get<Page<Rule>>('/rules')).items;
  assert.deepEqual(rules, [rule, second]);
  await applied(house, await house.ask('PATCH', `/rules/${rule.id}`, { body: { enabled: false } }));
  assert.deepEqual(await names(house), ['UK: One HD', 'UK: Two HD', 'DE: Drei']);
  assert.equal((await house.channels('?state=hidden')).length, 1);
  await applied(house, await house.ask('DELETE', `/rules/${second.id}`));
  assert.equal((await house.channels('?state=hidden')).length, 0);
  const [removal] = (await house.get<Page<{ id: number }>>('/changes')).items;
  await house.done('POST', `/changes/${removal?.id}:undo`, { as: 'edit' });
  await until('the rule to be applied again', async () => (await house.channels('?state=hidden')).length === 1);
});

test('a rule that cannot be, or of a source that is not there, is refused; so is a change of one that was changed', async (t) => {
  const house = await startHousehold(t);
  const cases = [
    [{ ...rename, match: { field: 'name', pattern: '(' } }, 'match.pattern'],
    [{ ...rename, match: { field: 'colour', pattern: '' } }, 'match.field'],
    [{ ...rename, action: { kind: 'paint' } }, 'action.kind'],
    [{ ...rename, action: { kind: 'number', from: -1, to: null, keepProvider: true } }, 'action.from'],
    [{ ...rename, source: 999 }, 'source'],
    [{ action: rename.action }, 'match'],
  ] as const;
  for (const [body, path] of cases) {
    for (const at of ['/rules', '/rules:preview']) {
      const answer = await house.ask<Problem>('POST', at, { body });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.path], [400, path], JSON.stringify(answer.body));
    }
  }
  const { body: rule, headers } = await house.ask<Rule>('POST', '/rules', { body: rename });
  const etag = headers.get('etag') ?? '';
  const edit = (sent: object) => house.ask('PATCH', `/rules/${rule.id}`, { body: sent, headers: { 'If-Match': etag } });
  assert.equal((await edit({ position: 5 })).status, 200);
  assert.equal((await edit({ position: 6 })).status, 412);
  assert.equal((await house.ask('DELETE', `/rules/${rule.id}`, { headers: { 'If-Match': etag } })).status, 412);
  assert.equal((await house.get<Rule>(`/rules/${rule.id}`)).position, 5);
});

test('a line-up has a filter, items of its own, and addresses by its slug', async (t) => {
  const house = await startHousehold(t);
  await house.addList(list);
  const [one, , drei] = await house.channels();
  const made = await house.ask<Lineup>('POST', '/lineups', {
    as: 'edit',
    body: { slug: 'kids-room', name: 'Kids’ room', filter: { group: 'UK' } },
  });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('location'), '/api/v1/lineups/kids-room');
  const taken = await house.ask<Problem>('POST', '/lineups', { body: { slug: 'kids-room', name: 'x' } });
  assert.deepEqual([taken.status, taken.body.code], [409, 'conflict']);
  for (const slug of ['Kids', 'a b', '-a', 'a--b', '', '../a']) {
    assert.equal((await house.ask('POST', '/lineups', { body: { slug, name: 'x' } })).status, 400, slug);
  }
  const items = [
    { channel: drei?.id, order: 1, number: '7.10' },
    { channel: one?.id, excluded: true },
  ];
  const set = await house.done<Edited>('POST', '/lineups/kids-room/items:batch', { as: 'edit', body: { items } });
  assert.equal(set.rows, 2);
  const page = await house.get<Page<LineupItem>>('/lineups/kids-room/items');
  assert.deepEqual(page.items, [
    { channel: drei?.id, order: 1, number: '7.10', excluded: false },
    { channel: one?.id, order: null, number: null, excluded: true },
  ]);
  await house.done('POST', '/lineups/kids-room/items:batch', { body: { items: [{ channel: one?.id, remove: true }] } });
  assert.equal((await house.get<Page<LineupItem>>('/lineups/kids-room/items?limit=1')).items.length, 1);
  const { body, headers } = await house.ask<Lineup>('GET', '/lineups/kids-room');
  const etag = headers.get('etag') ?? '';
  const renamed = await house.ask<Lineup>('PATCH', '/lineups/kids-room', {
    body: { slug: 'kids', filter: null },
    headers: { 'If-Match': etag },
  });
  assert.deepEqual([renamed.body.id, renamed.body.slug, renamed.body.filter], [body.id, 'kids', null]);
  assert.equal((await house.ask('GET', '/lineups/kids-room')).status, 404);
  assert.equal((await house.ask('DELETE', '/lineups/kids', { headers: { 'If-Match': etag } })).status, 412);
  assert.equal((await house.ask('DELETE', '/lineups/kids', { as: 'edit' })).status, 204);
  assert.deepEqual((await house.get<Page<Lineup>>('/lineups')).items, []);
});
