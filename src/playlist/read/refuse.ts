/** Bytes of a body that tell what it is. */
export const headSize = 4096;

/** Why a body that starts so is no list of channels, or null. */
export function refuseHead(text: string): string | null {
  const start = text.trimStart();
  if (/^<\?xml|^<tv\b/i.test(start) && !/<html/i.test(start)) return 'It is an XML file, perhaps a guide, not a list.';
  if (/^<(?:!doctype|!--|html|head|body|script|meta|title|\?xml)/i.test(start))
    return 'It is an HTML page, not a list.';
  if (/^\{\s*["}]|^\[\s*(?:[[{"\]]|$)/.test(start)) return 'It is JSON, not an M3U or TXT list.';
  return start.includes('\0') ? 'It is a binary file, not a list.' : null;
}

/** The same of the whole text: HLS is told by tags that only it has, before its first segment (RFC 8216 §4.3). */
export function refuseText(text: string): string | null {
  if (!/\S/.test(text)) return 'It is empty.';
  const firstEntry = text.search(/#EXTINF/i);
  const top = text.slice(0, firstEntry < 0 ? headSize : firstEntry);
  if (/^\s*#EXT-X-(?:TARGETDURATION|MEDIA-SEQUENCE|STREAM-INF)\b/m.test(top)) {
    return 'It is the HLS playlist of one stream, not a list of channels.';
  }
  return null;
}
