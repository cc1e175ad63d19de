/** Bytes of a body that tell what it is. */
export const headSize = 4096;

/** Why a body that starts so is no list of channels, or null. */
export function refuseHead(text: string): string | null {
  const start = text.trimStart();
  if (/^<\?xml|^<tv\b/i.test(start) && !/<html/i.test(start)) return 'It is an XML file, perhaps a guide, not a list.';
  if (/^<(?:!doctype|!--|html|head|body|script|meta|title|\?xml)/i.test(start))
    return 'It is an HTML page, not a list.';
  if (/^\{\s*["}]|^\[\s*(?:[[{"\]]|$)/.test(start)) return 'It is JSON, not an M3U or TXT list.';
  const isText = /#EXT(?:M3U|INF)|#genre#/i.test(start);
  return start.includes('\0') && !isText ? 'It is a binary file, not a list.' : null;
}

/** The same of the whole text: HLS is told by tags that only it has, of which most stand before its first segment (RFC 8216 §4.3). */
export function refuseText(text: string): string | null {
  if (!/\S/.test(text)) return 'It is empty.';
  const firstEntry = text.search(/#EXTINF/i);
  const top = text.slice(0, firstEntry < 0 ? headSize : firstEntry);
  if (/^\s*#EXT-X-(?:TARGETDURATION|MEDIA-SEQUENCE|STREAM-INF)\b/m.test(top) || isOfSegments(text)) {
    return 'It is the HLS playlist of one stream, not a list of channels.';
  }
  return null;
}

/** HLS has its tags behind segments too; a channel has attributes or no duration, and a segment has no attributes. */
const laterTag = /^\s*#EXT-X-(?:TARGETDURATION|MEDIA-SEQUENCE|ENDLIST)\b/m;
const channel = /^\s*#EXTINF(?!\s*:\s*(?!0+(?:\.0*)?\s*,)\d+(?:\.\d*)?\s*,)/im;

function isOfSegments(text: string): boolean {
  return text.includes('#EXT-X-') && laterTag.test(text) && !channel.test(text);
}
