import type { LangText } from '../../../model/programme.js';
import { decodeEntities, type Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';

/** Tabs, line feeds, control characters, halves of characters outside the first plane, and U+FFFE and U+FFFF: all to be looked at. */
const odd = /[^ -~\u00a0-\ud7ff\ue000-\ufffd]/;
/** Control characters, lone halves, and the two at the end that XML 1.0 (§2.2) does not allow either. */
const forbidden = /[^\P{C}\t\n\r\p{Cf}\p{Co}\p{Cn}]|[\ufffe\uffff]/gu;

/** The text in an element, on one line. */
export function textOf(element: XmlElement, tell: Tell): string {
  return oneLine(rawText(element, tell), tell);
}

/** The same with its language; null when it is empty. */
export function langTextOf(element: XmlElement, tell: Tell): LangText | null {
  const text = textOf(element, tell);
  return text === '' ? null : { text, lang: attributeOf(element, 'lang', tell) };
}

/** The same of a text that may have lines and paragraphs (`desc`). */
export function paragraphsOf(element: XmlElement, tell: Tell): LangText | null {
  const text = paragraphs(rawText(element, tell), tell);
  return text === '' ? null : { text, lang: attributeOf(element, 'lang', tell) };
}

/** Null when it is empty or not there. */
export function attributeOf({ attributes }: XmlElement, name: string, tell: Tell): string | null {
  const raw = attributes[name];
  return raw === undefined ? null : oneLine(decodeEntities(raw, tell), tell) || null;
}

/** The text in an element, and in what is not to be in it; `known` are names of what is. */
export function rawText({ text, children }: XmlElement, tell: Tell, known: readonly string[] = []): string {
  if (children.length === 0) return decodeEntities(text, tell);
  let [whole, done] = ['', 0];
  for (const child of children) {
    if (known.includes(child.name)) continue;
    whole += decodeEntities(text.slice(done, child.at), tell);
    tell('unknown-element', `<${child.name}> is not known there; the text in it is kept.`);
    whole += rawText(child, tell);
    done = child.at;
  }
  return whole + decodeEntities(text.slice(done), tell);
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
