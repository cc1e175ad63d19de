import type { Playlist } from './entry.js';
import { readM3u } from './m3u.js';
import { decodeText, type FallbackDecoder } from './text.js';
import { looksLikeTxt, readTxt } from './txt.js';

type Options = {
  /** Header fields set for the whole list; what the list itself says is nearer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For lines that are not UTF-8; Windows-1252 unless said. */
  readonly fallback?: FallbackDecoder;
};

/**
 * Reads an M3U or TXT list of channels. Never throws: what cannot be read is reported with its line, and what is no list
 * at all is refused with a reason.
 */
export function readPlaylist(bytes: Uint8Array, { headers = {}, fallback }: Options = {}): Playlist {
  const text = decodeText(bytes, fallback);
  const refusal = refuse(text);
  if (refusal !== null) return refused(refusal);
  const isTxt = !/#EXTINF/i.test(text) && looksLikeTxt(text);
  const { header, entries, problems } = isTxt ? readTxt(text, headers) : readM3u(text, headers);
  const empty = entries.length === 0 ? 'It names no channel: there is no #EXTINF line with an address below it.' : null;
  return { header: { attributes: header }, entries, problems, refusal: empty };
}

function refused(refusal: string): Playlist {
  const problems = [{ line: 1, code: 'not-a-playlist', message: refusal } as const];
  return { header: { attributes: [] }, entries: [], problems, refusal };
}

/** What is told from the first characters, and HLS by tags that only it has (RFC 8216 §4.3). */
function refuse(text: string): string | null {
  const start = text.slice(0, 1000).trimStart();
  if (text.trim() === '') return 'It is empty.';
  if (/^<\?xml|^<tv\b/i.test(start) && !/<html/i.test(start)) return 'It is an XML file, perhaps a guide, not a list.';
  if (/^<(?:!doctype|!--|html|head|body|\?xml)/i.test(start)) return 'It is an HTML page, not a list.';
  if (/^\{\s*["}]|^\[\s*(?:[[{"\]]|$)/.test(start)) return 'It is JSON, not an M3U or TXT list.';
  if (start.includes('\0')) return 'It is a binary file, not a list.';
  if (/^#EXT-X-(?:TARGETDURATION|MEDIA-SEQUENCE|STREAM-INF)\b/m.test(text)) {
    return 'It is the HLS playlist of one stream, not a list of channels.';
  }
  return null;
}
