import { XMLParser } from 'fast-xml-parser';

export type Attributes = { readonly [name: string]: string };
/** An element as the package gives it: one key is its name, with what is in it. Texts (`#text`) and CDATA are such too. */
export type XmlNode = { readonly [name: string]: XmlNode[] | string | Attributes | undefined };

/** How the package is used: it finds elements, attributes and texts; references and blanks are ours (entities.ts, texts.ts). */
export const parserOptions = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // CDATA is told from text, for no references are looked for in it.
  cdataPropName: '#cdata',
  // The package gives up after 1,000 references, and HTML's names are not all known to it.
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignorePiTags: true,
  // Saves a path of names that is made for each element and that nobody asks for.
  jPath: false,
} as const;
const parser = new XMLParser(parserOptions);

/**
 * Reads elements that passed `checkNesting`, in one go for it is faster so. Null for one that fast-xml-parser does not take,
 * such as one with an attribute named `__proto__`.
 */
export function parseElements(elements: readonly string[]): (XmlNode | null)[] {
  const nodes = parseTogether(elements);
  if (nodes !== null) return nodes;
  return elements.map((element) => parseTogether([element])?.[0] ?? null);
}

function parseTogether(elements: readonly string[]): XmlNode[] | null {
  try {
    const [root]: XmlNode[] = parser.parse(`<tv>${elements.join('')}</tv>`);
    const nodes = root === undefined ? [] : childrenOf(root, 'tv');
    return nodes.length === elements.length ? [...nodes] : null;
  } catch {
    return null;
  }
}

/** The name of an element; `#text` or `#cdata` of a text. */
export function nameOf(node: XmlNode): string {
  for (const name in node) return name;
  return '';
}

/** What is in an element, whose name is given again to save looking for it. */
export function childrenOf(node: XmlNode, name: string): readonly XmlNode[] {
  const children = node[name];
  return Array.isArray(children) ? children : [];
}

/** The elements in one, without the texts between them. */
export function elementsIn(node: XmlNode, name: string): XmlNode[] {
  return childrenOf(node, name).filter((child) => !nameOf(child).startsWith('#'));
}

/** As it is written, references and all; null when it is not there. The name is not one that every object has. */
export function rawAttribute(node: XmlNode, name: string): string | null {
  const attributes = node[':@'];
  if (attributes === undefined || typeof attributes === 'string' || Array.isArray(attributes)) return null;
  return attributes[name] ?? null;
}
