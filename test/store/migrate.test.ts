import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openLog } from '../../src/lib/log.js';
import { packagePath } from '../../src/lib/package-path.js';
import { createPlaylists } from '../../src/playlist/playlists.js';
import { openStore, type Store } from '../../src/store/open.js';
import { tempDir } from '../support/temp.js';

type Owner = { after(undo: () => void | Promise<void>): void };

const upstream = { kind: 'rtp', address: '239.1.1.1', port: 5000, source: null, interface: null };

/** What the first version of the schema had for a list of one channel. */
const content = `
  INSERT INTO snapshot (id, source, created_at, published_at, entries, channels) VALUES (1, 1, 1, 1, 1, 1);
  INSERT INTO source (id, kind, location, position, given, state, snapshot, refreshes, refreshed_at, published_at)
    VALUES (1, 'file', '/lists/a.m3u', 0, 1, 'published', 1, 1, 1, 1);
  INSERT INTO entry (id, source) VALUES (1, 1);
  INSERT INTO snapshot_entry VALUES
    (1, 0, 1, 'present', NULL, NULL, 2, '', 'One', NULL, NULL, '[]', NULL, '[]', '[]', '${JSON.stringify(upstream)}');
  INSERT INTO channel (id, key, created_at) VALUES (1, 'abcd2345', 1);
  INSERT INTO channel_entry (channel, entry, rank) VALUES (1, 1, 0);
`;

const steps = ['0001-catalogue', '0002-source-network', '0003-catalogue-edits', '0004-list-pages', '0005-guide'];

/** A store opened on a database of an old version. */
async function migrated(t: Owner, rows: string, version = 1): Promise<Store> {
  const dir = tempDir(t);
  const raw = new Database(join(dir, 'weir.db'));
  raw.pragma('foreign_keys = OFF');
  for (const step of steps.slice(0, version)) raw.exec(readFileSync(packagePath(`migrations/${step}.sql`), 'utf8'));
  raw.pragma(`user_version = ${version}`);
  raw.exec(rows);
  raw.close();
  const store = await openStore({ dir });
  t.after(() => store.close());
  return store;
}

const one = {
  ...{ id: 1, key: 'abcd2345', name: 'One', number: null, groups: [], logo: null, tvgId: null, guideShift: null },
  ...{ radio: false, extras: null, direct: null, archive: null },
};

test('a database of the first version keeps its lists, channels and edits, and both may have an interface from then on', async (t) => {
  const store = await migrated(t, content);
  assert.deepEqual(await store.channels.list(), [{ ...one, upstream, membershipRefresh: null }]);
  const [source] = await store.sources.list();
  assert.deepEqual([source?.location, source?.interface, source?.channels], ['/lists/a.m3u', null, 1]);
  await store.sources.give([{ location: '/lists/a.m3u', interface: 'eth1', membership_refresh: 30 }]);
  assert.deepEqual(await store.channels.byId(1), {
    ...one,
    upstream: { ...upstream, interface: 'eth1' },
    membershipRefresh: 30,
  });
});

test('edits of a database of the first version are shown, and may be changed', async (t) => {
  const store = await migrated(
    t,
    `${content} INSERT INTO channel_override (channel, name, groups) VALUES (1, 'Mine', '["G"]');`,
  );
  const [channel] = await store.channels.list();
  assert.deepEqual([channel?.name, channel?.groups], ['Mine', ['G']]);
  await store.edits.editChannels({ ids: [1] }, { name: null }, { actor: { key: null, name: 'test' } });
  assert.deepEqual((await store.channels.byId(1))?.name, 'One');
});

test('the interface that a line names wins over that of its list', async (t) => {
  const store = await migrated(t, content.replace('"interface":null', '"interface":"eth7"'));
  await store.sources.give([{ location: '/lists/a.m3u', interface: 'eth1', membership_refresh: null }]);
  assert.equal((await store.channels.byId(1))?.upstream?.interface, 'eth7');
});

/** A list of 601 entries as the third version had it: each third is no channel, the last one is missing, the first one was renamed. */
function listOfThird(): string {
  const said = (n: number) =>
    JSON.stringify({
      ...{ tvgName: null, number: String(n), logo: null, radio: n === 1, guideShift: null },
      ...{ urls: [{ url: `udp://239.1.1.${n}:5000`, label: null, headers: {} }], headers: {}, catchup: null },
      ...{ attributes: [['x-rank', `"${n}"`]], directives: [] },
    });
  const rows = Array.from({ length: 601 }, (_, n) => {
    const state = n === 600 ? "'missing', 7, 2" : "'present', NULL, NULL";
    const [kind, name, groups] = [n % 3 === 2 ? 'movie' : 'live', `Entry ${n}`, n === 0 ? '[]' : '["G"]'];
    const entry = `INSERT INTO snapshot_entry VALUES (1, ${n}, ${n + 1}, ${state}, ${n + 2}, '${kind}', 'udp://239.1.1.${n}:5000', '${name}',
      ${n === 0 ? "'id.0'" : 'NULL'}, '${groups}', '${said(n)}'); INSERT INTO entry (id, source) VALUES (${n + 1}, 1);`;
    if (kind === 'movie') return entry;
    const shown = n === 0 ? "'Mine', 'mine' || char(10) || 'entry 0'" : `'${name}', 'entry ${n}'`;
    return `${entry} INSERT INTO channel (id, key, created_at) VALUES (${n + 1}, 'key${n}', 1); INSERT INTO channel_entry VALUES (${n + 1}, ${n + 1}, 0);
      INSERT INTO listing VALUES (1, ${n}, ${n + 1}, ${n + 1}, 0, '${n === 600 ? 'missing' : 'present'}', 0, NULL, ${shown}, '${n}', '${groups}',
        NULL, NULL, NULL, 0, 'udp://239.1.1.${n}:5000', '{}', NULL);`;
  });
  return `INSERT INTO snapshot (id, source, created_at, state) VALUES (1, 1, 1, 'published');
    INSERT INTO source (id, kind, location, position, given, state, snapshot) VALUES (1, 'file', '/lists/a.m3u', 0, 1, 'published', 1);
    ${rows.join('\n')}`;
}

