import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Job } from '../../src/model/change.js';
import type { Channel } from '../../src/model/channel.js';
import type { Changes } from '../../src/model/refresh.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { type Household, household, m3u, many } from './set-up.js';

const by = { actor: { key: null, name: 'test' } };
const all = { after: null, limit: 1000 };

/** The job when it has ended. */
async function ended(home: Household, { id }: Job): Promise<Job> {
  let job: Job | null = null;
  await until(`job ${id} has ended`, async () => {
    job = await home.store.jobs.byId(id);
    return job?.state === 'done' || job?.state === 'failed';
  });
  return job ?? assert.fail('there is no such job');
}

async function idOf(home: Household, name: string): Promise<number> {
  const found = (await home.channels()).find((channel) => channel.name === name);
  return found?.id ?? assert.fail(`${name} is not published`);
}

test('a dry run says what a refresh would change, and changes nothing', async (t) => {
  const home = await household(t, { list: m3u(['A', 1], ['B', 2], ['C', 3]) });
  await home.playlists.stop();
  const again = await household(t, { dir: home.dir });
  again.write(m3u(['A', 1, 'group-title="G"'], ['C', 3], ['D', 4]));
  const before = await again.keys();
  const job = await ended(again, await again.playlists.refresh(1, { dryRun: true }));
  assert.deepEqual(job.state, 'done');
  const result = job.result as {
    objection: unknown;
    counts: Changes;
    changes: { kind: string; name: string }[];
  };
  assert.equal(result.objection, null);
  const { added, removed, regrouped } = result.counts;
  assert.deepEqual([added, removed, regrouped], [1, 1, 1]);
  assert.deepEqual(
    result.changes.map(({ kind, name }) => `${kind} ${name}`),
    ['changed A', 'added D', 'removed B'],
  );
  assert.deepEqual(await again.keys(), before);
});

test('every refresh leaves a change set, field by field', async (t) => {
  const home = await household(t, { list: m3u(['A', 1, 'tvg-id="a"'], ['B', 2], ['C', 3]) });
  home.write(m3u(['A HD', 1, 'tvg-id="a" group-title="News" tvg-chno="7.10"'], ['C', 3], ['New', 9]));
  await home.playlists.refreshAll();
  const [refresh, first] = (await home.store.refreshes.page(1, all)).items;
  assert.deepEqual([refresh?.outcome, refresh?.cause, first?.cause], ['published', 'user', 'start']);
  const { items } = await home.store.refreshes.changes(refresh?.id ?? 0, all);
  const changed = items.find(({ kind }) => kind === 'changed');
  assert.deepEqual(changed?.fields, { name: ['A', 'A HD'], groups: [[], ['News']], number: [null, '7.10'] });
  assert.ok(changed?.reason);
  assert.deepEqual(
    items.map(({ kind, name }) => `${kind} ${name}`),
    ['changed A HD', 'added New', 'removed B'],
  );
  assert.ok(items.every(({ kind, entry }) => kind === 'removed' || entry !== null));
});

test('a quarantined list may be accepted, and an earlier one gone back to, edits and keys included', async (t) => {
  const home = await household(t, { list: many(100) });
  const edited = await idOf(home, 'Channel 7');
  await home.store.edits.editChannels({ ids: [edited] }, { name: 'Mine' }, by);
  const keys = await home.keys();
  home.write(many(50));
  await home.playlists.refreshAll();
  assert.equal((await home.status())?.state, 'quarantined');
  const [quarantined, serving] = await home.store.refreshes.snapshots(1);
  assert.deepEqual([quarantined?.state, quarantined?.kept, serving?.inService], ['quarantined', true, true]);

  assert.equal((await ended(home, await home.playlists.restore(1, quarantined?.id ?? 0))).reason, null);
  // The watch on the file may have it read once more.
  await until('it is in service', async () => (await home.status())?.state === 'published');
  assert.equal((await home.status())?.entries, 50);
  assert.deepEqual(await home.keys(), keys, 'those that are gone stay for a while');

  const back = (await home.store.refreshes.snapshots(1)).find(({ id }) => id === serving?.id);
  assert.equal((await ended(home, await home.playlists.restore(1, back?.id ?? 0))).state, 'done');
  assert.equal((await home.status())?.entries, 100);
  assert.deepEqual(await home.keys(), keys);
  assert.equal((await home.store.catalogue.channel(edited))?.name, 'Mine');
});

