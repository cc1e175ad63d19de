import { wideEncoding } from './scan/utf16.js';

/** What may stand before the root of a guide, or be it. */
const beforeRoot = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*(?:\[[\s\S]*?\]\s*)?>)*/i;
const guideParts = new Set(['tv', 'channel', 'programme']);
const htmlParts = new Set(['html', 'head', 'body', 'title', 'meta', 'script', 'div', 'p', 'h1', 'center', 'br']);

/**
 * Why bytes are no guide, told by the first of them (a kilobyte or more will do), in a sentence; null when they may be one.
 * No bytes at all are an empty body.
 */
export function refusal(head: Uint8Array): string | null {
  const text = decode(head).replace(/^\ufeff/, '');
  const content = text.replace(beforeRoot, '');
  if (text.trim() === '') return 'It is empty.';
  if (/^[[{]/.test(content)) return 'It is JSON, not a guide.';
  if (/^#EXTM3U/i.test(content)) return 'It is a playlist, not a guide.';
  const [, root] = /^<([A-Za-z][\w.:-]*)/.exec(content) ?? [];
  if (/^\s*<!doctype\s+html/i.test(text) || htmlParts.has(root?.toLowerCase() ?? ''))
    return 'It is an HTML page, not a guide.';
  // The root may stand behind a comment that goes on.
  if (content === '' || /^<[!?]/.test(content)) return null;
  if (root === undefined) return `It is no XML: it begins with "${excerpt(content)}".`;
  return guideParts.has(root) ? null : `It is XML, but no guide: its root is <${root}>, not <tv>.`;
}

function decode(head: Uint8Array): string {
  return new TextDecoder(wideEncoding(head) ?? 'utf-8').decode(head);
}

/** In one line, without what a terminal would take for a command. */
function excerpt(text: string): string {
  return text.slice(0, 20).replace(/[\s\p{C}]+/gu, ' ');
}
