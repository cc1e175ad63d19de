import type { TimelineItem } from '../../model/programme.js';
import { type ChannelHead, channelElement } from './channel.js';
import { programmeElement } from './programme.js';

export type WrittenChannel = ChannelHead & {
  /** What it shows, in order. Asked for once, when it is written. */
  items(): Iterable<TimelineItem>;
};

export type GuideDocument = {
  /** Each id once. */
  readonly channels: readonly WrittenChannel[];
  /** Characters that a title may have, or null. */
  readonly titleLimit: number | null;
};

/** UTF-16 units from which on a piece is handed over. */
const pieceSize = 16_384;

/**
 * A guide as XMLTV, valid by its DTD, to be encoded as UTF-8: in pieces of about 16,000 characters, all channels first, then
 * their programmes, channel by channel. Times are UTC; the only entities are those of XML.
 */
export function* writeGuide({ channels, titleLimit }: GuideDocument): Generator<string, void, undefined> {
  let piece = '<?xml version="1.0" encoding="UTF-8"?>\n<tv generator-info-name="Weir">\n';
  for (const text of elements(channels, titleLimit)) {
    piece += text;
    if (piece.length < pieceSize) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}</tv>\n`;
}

function* elements(channels: readonly WrittenChannel[], limit: number | null): Generator<string, void, undefined> {
  for (const channel of channels) yield channelElement(channel);
  for (const { id, items } of channels) {
    for (const item of items()) yield programmeElement(item, id, limit);
  }
}