test('an address that was given to another channel is a suspect: edits wait with the old one until the user says "same"', async (t) => {
  const home = await household(t, { list: m3u(['News', 1, 'tvg-id="news" group-title="Info"'], ['B', 2]) });
  const news = await idOf(home, 'News');
  const key = (await home.keys()).get('News') ?? '';
  await home.store.edits.editChannels({ ids: [news] }, { number: '5' }, by);
  home.write(m3u(['Movie Night', 1, 'tvg-id="movies" group-title="Film"'], ['B', 2]));
  await home.playlists.refreshAll();
  const other = await idOf(home, 'Movie Night');
  assert.notEqual(other, news);
  assert.equal((await home.store.channels.byId(other))?.number, null);
  const [suspect] = (await home.store.editReads.suggestions('open', all)).items;
  assert.deepEqual([suspect?.kind, suspect?.channel, suspect?.other], ['suspect', news, other]);

  await home.store.edits.resolveSuggestion(suspect?.id ?? 0, 'accepted', by);
  const same = await home.store.channels.byKey(key);
  assert.deepEqual([same?.id, same?.number], [news, '5']);
});

test('the same channel in two lists is suggested as one, never made one, and merged it goes on with the other entry', async (t) => {
  const home = await household(t, { list: m3u(['News HD', 1, 'tvg-id="news.uk"'], ['Sport', 2]) });
  const added = await home.store.sources.add({ kind: 'inline', content: m3u(['UK: News', 9, 'tvg-id="news.uk"']) }, by);
  await home.playlists.sourcesChanged();
  await until(
    'the inline list is published',
    async () => (await home.store.sources.status(added.id))?.state === 'published',
  );
  await until('it is suggested', async () => (await home.store.editReads.suggestions('open', all)).items.length === 1);
  assert.deepEqual([...(await home.keys()).keys()], ['News HD', 'Sport', 'UK: News']);
  const [pair] = (await home.store.editReads.suggestions('open', all)).items;
  const keys = await home.keys();
  await home.store.edits.resolveSuggestion(pair?.id ?? 0, 'accepted', by);
  assert.deepEqual([...(await home.keys()).keys()], ['News HD', 'Sport']);
  const news = await home.store.channels.byKey(keys.get('UK: News') ?? '');
  assert.deepEqual([news?.key, groupOf(news)], [keys.get('News HD'), '239.1.0.1']);

  home.alter("UPDATE listing SET state = 'left' WHERE name = 'News HD' AND rank = 0");
  const other = await home.store.channels.byKey(keys.get('News HD') ?? '');
  assert.deepEqual([groupOf(other), other?.key], ['239.1.0.9', keys.get('News HD')]);
});

test('a source that was removed leaves the lists at once, and comes back with its edits when it is added again', async (t) => {
  const home = await household(t, { sources: [], list: m3u(['A', 1]) });
  const source = { kind: 'file', location: home.file } as const;
  const { id } = await home.store.sources.add(source, by);
  await home.playlists.sourcesChanged();
  await until('A is published', async () => (await home.keys()).has('A'));
  const keys = await home.keys();
  await home.store.edits.editChannels({ ids: [await idOf(home, 'A')] }, { logo: 'http://l/a.png' }, by);
  await home.store.sources.remove(id, by);
  await home.playlists.sourcesChanged();
  assert.deepEqual([(await home.keys()).size, (await home.store.sources.list()).length], [0, 0]);
  assert.equal((await home.store.sources.add(source, by)).id, id);
  assert.deepEqual(await home.keys(), keys);
  assert.equal((await home.channels())[0]?.logo, 'http://l/a.png');
});

