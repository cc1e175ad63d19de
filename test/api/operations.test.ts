import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { bodyLimit, type Operation } from '../../src/api/contract/operation.js';
import { operationsByTag } from '../../src/api/contract/operations.js';
import type { Job } from '../../src/model/change.js';
import type { ChannelDetail } from '../../src/model/channel.js';
import type { Edited } from '../../src/model/edit.js';
import type { Page } from '../../src/model/page.js';
import { seen } from './contract.js';
import { guideBodies, useGuides } from './guide-operations.js';
import { type Household, m3u, startHousehold } from './household.js';
import { stream, viewer } from './stub-relay.js';

type Problem = { readonly code: string };

const operations = Object.values(operationsByTag).flatMap((table) => Object.entries<Operation>(table));
const rule = { match: { field: 'name', pattern: '^A' }, action: { kind: 'rename', replacement: 'B' } };
const list = m3u(
  ['One', 'udp://@239.1.1.1:5000', 'tvg-id="one"'],
  ['Two', 'http://host.example/SECRET/2.m3u8|Cookie=SECRET', 'catchup="append" catchup-source="?t=SECRET"'],
);

/** A body that each operation takes. */
const bodies: Readonly<Record<string, unknown>> = {
  ...guideBodies,
  createSource: { kind: 'inline', content: list },
  updateSource: { name: 'A' },
  refreshSource: {},
  updateChannel: { name: 'A' },
  updateChannels: { ids: [999_999], patch: { name: 'A' } },
  mergeChannels: { channels: [999_999] },
  splitChannel: { entry: 1 },
  rankChannelEntries: { entries: [1] },
  createLineup: { slug: 'a', name: 'A' },
  updateLineup: { name: 'A' },
  setLineupItems: { items: [{ channel: 1 }] },
  createRule: rule,
  previewRule: rule,
  updateRule: { enabled: false },
  createKey: { name: 'A', scope: 'read' },
  createToken: { name: 'A' },
};

const filled = (path: string, value: string) => path.replace(/\{\w+\}/g, value);
const bodyOf = (id: string) => (bodies[id] === undefined ? {} : { body: bodies[id] });

test('every operation that takes a body has one here', () => {
  const taking = operations.filter(([, { body }]) => body !== undefined).map(([id]) => id);
  assert.deepEqual(taking.sort(), Object.keys(bodies).sort());
});

test('without a key, with one that allows less, and with a query or body that is not known, every operation refuses', async (t) => {
  const house = await startHousehold(t);
  for (const [id, { method, path, scope, body, bodyLimit: most = bodyLimit }] of operations) {
    const at = filled(path, '1');
    const refused = async (status: number, code: string, suffix: string, sent: object) => {
      const answer = await house.ask<Problem>(method.toUpperCase(), `${at}${suffix}`, sent);
      assert.deepEqual([answer.status, answer.body.code], [status, code], id);
    };
    if (scope === null) continue;
    await refused(401, 'unauthorised', '', { as: null, ...bodyOf(id) });
    if (scope !== 'read') await refused(403, 'forbidden', '', { as: 'read', ...bodyOf(id) });
    if (scope === 'admin') await refused(403, 'forbidden', '', { as: 'edit', ...bodyOf(id) });
    await refused(400, 'invalid', '?nonsense=1', bodyOf(id));
    if (body === undefined) continue;
    await refused(400, 'invalid', '', { body: { nonsense: 1 } });
    await refused(400, 'invalid', '', { text: '{' });
    await refused(415, 'unsupported-media', '', { text: '{}', headers: { 'Content-Type': 'text/plain' } });
    if (most === bodyLimit) await refused(413, 'too-large', '', { text: 'x'.repeat(bodyLimit + 1) });
  }
});

test('what is not there is 404 for every operation, however it is written', async (t) => {
  const house = await startHousehold(t);
  for (const [id, { method, path, params }] of operations) {
    if (params === undefined) continue;
    for (const value of ['999999', 'x', '0', '-1', '1.5', '1e400', '%00', '%FF', '..%2F..', '%27--']) {
      const answer = await house.ask<Problem>(method.toUpperCase(), filled(path, value), bodyOf(id));
      assert.deepEqual([answer.status, answer.body.code], [404, 'not-found'], `${id} ${value}`);
    }
  }
});

