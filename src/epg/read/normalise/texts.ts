import type { LangText } from '../../../model/programme.js';
import { decodeEntities, type Tell } from '../entities.js';
import { childrenOf, nameOf, rawAttribute, type XmlNode } from '../parse.js';

/** Tabs, line feeds, control characters, halves of characters outside the first plane, and U+FFFE and U+FFFF: all to be looked at. */
const odd = /[^ -~\u00a0-\ud7ff\ue000-\ufffd]/;
/** Control characters, lone halves, and the two at the end that XML 1.0 (§2.2) does not allow either. */
const forbidden = /[^\P{C}\t\n\r\p{Cf}\p{Co}\p{Cn}]|[\ufffe\uffff]/gu;

/** The text in an element, on one line. */
export function textOf(node: XmlNode, name: string, tell: Tell): string {
  return oneLine(rawText(childrenOf(node, name), tell), tell);
}

/** The same with its language; null when it is empty. */
export function langTextOf(node: XmlNode, name: string, tell: Tell): LangText | null {
  const text = textOf(node, name, tell);
  return text === '' ? null : { text, lang: attributeOf(node, 'lang', tell) };
}

/** The same of a text that may have lines and paragraphs (`desc`). */
export function paragraphsOf(node: XmlNode, name: string, tell: Tell): LangText | null {
  const text = paragraphs(rawText(childrenOf(node, name), tell), tell);
  return text === '' ? null : { text, lang: attributeOf(node, 'lang', tell) };
}

/** Null when it is empty or not there. */
export function attributeOf(node: XmlNode, name: string, tell: Tell): string | null {
  const raw = rawAttribute(node, name);
  return raw === null ? null : oneLine(decodeEntities(raw, tell), tell) || null;
}

/** The texts among elements, and in those that are not to be there; `known` are those that are. */
export function rawText(nodes: readonly XmlNode[], tell: Tell, known: readonly string[] = []): string {
  // Nearly always there is but one.
  const only = nodes.length === 1 ? nodes[0]?.['#text'] : undefined;
  if (typeof only === 'string') return decodeEntities(only, tell);
  let text = '';
  for (const node of nodes) {
    const name = nameOf(node);
    const value = node[name];
    if (name === '#text' && typeof value === 'string') text += decodeEntities(value, tell);
    else if (name === '#cdata') text += verbatim(childrenOf(node, name));
    else if (!known.includes(name)) {
      tell('unknown-element', `<${name}> is not known there; the text in it is kept.`);
      text += rawText(childrenOf(node, name), tell);
    }
  }
  return text;
}

/** What CDATA holds: an `&` in it is one. */
function verbatim([node]: readonly XmlNode[]): string {
  const text = node?.['#text'];
  return typeof text === 'string' ? text : '';
}

/** Without blanks around it, and none side by side. */
export function oneLine(raw: string, tell: Tell): string {
  const text = raw.trim();
  return isTidy(text) ? text : clean(text, tell).replace(/\s+/g, ' ');
}

/** XMLTV takes a row of blanks for one, and leaves line feeds: of those two stay at most, without blanks around them. */
function paragraphs(raw: string, tell: Tell): string {
  const text = raw.trim();
  if (isTidy(text)) return text;
  return clean(text, tell).replace(/\s+/g, (blanks) => {
    const lines = blanks.split('\n').length - 1;
    return lines === 0 ? ' ' : '\n'.repeat(Math.min(lines, 2));
  });
}

function isTidy(text: string): boolean {
  return !odd.test(text) && !text.includes('  ');
}

function clean(text: string, tell: Tell): string {
  const cleaned = text.replace(forbidden, '');
  if (cleaned.length === text.length) return text;
  tell('control-character', 'It holds a character that XML does not allow.');
  return cleaned.trim();
}
