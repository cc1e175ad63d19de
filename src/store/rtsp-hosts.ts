import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Connection } from './connection.js';

/** The servers of RTSP that lists in service name, in addresses and in templates. */
export interface RtspHosts {
  /** `host` in any case, an IPv6 address without brackets. */
  has(host: string, port: number): Promise<boolean>;
}

/** Servers as `host:port`, in lower case. */
type Servers = ReadonlySet<string>;
type Known = { readonly generation: number; readonly servers: Promise<readonly Servers[]> };

export function createRtspHosts({ raw }: Connection): RtspHosts {
  const generation = raw.prepare('SELECT generation FROM catalogue').pluck();
  /** What is said of a snapshot never changes. */
  const bySnapshot = new Map<number, Promise<Servers>>();
  let known: Known | null = null;
  const read = async () => {
    const snapshots = served(raw);
    for (const old of bySnapshot.keys()) if (!snapshots.includes(old)) bySnapshot.delete(old);
    for (const one of snapshots) if (!bySnapshot.has(one)) bySnapshot.set(one, serversOf(raw, one));
    return [settingsServers(raw), ...(await Promise.all(bySnapshot.values()))];
  };
  return {
    async has(host, port) {
      const now = generation.get() as number;
      if (known?.generation !== now) known = { generation: now, servers: read() };
      const wanted = `${host.toLowerCase()}:${port}`;
      return (await known.servers).some((servers) => servers.has(wanted));
    },
  };
}

function served(raw: Database.Database): number[] {
  const snapshots = raw.prepare('SELECT snapshot FROM source WHERE listed = 1 AND snapshot IS NOT NULL');
  return snapshots.pluck().all() as number[];
}

type Page = { readonly page: number; readonly said: string };

/** Page by page: other work of this thread waits some 2 ms for one. */
async function serversOf(raw: Database.Database, snapshot: number): Promise<Servers> {
  const next = raw.prepare(`SELECT page, said FROM snapshot_page
    WHERE snapshot = ? AND page > ? AND said LIKE '%rtsp://%' ORDER BY page LIMIT 1`);
  const servers = new Set<string>();
  let page = -1;
  for (;;) {
    const found = next.get(snapshot, page) as Page | undefined;
    if (found === undefined) return servers;
    addServers(found.said, servers);
    page = found.page;
    await nextTurn();
  }
}

/** Of the templates that the household set. */
function settingsServers(raw: Database.Database): Servers {
  const texts = raw.prepare(`SELECT catchup FROM channel_override WHERE catchup LIKE '%rtsp://%'
    UNION ALL SELECT catchup FROM source WHERE listed = 1 AND catchup LIKE '%rtsp://%'`);
  const servers = new Set<string>();
  for (const text of texts.pluck().all() as string[]) addServers(text, servers);
  return servers;
}

/** Account, host and port wherever an address stands in JSON. */
const address = /\brtsp:\/\/(?:[^/?#"\\\s]*@)?(?:\[([\da-f:.]+)\]|([^/?#:"\\\s|$[\]]+))(?::(\d{1,5}))?/gi;
const usualPort = 554;

function addServers(text: string, servers: Set<string>): void {
  for (const [, literal, name = '', port] of text.matchAll(address)) {
    servers.add(`${(literal ?? name).toLowerCase()}:${port ?? usualPort}`);
  }
}