/** Uses everything once; resolves with a path of each operation that reads. */
async function useAll(t: TestContext, house: Household): Promise<readonly string[]> {
  const proxy = 'http://a:SECRET@proxy.example:1';
  const web = await house.done<{ id: number }>('POST', '/sources', {
    body: {
      kind: 'url',
      location: 'http://a:SECRET@192.0.2.1/SECRET',
      headers: { Cookie: 'SECRET' },
      proxy,
      enabled: false,
    },
  });
  await house.done('PATCH', `/sources/${web.id}`, { body: { headers: { Cookie: 'SECRET2' } } });
  const source = await house.addList(list);
  const at = `/sources/${source.id}`;
  await house.job(await house.ask<Job>('POST', `${at}:refresh`, { body: { dryRun: true } }));
  const [snapshot] = (await house.get<Page<{ id: number }>>(`${at}/snapshots`)).items;
  const restored = await house.job(await house.ask<Job>('POST', `${at}/snapshots/${snapshot?.id}:restore`));
  const [refresh] = (await house.get<Page<{ id: number }>>(`${at}/refreshes`)).items;
  const other = await house.addList(
    m3u(['Three', 'udp://@239.1.1.3:5000'], ['One', 'udp://@239.1.1.4:5000', 'tvg-id="one"']),
  );
  const [one, two, three] = await house.channels();
  const channel = `/channels/${one?.id}`;
  const edited = await house.done<ChannelDetail>('PATCH', channel, { body: { name: 'Eins' } });
  const [change] = (await house.get<Page<{ id: number }>>('/changes')).items;
  await house.done('POST', `/changes/${change?.id}:undo`);
  await house.done('POST', '/channels:batch', { body: { ids: [one?.id], patch: { hidden: false } } });
  await house.done<Edited>('POST', `${channel}:merge`, { body: { channels: [three?.id] } });
  const { entries } = await house.get<ChannelDetail>(channel);
  await house.done('POST', `${channel}:rank`, { body: { entries: [...entries].reverse() } });
  await house.done('POST', `${channel}:split`, { body: { entry: entries.at(-1) } });
  const [suggestion] = (await house.get<Page<{ id: number }>>('/suggestions')).items;
  await house.done('POST', `/suggestions/${suggestion?.id}:reject`);
  await house.done('POST', `/suggestions/${suggestion?.id}:accept`);
  await house.done('POST', '/rules:preview', { body: rule });
  const { id } = await house.done<{ id: number }>('POST', '/rules', { body: rule });
  await house.done('PATCH', `/rules/${id}`, { body: { enabled: false } });
  await house.done('POST', '/lineups', { body: { slug: 'a', name: 'A' } });
  await house.done('PATCH', '/lineups/a', { body: { name: 'B' } });
  await house.done('POST', '/lineups/a/items:batch', { body: { items: [{ channel: two?.id }] } });
  assert.deepEqual([edited.name, other.channels], ['Eins', 2]);
  await house.done('GET', `/channels/${two?.id}/catchup?start=1704110400`);
  return [
    ...(await useGuides(t, house, two?.id ?? 0)),
    ...['/sources', `/sources/${web.id}`, at, `${at}/snapshots`, `${at}/refreshes`, `${at}/refreshes/${refresh?.id}`],
    ...[
      `${at}/refreshes/${refresh?.id}/changes`,
      '/entries',
      `/entries/${entries[0]}`,
      '/entries/2',
      '/channels',
      channel,
    ],
    ...[`/channels/${two?.id}`, '/groups', '/lineups', '/lineups/a', '/lineups/a/items', '/rules', `/rules/${id}`],
    ...[
      '/suggestions',
      '/suggestions?state=accepted',
      '/changes',
      '/changes/1',
      '/changes/2',
      `/changes/${change?.id}`,
    ],
    ...[
      '/jobs',
      `/jobs/${restored.id}`,
      '/streams',
      `/streams/${encodeURIComponent(stream.id)}`,
      '/viewers',
      '/openapi.json',
    ],
  ];
}

async function removeAll(house: Household): Promise<void> {
  for (const path of ['/keys', '/tokens']) {
    const body = path === '/keys' ? { name: 'A', scope: 'read' } : { name: 'A' };
    const { id } = await house.done<{ id: number }>('POST', path, { body });
    await house.get(path);
    await house.done('DELETE', `${path}/${id}`);
  }
  for (const path of ['/rules', '/sources']) {
    for (const { id } of (await house.get<Page<{ id: number }>>(path)).items)
      await house.done('DELETE', `${path}/${id}`);
  }
  await house.done('DELETE', '/lineups/a');
  await house.done('DELETE', `/streams/${encodeURIComponent(stream.id)}`);
  await house.done('DELETE', `/viewers/${viewer.id}`);
  await house.ask('HEAD', '/events');
}

test('every operation answers as the OpenAPI document says, and no secret to anyone but an administrator', async (t: TestContext) => {
  const house = await startHousehold(t);
  const paths = await useAll(t, house);
  let secrets = 0;
  for (const path of paths) {
    for (const as of ['read', 'edit'] as const) {
      const { status, body } = await house.ask('GET', path, { as });
      assert.equal(status, 200, path);
      assert.ok(!JSON.stringify(body).includes('SECRET'), `${path} ${as} ${JSON.stringify(body)}`);
    }
    secrets += Number(JSON.stringify(await house.get(path)).includes('SECRET'));
  }
  assert.ok(secrets >= 4, 'an administrator sees them');
  await removeAll(house);
  const expected = operations.map(([id, { answer }]) => `${id} ${answer.status}`);
  assert.deepEqual(
    expected.filter((one) => !seen.has(one)),
    [],
  );
});

test('a fault of ours and a flood of wrong keys are answered as the OpenAPI document says', async (t) => {
  const failing = { groups: () => Promise.reject(new Error('SECRET')) };
  const house = await startHousehold(t, {});
  const { catalogue } = house.options;
  const broken = await startHousehold(t, { catalogue: { ...catalogue, ...failing } });
  const fault = await broken.ask<Problem>('GET', '/groups');
  assert.deepEqual([fault.status, fault.body.code], [500, 'internal']);
  assert.doesNotMatch(JSON.stringify(fault.body), /SECRET/);
  const wrong = { as: null, headers: { Authorization: 'Bearer wrong' } };
  for (let times = 0; times < 10; times += 1) assert.equal((await house.ask('GET', '/groups', wrong)).status, 401);
  assert.equal((await house.ask('GET', '/groups', wrong)).status, 429);
});
