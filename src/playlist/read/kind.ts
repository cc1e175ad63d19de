import type { Attribute, Directive, EntryKind } from '../../model/entry.js';
import { attributeOf } from './attributes.js';
import { hasOwnCatchup } from './catchup.js';

type Said = {
  /** Of its EXTINF line, in seconds. */
  readonly duration: number;
  readonly name: string;
  readonly groups: readonly string[];
  readonly url: string;
  readonly radio: boolean;
  readonly attributes: readonly Attribute[];
  readonly directives: readonly Directive[];
};

/** Containers that are written whole before they are played. */
const mediaFile = /\.(?:mkv|mp4|avi|m4v|mov|wmv|divx|vob|rmvb|m2ts)$/i;
/** Of files and of live streams alike. */
const mixedFile = /\.(?:mpe?g|webm|flv|ogv|3gp|asf)$/i;
/** Words of an address that live streams are served under, whatever it ends in. */
const livePath = /(?:^|[/_.-])(?:live|stream(?:ing)?s?|channels?|cam(?:era)?s?|iptv|hls|udp|rtp)(?=$|[/_.-]|\d)/i;
/** Panels of the Xtream family: `/movie/user/password/123.mkv`. */
const panelPath = /^\/(movie|series)\/[^/]+\/[^/]+\/\d+(?:\.\w{1,5})?$/i;
const vodPath = /\/(?:movies?|series|vod|films?|episodes?)\//i;
/** "Movies" alone is what live film channels are grouped under too. */
const vodGroup = /(?<![a-z])(?:vod|on[ -]?demand)(?![a-z])|点播/i;
const seriesGroup = /(?<![a-z])(?:s[eé]ries?|serien|tv[ -]?shows?)(?![a-z])|сериал|电视剧|剧集/i;
const episode = /\bs\d{1,2}[ ._-]?e\d{1,3}\b|\b\d{1,2}x\d{2}\b|\bseason \d+/i;
/** A channel is no shorter; numbers of channels stand there too, so it never counts alone. */
const shortestFilm = 60;

const declaredKinds = new Map<string, EntryKind>([
  ['live', 'live'],
  ['channel', 'live'],
  ['radio', 'live'],
  ['tv', 'live'],
  ['movie', 'movie'],
  ['movies', 'movie'],
  ['film', 'movie'],
  ['vod', 'movie'],
  ['serie', 'series'],
  ['series', 'series'],
  ['episode', 'series'],
  ['tvshow', 'series'],
  ['tvshows', 'series'],
]);

/**
 * Tells movies and series from live channels. A channel taken for a movie would be missing from every playlist, so
 * whatever speaks for live wins, and weak signs count in twos only.
 */
export function kindOf(said: Said): EntryKind {
  const declared =
    (attributeOf(said.attributes, 'tvg-type') ?? attributeOf(said.attributes, 'type'))
      ?.toLowerCase()
      .replace(/[\s_-]/g, '') ?? '';
  const known = declaredKinds.get(declared);
  if (known !== undefined) return known;
  const path = webPath(said.url);
  if (path === null || said.radio || hasOwnCatchup(said.attributes)) return 'live';
  const panel = panelPath.exec(path)?.[1]?.toLowerCase();
  if (panel !== undefined) return panel === 'series' ? 'series' : 'movie';
  return isVod(said, path) ? vodKind(said, path) : 'live';
}

/** The path of an http address, or null: movies are not sent in any other way. */
function webPath(url: string): string | null {
  const host = /^https?:\/\/[^/?#]*/i.exec(url);
  if (host === null) return null;
  const rest = url.slice(host[0].length);
  return rest.slice(0, rest.search(/[?#]|$/));
}

function isVod(said: Said, path: string): boolean {
  if (isMarked(said)) return true;
  const isFile = mediaFile.test(path);
  const isLivePath = livePath.test(path);
  if (isFile && !isLivePath) return true;
  let signs = 0;
  if (isFile || mixedFile.test(path)) signs += 1;
  if (!isLivePath && vodPath.test(path)) signs += 1;
  if (said.duration >= shortestFilm) signs += 1;
  if (said.groups.some((group) => vodGroup.test(group))) signs += 1;
  if (episode.test(said.name)) signs += 1;
  return signs >= 2;
}

/** As Kodi marks recordings, or as HLS does (RFC 8216 §4.3.3.5). */
function isMarked({ attributes, directives }: Said): boolean {
  if (/^(?:true|1|yes)$/i.test(attributeOf(attributes, 'media') ?? '')) return true;
  return directives.some(({ name, value }) => /^EXT-X-PLAYLIST-TYPE$/i.test(name) && /^VOD$/i.test(value));
}

function vodKind({ name, groups }: Said, path: string): EntryKind {
  const isSeries = /\/(?:series|episodes?)\//i.test(path) || episode.test(name);
  return isSeries || groups.some((group) => seriesGroup.test(group)) ? 'series' : 'movie';
}
