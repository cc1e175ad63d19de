import type { GuideProblem } from '../../model/guide.js';
import { type ElementBytes, elementDecoder } from './decode.js';
import type { Tell } from './entities.js';
import { type Checked, checkNesting } from './nesting.js';
import { parseElements, type XmlElement } from './parse.js';
import type { Problems } from './problems.js';
import type { ReadOptions } from './scan/contract.js';

/** How texts of a guide are read. */
export type ParseOptions = ReadOptions & {
  /** The encoding that the prolog of the guide declares. */
  readonly declared: string | null;
};

/** Elements of a guide, and where each begins in its inflated bytes. */
export type Slices = ElementBytes & { readonly offsets: ArrayLike<number> };

/** What becomes of elements, each told by its place among the slices. */
export type Taker = {
  /** Makes something of an element; false, and told, when that is nothing. */
  take(element: XmlElement, index: number, tell: Tell): boolean;
  /** Hears why there is nothing of one. */
  refuse(problem: GuideProblem, index: number): void;
};

/** Elements that are given to fast-xml-parser at once: of more, the first ones leave the processor's cache before they are looked at. */
const together = 16;

/**
 * Reads elements of a guide, each for itself: one that cannot be read takes no other with it. Never throws. Each is taken or
 * refused, in order; what is told of those that are taken goes to `problems`.
 */
export function readElements(slices: Slices, options: ParseOptions, problems: Problems, taker: Taker): void {
  const { ends, offsets } = slices;
  const decode = elementDecoder(options, slices);
  const telling = new Telling(problems);
  for (let start = 0; start < ends.length; start += together) {
    const checked: (Checked | GuideProblem)[] = [];
    for (let index = start; index < ends.length && index < start + together; index += 1) {
      const tell = telling.about(offsets[index] ?? 0);
      checked.push(telling.settled(checkNesting(decode(index, tell), tell)));
    }
    const elements = parseElements(checked.flatMap((one) => ('text' in one ? one.text : []))).values();
    for (const [place, one] of checked.entries()) {
      const index = start + place;
      const tell = telling.about(offsets[index] ?? 0);
      const take = ({ known }: Checked) => taken(taker, withKnown(elements.next().value ?? null, known), index, tell);
      const outcome = 'text' in one ? telling.settled(take(one)) : one;
      if (outcome !== true) taker.refuse(outcome, index);
    }
  }
}

function withKnown(element: XmlElement | null, known: Checked['known']): XmlElement | null {
  if (element === null || known.length === 0) return element;
  const children = [...element.children];
  for (const { place, element: child } of known) children.splice(place, 0, child);
  return { ...element, children };
}

function taken(taker: Taker, element: XmlElement | null, index: number, tell: Tell): true | null {
  if (element !== null) return taker.take(element, index, tell) || null;
  tell('bad-markup', 'It has a name in it that is not read.');
  return null;
}

/** Hands on what is told of an element, but for the last word of one that nothing is made of: that is its problem. */
class Telling {
  readonly #problems: Problems;
  #offset = 0;
  #last: GuideProblem | null = null;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** What is told from now on is of the element that begins there. */
  about(offset: number): Tell {
    this.#offset = offset;
    return this.#tell;
  }

  /** What was made of the element, or why that is nothing. */
  settled<Result>(result: Result | null): Result | GuideProblem {
    const problem = this.#last;
    this.#last = null;
    if (result === null)
      return problem ?? { code: 'unreadable', offset: this.#offset, message: 'It cannot be read.', count: 1 };
    if (problem !== null) this.#problems.merge(problem);
    return result;
  }

  readonly #tell: Tell = (code, message) => {
    if (this.#last !== null) this.#problems.merge(this.#last);
    this.#last = { code, offset: this.#offset, message, count: 1 };
  };
}
