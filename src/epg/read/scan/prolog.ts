/** XML 1.0 §2.8; blanks and a byte order mark before it are wrong, and are met. */
const declaration = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([A-Za-z][\w.:-]*)/;

/** The encoding that the prolog declares, in small letters; null when it does not. */
export function declaredEncoding(head: Uint8Array): string | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  return declaration.exec(text)?.[1]?.toLowerCase() ?? null;
}
