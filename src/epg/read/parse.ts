import { XMLParser } from 'fast-xml-parser';

export type Attributes = { readonly [name: string]: string | undefined };

/** An element that fast-xml-parser found. Its texts and attributes are as they are written, references and all. */
export type XmlElement = {
  readonly name: string;
  readonly attributes: Attributes;
  /** Of its own, all in one; what is in its children is theirs. */
  readonly text: string;
  readonly children: readonly XmlElement[];
  /** How much of its parent's text is in front of it. */
  readonly at: number;
};

/** How the package is used: it finds elements, attributes and texts; references and blanks are ours (entities.ts, texts.ts). */
const parserOptions = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  // The package gives up after 1,000 references, and HTML's names are not all known to it.
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignorePiTags: true,
  // Saves a path of names that is made for each element and that nobody asks for.
  jPath: false,
} as const;

type OpenElement = { -readonly [Field in keyof XmlElement]: XmlElement[Field] } & { children: OpenElement[] };
type Path = string | { getDepth(): number };

/** Of elements without any, which are nearly all. */
const none: OpenElement[] = [];

/**
 * Puts elements together from what the package tells while it parses. The nodes that it would make itself have another shape
 * for each name and one more object for each text, which takes longer to make and to look through.
 */
class Tree {
  #roots: OpenElement[] = [];
  /** The elements that are open, by depth from 1 on; what lies deeper is left over from before. */
  readonly #open: OpenElement[] = [];

  /** The elements that were found since it was asked last. */
  take(): XmlElement[] {
    const roots = this.#roots;
    this.#roots = [];
    return roots;
  }

  /** Says that no node is to be made. */
  readonly begin = (name: string, path: Path, attributes: Attributes): false => {
    const depth = depthOf(path);
    const parent = depth === 1 ? undefined : this.#open[depth - 1];
    const element = { name, attributes, text: '', children: none, at: parent?.text.length ?? 0 };
    this.#open[depth] = element;
    if (parent === undefined) this.#roots.push(element);
    else if (parent.children === none) parent.children = [element];
    else parent.children.push(element);
    return false;
  };

  /** Says that there is no text left for a node. */
  readonly addText = (_: string, text: string, path: Path): '' => {
    const element = this.#open[depthOf(path)];
    if (element !== undefined) element.text += text;
    return '';
  };
}

function depthOf(path: Path): number {
  return typeof path === 'string' ? 0 : path.getDepth();
}

const tree = new Tree();
const parser = new XMLParser({
  ...parserOptions,
  updateTag: tree.begin,
  tagValueProcessor: tree.addText,
  // One that does nothing saves making another for each call.
  entityDecoder: {
    setExternalEntities() {},
    addInputEntities() {},
    reset() {},
    setXmlVersion() {},
    decode: (text) => text,
  },
});

/**
 * Reads elements that passed `checkNesting`, in one go for it is faster so. Null for one that fast-xml-parser does not take,
 * such as one with an attribute named `__proto__`.
 */
export function parseElements(elements: readonly string[]): (XmlElement | null)[] {
  const found = parseTogether(elements);
  if (found !== null) return found;
  return elements.map((element) => parseTogether([element])?.[0] ?? null);
}

function parseTogether(elements: readonly string[]): XmlElement[] | null {
  try {
    parser.parse(elements.join(''));
  } catch {
    tree.take();
    return null;
  }
  const found = tree.take();
  return found.length === elements.length ? found : null;
}
