import { decodeText, type Encoding } from '../../lib/encoding.js';
import { mostEntries } from './core.js';
import type { Playlist } from './entry.js';
import { readM3u } from './m3u.js';
import { headSize, refuseHead, refuseText } from './refuse.js';
import { looksLikeTxt, readTxt } from './txt.js';

type Options = {
  /** Header fields set for the whole list; what the list itself says is nearer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of lines that are not UTF-8; null guesses. */
  readonly encoding?: Encoding | null;
  /** The list's own address, which relative ones are resolved against; null when it has none. */
  readonly base?: string | null;
};

/**
 * Reads an M3U or TXT list of channels. Never throws: what cannot be read is reported with its line, and what is no list
 * at all is refused with a reason. It takes a processor while it runs, and loads a package that adds methods to
 * `String.prototype`: it is called in worker threads and by short commands only.
 */
export function readPlaylist(bytes: Uint8Array, options: Options = {}): Playlist {
  const { headers = {}, encoding = null, base = null } = options;
  const early = refuseHead(decodeText(bytes.subarray(0, headSize), encoding));
  if (early !== null) return refused(early);
  // Some editors leave one; no player shows it, and SQL ends a text there.
  const text = decodeText(bytes, encoding).replaceAll('\0', '');
  const late = refuseText(text);
  if (late !== null) return refused(late);
  const isTxt = !/#EXTINF/i.test(text) && looksLikeTxt(text);
  const { header, entries, problems, differences } = (isTxt ? readTxt : readM3u)(text, { headers, base });
  if (entries.length > mostEntries) return refused(`It has more than ${mostEntries.toLocaleString('en')} entries.`);
  const refusal =
    entries.length === 0 ? 'It names no channel: there is no #EXTINF line with an address below it.' : null;
  if (refusal !== null) problems.add(1, 'not-a-playlist', refusal);
  return {
    header: { attributes: header },
    entries,
    problems: problems.list,
    get differences() {
      return differences();
    },
    refusal,
  };
}

function refused(refusal: string): Playlist {
  const problems = [{ line: 1, code: 'not-a-playlist', message: refusal } as const];
  return { header: { attributes: [] }, entries: [], problems, differences: 0, refusal };
}
