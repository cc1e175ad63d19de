import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Channel } from '../model/channel.js';
import type { Upstream } from '../model/stream.js';
import type { Connection } from './connection.js';
import type { Tables } from './tables.js';

export interface Channels {
  /** What is published, in the order of the sources and their lists. */
  list(): Promise<Channel[]>;
  /** The published channel of a key, or null. */
  byKey(key: string): Promise<Channel | null>;
  /** The published channel of an id, or null. */
  byId(id: number): Promise<Channel | null>;
  /** A number that is another one whenever the published list may have changed. */
  generation(): Promise<number>;
}

/** Rows read in one go: other work of this thread waits about 10 ms for them. */
const page = 2000;

/** The published channels, effective values: what the user set, else what the provider says. */
export function createChannels({ db }: Connection): Channels {
  const published = () => db.selectFrom('published_channel').selectAll();
  const generation = async () =>
    (await db.selectFrom('catalogue').select('generation').executeTakeFirstOrThrow()).generation;

  const listSnapshot = async (snapshot: number, channels: Channel[]) => {
    let position = -1;
    for (;;) {
      const next = published().where('snapshot', '=', snapshot).where('position', '>', position);
      const rows = await next.orderBy('position').limit(page).execute();
      for (const row of rows) channels.push(toChannel(row));
      if (rows.length < page) return;
      position = rows.at(-1)?.position ?? position;
      await nextTurn();
    }
  };
  const listOnce = async () => {
    const listed = db.selectFrom('source').select('snapshot').where('listed', '=', 1).where('snapshot', 'is not', null);
    const channels: Channel[] = [];
    for (const { snapshot } of await listed.orderBy('given', 'desc').orderBy('position').orderBy('id').execute()) {
      if (snapshot !== null) await listSnapshot(snapshot, channels);
    }
    return channels;
  };
  return {
    generation,
    /** Read again when something was published in between, so that a list never mixes two states. */
    async list() {
      for (;;) {
        const before = await generation();
        const channels = await listOnce();
        if ((await generation()) === before) return channels;
      }
    },
    async byKey(key) {
      const row = await published().where('key', '=', key).executeTakeFirst();
      return row === undefined ? null : toChannel(row);
    },
    async byId(id) {
      const row = await published().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : toChannel(row);
    },
  };
}

function toChannel(row: Selectable<Tables['published_channel']>): Channel {
  const { id, key, name, logo, tvg_id: tvgId, membership_refresh: membershipRefresh } = row;
  const groups = JSON.parse(row.groups) as string[];
  const upstream = JSON.parse(row.upstream) as Upstream;
  // What the line itself says wins over what is said of the whole list.
  const received = { ...upstream, interface: upstream.interface ?? row.interface };
  return { id, key, name, groups, logo, tvgId, upstream: received, membershipRefresh };
}
