import type { Tell } from './entities.js';
import type { XmlElement } from './parse.js';
import { repeated } from './repeated.js';

/** Tags of HTML that are found in texts. Those that begin a line there leave a line feed behind, the others nothing. */
const lineTags = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'hr', 'h1', 'h2', 'h3', 'h4', 'tr']);
const inlineTags = new Set([
  ...['a', 'b', 'i', 'u', 's', 'em', 'strong', 'small', 'big', 'span', 'font', 'sup', 'sub', 'center', 'td', 'img'],
]);
/** How deep elements of HTML may lie at the least: in a text, which is in an element of the programme. */
const textDepth = 2;
/** Deeper than the DTD of XMLTV goes, and no depth for the reader behind it. */
const mostDepth = 16;
/** Characters of texts that fast-xml-parser is given as CDATA: of others it puts each character to those before. */
const longText = 32;

const [doubleQuote, singleQuote, slash, greaterThan] = [0x22, 0x27, 0x2f, 0x3e];

/** When and where a programme is shown, in front in its start tag. The scanner has read it, and nobody looks at it again. */
const head = /(?:\s+(?:start|stop|channel)="[^"]*")+(?=[\s/>])/y;

/** A child that is known already, and its place among all children. */
type KnownChild = { readonly place: number; readonly element: XmlElement };

/** An element whose text may be read as XML; known children are left out of it. */
export type Checked = { readonly text: string; readonly known: readonly KnownChild[] };

/**
 * Whether tags are closed in the order in which they were opened, which fast-xml-parser does not look at: to it any end tag
 * closes what is open. Tags of HTML in texts and processing instructions are taken out and a bare `<` is escaped, so what is
 * given back may be read as XML. CDATA is escaped too: nothing in it is a reference. Long texts are enclosed in CDATA, where
 * references stay what they are all the same. Null, and told, for an element that cannot be mended.
 */
export function checkNesting(element: string, tell: Tell): Checked | null {
  const walk = new Walk(element, tell);
  for (let at = element.indexOf('<'); at >= 0; ) {
    const next = walk.step(at);
    if (next < 0) return null;
    at = element.indexOf('<', next);
    walk.text(next, at);
  }
  return walk.end();
}

class Walk {
  readonly #text: string;
  readonly #tell: Tell;
  /** Names of the elements that are open. */
  readonly #open: string[] = [];
  #isOver = false;
  /** What is to be read instead of the text as far as it is `#done`. */
  #mended = '';
  #done = 0;
  readonly #known: KnownChild[] = [];
  #children = 0;
  /** Where the child that is open begins. */
  #childFrom = 0;

  constructor(text: string, tell: Tell) {
    this.#text = text;
    this.#tell = tell;
  }

  /** Takes the tag that begins at a `<`. Returns where what is behind it begins; below 0, and told, when all is lost. */
  step(at: number): number {
    const code = this.#text.charCodeAt(at + 1);
    if (code === slash) return this.#close(at);
    return isNameStart(code) ? this.#begin(at) : this.#other(at);
  }

