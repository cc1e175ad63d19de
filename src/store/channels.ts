import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import type { Archive } from '../model/archive.js';
import type { Channel, Extras } from '../model/channel.js';
import type { Upstream } from '../model/stream.js';
import type { Connection } from './connection.js';
import type { Tables } from './tables.js';

export interface Channels {
  /** What is published, in order: those that the user put somewhere, then the others as their sources and lists have them. */
  list(): Promise<Channel[]>;
  /** The published channel of a key, or of one that was merged into another; null when there is none. */
  byKey(key: string): Promise<Channel | null>;
  /** The published channel of an id, or null. */
  byId(id: number): Promise<Channel | null>;
  /** A number that is another one whenever the published list may have changed. */
  generation(): Promise<number>;
}

/** Rows read in one go: other work of this thread waits about 10 ms for them. */
const page = 2000;
/** Merges that are followed from a key. */
const mergeDepth = 10;

/** The published channels, effective values: what the user set, else what rules and the provider say. */
export function createChannels({ db }: Connection): Channels {
  const published = () =>
    db
      .selectFrom('shown_channel')
      .selectAll()
      .where('hidden', '=', 0)
      .where((e) => e.or([e('upstream', 'is not', null), e('publish_direct', '=', 1)]));
  const generation = async () =>
    (await db.selectFrom('catalogue').select('generation').executeTakeFirstOrThrow()).generation;

  const listSnapshot = async (snapshot: number, channels: Channel[]) => {
    let position = -1;
    for (;;) {
      const next = published().where('snapshot', '=', snapshot).where('position', '>', position);
      const rows = await next.where('sort_order', 'is', null).orderBy('position').limit(page).execute();
      for (const row of rows) channels.push(toChannel(row));
      if (rows.length < page) return;
      position = rows.at(-1)?.position ?? position;
      await nextTurn();
    }
  };
  const listOnce = async () => {
    const listed = db.selectFrom('source').select('snapshot').where('listed', '=', 1).where('snapshot', 'is not', null);
    const snapshots = await listed.orderBy('given', 'desc').orderBy('position').orderBy('id').execute();
    const ordered = published().where('sort_order', 'is not', null).orderBy('sort_order').orderBy('id');
    const channels = (await ordered.execute()).map(toChannel);
    for (const { snapshot } of snapshots) if (snapshot !== null) await listSnapshot(snapshot, channels);
    return channels;
  };
  const byId = async (id: number) => {
    const row = await published().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toChannel(row);
  };
  return {
    generation,
    byId,
    /** Read again when something was published in between, so that a list never mixes two states. */
    async list() {
      for (;;) {
        const before = await generation();
        const channels = await listOnce();
        if ((await generation()) === before) return channels;
      }
    },
    async byKey(key) {
      const columns = db.selectFrom('channel').select(['id', 'merged_into']);
      let row = await columns.where('key', '=', key).executeTakeFirst();
      for (let depth = 0; row?.merged_into != null && depth < mergeDepth; depth += 1) {
        row = await columns.where('id', '=', row.merged_into).executeTakeFirst();
      }
      return row === undefined ? null : await byId(row.id);
    },
  };
}

function toChannel(row: Selectable<Tables['shown_channel']>): Channel {
  const { id, key, name, number, logo, tvg_id: tvgId, guide_shift: guideShift, url } = row;
  const upstream = row.upstream === null ? null : (JSON.parse(row.upstream) as Upstream);
  return {
    id,
    key,
    name,
    number,
    groups: JSON.parse(row.groups) as string[],
    logo,
    tvgId,
    guideShift,
    radio: row.radio === 1,
    extras: row.extras === null ? null : (JSON.parse(row.extras) as Extras),
    // What the line itself says wins over what is said of the whole list.
    upstream: upstream === null ? null : { ...upstream, interface: upstream.interface ?? row.interface },
    direct: upstream === null ? url : null,
    membershipRefresh: row.membership_refresh,
    archive: row.archive === null ? null : (JSON.parse(row.archive) as Archive),
  };
}
