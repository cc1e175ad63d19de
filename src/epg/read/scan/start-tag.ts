/** What a start tag of a programme or channel says, as places in the bytes; −1 where it does not. One object for all tags. */
export type StartTag = {
  /** Behind its `>`. */
  end: number;
  isSelfClosed: boolean;
  startFrom: number;
  startTo: number;
  stopFrom: number;
  stopTo: number;
  channelFrom: number;
  channelTo: number;
  /** Begin and end, by turns, of each attribute that is none of these. */
  readonly others: number[];
};

export type TagState = 'whole' | 'unfinished' | 'broken';

const greater = 0x3e;
const less = 0x3c;
const slash = 0x2f;
const lineFeed = 0x0a;
const equals = 0x3d;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/** Bytes. Longer start tags are broken ones: a quotation mark is missing. */
const longest = 16 * 1024;

/** By byte: 1 of those that neither end a value nor may be what stands behind one whose mark is missing. */
const isPlain = new Uint8Array(256).fill(1);
for (const byte of [doubleQuote, singleQuote, greater, lineFeed]) isPlain[byte] = 0;

export function createTag(): StartTag {
  return {
    end: -1,
    isSelfClosed: false,
    startFrom: -1,
    startTo: -1,
    stopFrom: -1,
    stopTo: -1,
    channelFrom: -1,
    channelTo: -1,
    others: [],
  };
}

/**
 * Reads a start tag: attributes in any order, either quotation mark or none, blanks around `=`, `>` in values.
 * @param at behind the name of the element.
 * @param to where the bytes end: a tag that goes on behind is `unfinished`. `broken` is one in whose value a tag or a
 * line ends and a tag begins.
 */
export function readTag(bytes: Uint8Array, at: number, to: number, tag: StartTag): TagState {
  reset(tag);
  const limit = Math.min(to, at + longest);
  const atLimit = limit === to ? 'unfinished' : 'broken';
  for (let next = at; next < limit; ) {
    const byte = bytes[next] ?? 0;
    if (byte === less) return 'broken';
    if (byte === greater) {
      tag.end = next + 1;
      tag.isSelfClosed = bytes[next - 1] === slash;
      return 'whole';
    }
    next = isBlank(byte) || byte === slash ? next + 1 : readAttribute(bytes, next, limit, tag);
    if (next < 0) return atLimit;
    if (next === 0) return 'broken';
  }
  return atLimit;
}

function reset(tag: StartTag): void {
  tag.startFrom = -1;
  tag.stopFrom = -1;
  tag.channelFrom = -1;
  if (tag.others.length > 0) tag.others.length = 0;
}

/** Behind the attribute; −1 when it goes on behind the bytes, 0 when it is broken. */
function readAttribute(bytes: Uint8Array, from: number, to: number, tag: StartTag): number {
  let nameTo = from;
  while (nameTo < to && !endsName(bytes[nameTo] ?? 0)) nameTo += 1;
  let at = skipBlanks(bytes, nameTo, to);
  if (at >= to) return -1;
  if (bytes[at] !== equals) return nameTo;
  at = skipBlanks(bytes, at + 1, to);
  if (at >= to) return -1;
  const quote = bytes[at] ?? 0;
  const isQuoted = quote === doubleQuote || quote === singleQuote;
  const valueFrom = isQuoted ? at + 1 : at;
  const valueTo = isQuoted ? quotedEnd(bytes, valueFrom, to, quote) : bareEnd(bytes, valueFrom, to);
  if (valueTo <= 0) return valueTo;
  const end = isQuoted ? valueTo + 1 : valueTo;
  const name = nameOf(bytes, from, nameTo);
  if (name === undefined) tag.others.push(from, end);
  else keep(name, valueFrom, valueTo, tag);
  return end;
}

/** Nearly all values have none of the bytes that are looked at twice. */
function quotedEnd(bytes: Uint8Array, from: number, to: number, quote: number): number {
  let at = from;
  while (at < to && isPlain[bytes[at] ?? 0] === 1) at += 1;
  return at < to && bytes[at] === quote ? at : doubtfulEnd(bytes, at, to, quote);
}

/** Of a value of which a tag or a line ends: its mark is missing when a tag begins behind. */
function doubtfulEnd(bytes: Uint8Array, from: number, to: number, quote: number): number {
  let isBetween = false;
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) return at;
    if (byte === less && isBetween) return 0;
    if (byte === greater || byte === lineFeed) isBetween = true;
    else if (!isBlank(byte)) isBetween = false;
  }
  return -1;
}

function bareEnd(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isBlank(byte) || byte === greater) return bytes[at - 1] === slash && byte === greater ? at - 1 : at;
  }
  return -1;
}

const names = ['start', 'stop', 'channel'].map((name) => Buffer.from(name));
const [start, stop, channel] = names;

/** The one of those that are looked for whose name stands there. */
function nameOf(bytes: Uint8Array, from: number, to: number): Buffer | undefined {
  for (const name of names) if (isName(bytes, from, to, name)) return name;
  return undefined;
}

function isName(bytes: Uint8Array, from: number, to: number, name: Buffer): boolean {
  if (to - from !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (bytes[from + index] !== name[index]) return false;
  return true;
}

/** Of an attribute that stands twice the first one counts. */
function keep(name: Buffer, from: number, to: number, tag: StartTag): void {
  if (name === start && tag.startFrom < 0) {
    tag.startFrom = from;
    tag.startTo = to;
  } else if (name === stop && tag.stopFrom < 0) {
    tag.stopFrom = from;
    tag.stopTo = to;
  } else if (name === channel && tag.channelFrom < 0) {
    tag.channelFrom = from;
    tag.channelTo = to;
  }
}

function endsName(byte: number): boolean {
  return byte === equals || byte === greater || byte === less || byte === slash || isBlank(byte);
}

function skipBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isBlank(bytes[at] ?? 0)) at += 1;
  return at;
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