  /** Takes the text between two tags. What lies between the elements of the programme are blanks that nobody looks at. */
  text(from: number, to: number): void {
    if (to > from && this.#open.length < textDepth) this.#write(from, to, '');
    else if (to - from >= longText) this.#enclose(from, to);
  }

  /** What is to be read; null, and told, when not all is closed. */
  end(): Checked | null {
    const last = this.#open.at(-1);
    if (last !== undefined) this.#tell('bad-nesting', `<${last}> is not closed.`);
    if (last !== undefined || !this.#isOver) return null;
    return { text: this.#mended + this.#text.slice(this.#done), known: this.#known };
  }

  #begin(at: number): number {
    const text = this.#text;
    let end = at + 2;
    while (isNameEnd(text.charCodeAt(end)) === false) end += 1;
    const name = text.slice(at + 1, end);
    const depth = this.#open.length;
    end = this.#leaveOutHead(end);
    for (let code = text.charCodeAt(end); code !== greaterThan; code = text.charCodeAt(end)) {
      // Nothing in quotes ends a tag.
      if (code === doubleQuote || code === singleQuote) end = text.indexOf(text.charAt(end), end + 1);
      if (end < 0 || end >= text.length) return this.#fail('bad-markup', `The tag <${name} has no end.`);
      end += 1;
    }
    if (depth >= textDepth && this.#isHtml(name)) return this.#unwrap(name, at, end + 1);
    if (this.#isOver || depth === mostDepth) return this.#fail('bad-nesting', `<${name}> is in no place for it.`);
    if (depth === 1) this.#childFrom = at;
    if (text.charCodeAt(end - 1) !== slash) this.#open.push(name);
    else this.#ended(name, end + 1);
    return end + 1;
  }

  /** Returns where what else is in the start tag begins. */
  #leaveOutHead(from: number): number {
    head.lastIndex = from;
    if (this.#open.length > 0 || !head.test(this.#text)) return from;
    this.#write(from, head.lastIndex, '');
    return head.lastIndex;
  }

  #close(at: number): number {
    const text = this.#text;
    const open = this.#open.at(-1) ?? '';
    let end = at + 2 + open.length;
    if (!text.startsWith(open, at + 2) || text.charCodeAt(end) !== greaterThan) {
      end = text.indexOf('>', at);
      if (end < 0) return this.#fail('bad-markup', 'An end tag has no end.');
      const name = text.slice(at + 2, end).trim();
      if (this.#open.length >= textDepth && this.#isHtml(name)) return this.#unwrap(name, at, end + 1);
      if (name !== open || open === '') return this.#fail('bad-nesting', `</${name}> closes <${open}>.`);
    }
    this.#open.pop();
    this.#ended(open, end + 1);
    return end + 1;
  }

  /** Takes the end of an element, which is no longer among those that are open. */
  #ended(name: string, to: number): void {
    if (this.#open.length === 0) this.#isOver = true;
    if (this.#open.length !== 1) return;
    const from = this.#childFrom;
    // Where something was put in, it is not what is written.
    const element = this.#done > from ? null : repeated(name, this.#text, from, to);
    if (element !== null) {
      this.#known.push({ place: this.#children, element });
      this.#write(from, to, '');
    }
    this.#children += 1;
  }

  /** A comment, CDATA, a processing instruction, or a `<` that begins nothing. */
  #other(at: number): number {
    const text = this.#text;
    if (text.startsWith('!--', at + 1)) return this.#behind('-->', at + 4, 'A comment');
    if (text.startsWith('![CDATA[', at + 1)) return this.#escape(at);
    const end = text.startsWith('?', at + 1) ? text.indexOf('?>', at + 2) : -1;
    if (end >= 0) {
      this.#write(at, end + 2, '');
      return end + 2;
    }
    this.#tell('bad-markup', 'A bare < stands in it, which XML writes as &lt;.');
    this.#write(at, at + 1, '&lt;');
    return at + 1;
  }

  /** Writes a CDATA section as text. */
  #escape(from: number): number {
    const to = this.#behind(']]>', from + 9, 'A CDATA section');
    const escaped = this.#text
      .slice(from + 9, to - 3)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;');
    if (to >= 0) this.#write(from, to, escaped);
    return to;
  }

  #behind(mark: string, from: number, what: string): number {
    const end = this.#text.indexOf(mark, from);
    return end < 0 ? this.#fail('bad-markup', `${what} is not closed.`) : end + mark.length;
  }

  #enclose(from: number, to: number): void {
    const text = this.#text.slice(from, to);
    if (!text.includes(']]>')) this.#write(from, to, `<![CDATA[${text}]]>`);
  }

  /** Puts something else in the place of a stretch. */
  #write(from: number, to: number, instead: string): void {
    this.#mended += this.#text.slice(this.#done, from) + instead;
    this.#done = to;
  }

  #isHtml(name: string): boolean {
    const lower = name.toLowerCase();
    return inlineTags.has(lower) || lineTags.has(lower);
  }

  #unwrap(name: string, from: number, to: number): number {
    this.#tell('bad-markup', `A tag of HTML, <${name}>, stands in a text.`);
    this.#write(from, to, lineTags.has(name.toLowerCase()) ? '\n' : '');
    return to;
  }

  #fail(code: 'bad-nesting' | 'bad-markup', message: string): number {
    this.#tell(code, message);
    return -1;
  }
}

function isNameStart(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code >= 0x80;
}

/** Blanks, `/` and `>`, or where the text ends. */
function isNameEnd(code: number): boolean {
  return code <= 0x20 || code === slash || code === greaterThan || Number.isNaN(code);
}
