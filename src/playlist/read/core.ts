import { createRequire } from 'node:module';
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

/**
 * The entries of a list, each of them written in a canonical form and read by iptv-playlist-parser again. What that
 * package does not model stands beside; where it reads another name, id, logo, group or address, ours stands and the
 * entry is counted.
 */
export class Entries {
  readonly read: PlaylistEntry[] = [];
  differences = 0;
  /** Entries before this one were compared. */
  #compared = 0;

  /** Whether there is one too many: nothing more need be read. */
  get isOverfull(): boolean {
    return this.read.length > mostEntries;
  }

  add(entry: PlaylistEntry): void {
    this.read.push(entry);
    if (this.read.length === this.#compared + sliceSize) this.flush();
  }

  /** To be called behind the last one. */
  flush(): void {
    const slice = this.read.slice(this.#compared);
    if (slice.length === 0) return;
    const { items } = parser().parse(canonical(slice));
    for (const [index, entry] of slice.entries()) {
      const item = items[index];
      if (item === undefined || !isSame(item, entry)) this.differences += 1;
    }
    this.#compared = this.read.length;
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

function isSame({ name, tvg, group, url }: Item, entry: PlaylistEntry): boolean {
  return (
    name === entry.name &&
    tvg.id === (entry.tvgId ?? '') &&
    tvg.name === (entry.tvgName ?? '') &&
    tvg.logo === (entry.logo ?? '') &&
    group.title === entry.groups.join(';') &&
    url === entry.urls[0]?.url
  );
}