test('rules show in what is published at once, below edits, and a numbering rule gives numbers that stay', async (t) => {
  const home = await household(t, {
    list: m3u(['DE: A', 1, 'group-title="News"'], ['DE: B', 2, 'group-title="News"'], ['Late Night', 3]),
  });
  const [first, second] = await home.channels();
  await home.store.edits.editChannels({ ids: [first?.id ?? 0] }, { name: 'Mine' }, by);
  const some = { enabled: true, source: null };
  const match = (field: 'name' | 'group', pattern: string) => ({ match: { field, pattern } });
  await home.store.edits.createRule(
    { ...some, position: 1, ...match('name', '^DE: '), action: { kind: 'rename', replacement: '' } },
    by,
  );
  await home.store.edits.createRule(
    { ...some, position: 2, ...match('name', 'late night'), action: { kind: 'filter', hide: 'matching' } },
    by,
  );
  const numbers = { kind: 'number', from: 100, to: null, keepProvider: true } as const;
  await home.store.edits.createRule({ ...some, position: 3, ...match('group', '^News$'), action: numbers }, by);
  assert.equal((await ended(home, await home.playlists.applyRules())).state, 'done');
  const shown = async () => (await home.channels()).map(({ name, number }) => [name, number]);
  assert.deepEqual(await shown(), [
    ['Mine', '100'],
    ['B', '101'],
  ]);
  home.write(
    m3u(['DE: C', 4, 'group-title="News"'], ['DE: B', 2, 'group-title="News"'], ['DE: A', 1, 'group-title="News"']),
  );
  await home.playlists.refreshAll();
  assert.deepEqual(
    (await shown()).filter(([name]) => name !== 'Late Night'),
    [
      ['C', '102'],
      ['B', '101'],
      ['Mine', '100'],
    ],
  );
  assert.equal((await home.store.catalogue.channel(second?.id ?? 0))?.said.name, 'DE: B');
});

test('a rule whose pattern would never end is refused', async (t) => {
  const home = await household(t, { list: m3u(['A', 1]) });
  const rule = { position: 1, enabled: true, source: null, match: { field: 'name', pattern: '(a+)+$' } } as const;
  const made = home.store.edits.createRule({ ...rule, action: { kind: 'filter', hide: 'matching' } }, by);
  await assert.rejects(made, { code: 'invalid' });
});

test('rules reach the channels of a list that is given no longer, and its state and its counts stay', async (t) => {
  const dir = tempDir(t);
  const [a, b] = [join(dir, 'a.m3u'), join(dir, 'b.m3u')];
  writeFileSync(a, m3u(['DE: A', 1], ['H', 'http://h/h']));
  writeFileSync(b, m3u(['DE: B', 2]));
  const first = await household(t, { dir, sources: [a, b] });
  await first.stop();
  const home = await household(t, { dir, sources: [a] });
  const before = await home.store.sources.list();
  const action = { kind: 'rename', replacement: '' } as const;
  const rule = { position: 1, enabled: true, source: null, match: { field: 'name', pattern: '^DE: ' } } as const;
  await home.store.edits.createRule({ ...rule, action }, by);
  assert.equal((await ended(home, await home.playlists.applyRules())).reason, null);
  assert.deepEqual([...(await home.keys()).keys()], ['A', 'B']);
  assert.deepEqual(await home.store.sources.list(), before);
  assert.deepEqual((await home.store.refreshes.snapshots(1)).length, 1, 'the same body is kept once');
});

test('a source that is changed or removed while its server does not answer is let go at once, and a refresh goes on with the new one', async (t) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const home = await household(t, { sources: [], list: m3u(['A', 1]) });
  const { id } = await home.store.sources.add({ kind: 'url', location: `http://127.0.0.1:${port}/list` }, by);
  await home.playlists.sourcesChanged();
  await until('it is being fetched', async () => (await home.store.sources.status(id))?.state === 'fetching');
  const job = await home.playlists.refresh(id, { dryRun: false });
  const good = createServer((_request, response) => response.end(m3u(['A', 1])));
  await new Promise<void>((resolve) => good.listen(0, '127.0.0.1', resolve));
  t.after(() => good.close());
  const location = `http://127.0.0.1:${(good.address() as AddressInfo).port}/list`;
  await home.store.sources.update(id, { location }, by);
  await home.playlists.sourcesChanged();
  assert.deepEqual([(await ended(home, job)).state, [...(await home.keys()).keys()]], ['done', ['A']]);

  await home.store.sources.update(id, { location: `http://127.0.0.1:${port}/list` }, by);
  await home.playlists.sourcesChanged();
  await until('it is being fetched again', async () => (await home.store.sources.status(id))?.state === 'fetching');
  await home.store.sources.update(id, { enabled: false }, by);
  await home.playlists.sourcesChanged();
  assert.equal((await home.store.sources.status(id))?.state, 'published');
});

function groupOf(channel: Channel | null): string | null {
  const upstream = channel?.upstream;
  return upstream == null || upstream.kind === 'rtsp' ? null : upstream.address;
}