test('entries of a database of the third version are by pages from then on: read, searched and edited as before', async (t) => {
  const store = await migrated(t, listOfThird(), 3);
  const entries = (await store.entries.page({}, { after: null, limit: 1000 })).items;
  assert.deepEqual(
    entries.map(({ id, name }) => [id, name]),
    Array.from({ length: 601 }, (_, n) => [n + 1, `Entry ${n}`]),
  );
  assert.deepEqual(entries[1], {
    ...{ id: 2, source: 1, state: 'present', missingSince: null, channel: 2, line: 3, kind: 'live', name: 'Entry 1' },
    ...{ tvgId: null, groups: ['G'], tvgName: null, number: '1', logo: null, radio: true, guideShift: null },
    ...{ urls: [{ url: 'udp://239.1.1.1:5000', label: null, headers: {} }], headers: {}, catchup: null },
    ...{ attributes: [['x-rank', '"1"']], directives: [] },
  });
  assert.deepEqual([entries[2]?.kind, entries[2]?.channel], ['movie', null]);
  assert.deepEqual([entries[600]?.state, entries[600]?.missingSince], ['missing', 7]);
  const found = async (q: string) =>
    (await store.catalogue.channels({ q }, { after: null, limit: 10 })).items.map(({ id }) => id);
  assert.deepEqual([await found('entry 599'), await found('entry 598'), await found('mine entry 0')], [[], [599], [1]]);
  const served = await store.snapshots.inService(1);
  assert.deepEqual(served[600]?.missing, { since: 7, refresh: 2, left: false });
  await store.edits.editChannels({ ids: [1] }, { number: '9' }, { actor: { key: null, name: 'test' } });
  const edited = await store.catalogue.channel(1);
  assert.deepEqual([edited?.name, edited?.number, edited?.tvgId], ['Entry 0', '9', 'id.0']);
});

/** A list as the fifth version had it: its one channel is reached by RTSP, and has an archive that only the list knew. */
function rtspOfFifth(url: string): string {
  const said = {
    ...{ line: 2, kind: 'live', name: 'One', tvgId: null, groups: [], tvgName: null, number: null, logo: null },
    ...{ radio: false, guideShift: null, urls: [{ url, label: null, headers: {} }], headers: {} },
    ...{ catchup: { mode: 'append', source: '?a={utc}', days: 3, correction: null }, attributes: [], directives: [] },
  };
  const source =
    '(id, kind, location, content, position, given, state, snapshot, etag, body_hash, next_refresh_at, published_at)';
  return `INSERT INTO snapshot (id, source, created_at, state) VALUES (1, 1, 1, 'published');
    INSERT INTO source ${source} VALUES (1, 'inline', 'inline:a', '#EXTM3U', 0, 0, 'published', 1, '"e"', 'h', 9, 1);
    INSERT INTO entry (id, source) VALUES (1, 1);
    INSERT INTO snapshot_page VALUES (1, 0, '[1]', '[${JSON.stringify(said)}]');
    INSERT INTO channel (id, key, created_at) VALUES (1, 'abcd2345', 1);
    INSERT INTO channel_entry (channel, entry, rank) VALUES (1, 1, 0);
    INSERT INTO listing VALUES (1, 0, 1, 1, 0, 'present', 0, NULL, 'One', 'one', NULL, '[]', NULL, NULL, NULL, 0, '${url}', NULL, NULL);
    INSERT INTO listing_page (snapshot, page, search) VALUES (1, 0, 'one');
    INSERT INTO channel_override (channel, catchup) VALUES (1, '{"mode":"shift","source":null,"days":2,"correction":null}');`;
}

test('channels by RTSP of a database of the fifth version are published, and their lists read and listed again', async (t) => {
  const url = 'RTSP://a:b@h:8554/1?c=d';
  const store = await migrated(t, rtspOfFifth(url), 5);
  const [channel] = await store.channels.list();
  assert.deepEqual([channel?.upstream, channel?.direct], [{ kind: 'rtsp', url, interface: null }, null]);
  const row = await store.sources.byId(1);
  assert.deepEqual([row?.etag, row?.body_hash, row?.next_refresh_at, row?.catchup], [null, null, null, null]);
  assert.deepEqual(await store.sources.listedOtherwise(), [1]);
  const held = await store.catchups.of(1);
  assert.deepEqual([held?.mode, held?.days, held?.urls, held?.said.mode], ['shift', 2, [url], 'override']);
  assert.ok(await store.rtspHosts.has('H', 8554));
  const undone = { catchup: null };
  await store.edits.editChannels({ ids: [1] }, undone, { actor: { key: null, name: 'test' } });
  assert.deepEqual((await store.channels.byId(1))?.archive, { days: 3, scheme: 'rtsp' });
});

test('archives of a database of the fifth version are listed when lists are kept again, without asking any server', async (t) => {
  const store = await migrated(
    t,
    rtspOfFifth('rtsp://h/1').replace("'inline:a', '#EXTM3U'", "'http://127.0.0.1:9/a', NULL"),
    5,
  );
  const playlists = createPlaylists({ store, log: openLog('error'), sources: [] });
  t.after(() => playlists.stop());
  await playlists.start();
  assert.deepEqual((await store.channels.byId(1))?.archive, { days: 2, scheme: 'rtsp' });
  assert.deepEqual(await store.sources.listedOtherwise(), []);
});
