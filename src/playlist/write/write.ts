import type { Channel } from '../../model/channel.js';
import { m3uEntries, m3uHeader } from './m3u.js';
import type { WriteOptions } from './options.js';
import { txtPieces } from './txt.js';

/** Bytes: enough for few writes, few enough for other work in between. */
const chunkSize = 65_536;
/** UTF-8 of a UTF-16 unit at most. */
const bytesOfUnit = 3;

/**
 * Writes a list for a family of players, as UTF-8 in chunks of about 64 KiB: line feeds only, no byte order mark, the header first
 * and the address right below its `#EXTINF` where the players allow it. Each channel is one entry, in the order given;
 * what the relay cannot receive is written with its provider's address, or left out when that is null.
 */
export function writePlaylist(channels: Iterable<Channel>, options: WriteOptions): Generator<Buffer, void, undefined> {
  return encoded(options.format === 'm3u' ? m3uPieces(channels, options) : txtPieces(channels, options));
}

function* m3uPieces(channels: Iterable<Channel>, options: WriteOptions): Generator<string, void, undefined> {
  yield m3uHeader(options);
  yield* m3uEntries(channels, options);
}

/** Pieces of a list as UTF-8, in chunks of about 64 KiB. */
export function* encoded(pieces: Iterable<string>): Generator<Buffer, void, undefined> {
  let chunk = Buffer.allocUnsafe(chunkSize);
  let used = 0;
  // Each piece is encoded by itself: a single Chinese name would have the strings of its whole chunk widened.
  for (const piece of pieces) {
    const room = piece.length * bytesOfUnit;
    if (used + room > chunk.length) {
      yield chunk.subarray(0, used);
      chunk = Buffer.allocUnsafe(Math.max(chunkSize, room));
      used = 0;
    }
    used += chunk.write(piece, used);
  }
  yield chunk.subarray(0, used);
}
