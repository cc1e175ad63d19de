import { createRequire } from 'node:module';
import { inChunks } from '../../lib/chunks.js';
import type { PlaylistEntry } from './entry.js';

type Item = {
  readonly name: string;
  readonly tvg: { readonly id: string; readonly name: string; readonly logo: string };
  readonly group: { readonly title: string };
  readonly url: string;
};
type Parser = { parse(list: string): { readonly items: readonly Item[] } };

/** Three times the longest lists that are met. */
export const mostEntries = 1_000_000;
/** Entries that the package reads in one go: it makes several copies of what it is given. */
const sliceSize = 1000;

let loaded: Parser | null = null;

/** The package adds methods to `String.prototype`: it is loaded only where a list is read, which is never the main thread. */
function parser(): Parser {
  loaded ??= createRequire(import.meta.url)('iptv-playlist-parser') as Parser;
  return loaded;
}

/** The entries of a list, as we read them and as iptv-playlist-parser does. */
export class Entries {
  readonly read: PlaylistEntry[] = [];
  #compared: number | null = null;

  /** Whether there is one too many: nothing more need be read. */
  get isOverfull(): boolean {
    return this.read.length > mostEntries;
  }

  add(entry: PlaylistEntry): void {
    this.read.push(entry);
  }

  /**
   * Has each entry written in a canonical form and read by the package again. What that does not model stands beside; where it
   * reads another name, id, logo, group or address, ours stands and the entry is counted. It takes as long as reading does.
   */
  get differences(): number {
    this.#compared ??= this.#compare();
    return this.#compared;
  }

  #compare(): number {
    let count = 0;
    for (const slice of inChunks(this.read, sliceSize)) {
      const { items } = parser().parse(canonical(slice));
      count += slice.filter((entry, index) => !isSame(items[index], entry)).length;
    }
    return count;
  }
}

function canonical(entries: readonly PlaylistEntry[]): string {
  const lines = ['#EXTM3U'];
  for (const { name, tvgId, tvgName, logo, groups, urls } of entries) {
    const id = tvgId === null ? '' : ` tvg-id="${tvgId}"`;
    const guideName = tvgName === null ? '' : ` tvg-name="${tvgName}"`;
    const picture = logo === null ? '' : ` tvg-logo="${logo}"`;
    const group = groups.length === 0 ? '' : ` group-title="${groups.join(';')}"`;
    lines.push(`#EXTINF:-1${id}${guideName}${picture}${group},${name}`, urls[0]?.url ?? '');
  }
  return lines.join('\n');
}

function isSame(item: Item | undefined, entry: PlaylistEntry): boolean {
  if (item === undefined) return false;
  const { name, tvg, group, url } = item;
  return (
    name === entry.name &&
    tvg.id === (entry.tvgId ?? '') &&
    tvg.name === (entry.tvgName ?? '') &&
    tvg.logo === (entry.logo ?? '') &&
    group.title === entry.groups.join(';') &&
    url === entry.urls[0]?.url
  );
}
