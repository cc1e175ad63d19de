import { escapeAttribute, escapeText } from './escape.js';

/** By name, in their order; those of null or undefined are left out. */
export type Attributes = Readonly<Record<string, string | number | null | undefined>>;

/** `<name a="1">text</name>`, or nothing when the text is empty: the DTD wants some in each element that holds text. */
export function textElement(name: string, text: string | undefined, attributes: Attributes = {}): string {
  const escaped = escapeText(text ?? '').trim();
  return escaped === '' ? '' : `<${name}${attributesText(attributes)}>${escaped}</${name}>`;
}

/** `<name a="1"/>` */
export function emptyElement(name: string, attributes: Attributes = {}): string {
  return `<${name}${attributesText(attributes)}/>`;
}

/** An element around written ones, or nothing when there are none. */
export function element(name: string, content: string, attributes: Attributes = {}): string {
  return content === '' ? '' : `<${name}${attributesText(attributes)}>${content}</${name}>`;
}

function attributesText(attributes: Attributes): string {
  let text = '';
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== null && value !== undefined) text += ` ${name}="${escapeAttribute(String(value))}"`;
  }
  return text;
}
