import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { packagePath } from '../../src/lib/package-path.js';
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

/** A store opened on a database of the first version. */
async function migrated(t: Owner, rows: string): Promise<Store> {
  const dir = tempDir(t);
  const raw = new Database(join(dir, 'weir.db'));
  raw.pragma('foreign_keys = OFF');
  raw.exec(readFileSync(packagePath('migrations/0001-catalogue.sql'), 'utf8'));
  raw.pragma('user_version = 1');
  raw.exec(rows);
  raw.close();
  const store = await openStore({ dir });
  t.after(() => store.close());
  return store;
}

const one = {
  ...{ id: 1, key: 'abcd2345', name: 'One', number: null, groups: [], logo: null, tvgId: null, guideShift: null },
  ...{ radio: false, extras: null, direct: null },
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
