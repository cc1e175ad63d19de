import type { GuideProblem } from '../../model/guide.js';
import { elementDecoder } from './decode.js';
import type { Tell } from './entities.js';
import { checkNesting } from './nesting.js';
import { parseElements, type XmlNode } from './parse.js';
import type { Problems } from './problems.js';
import type { ReadOptions } from './scan/contract.js';

/** How texts of a guide are read. */
export type ParseOptions = ReadOptions & {
  /** The encoding that the prolog of the guide declares. */
  readonly declared: string | null;
};

/** The bytes of one element, and where it begins in the inflated guide. */
export type Slice = { readonly bytes: Uint8Array; readonly offset: number };
/** What was made of an element, or why there is nothing of it. */
export type Outcome<Result> = { readonly result: Result } | { readonly problem: GuideProblem };
/** Makes something of an element, told by its place among the slices; null, and told, when that is nothing. */
export type Make<Result> = (node: XmlNode, tell: Tell, index: number) => Result | null;

/** Elements that are given to fast-xml-parser at once: of more, the first ones leave the processor's cache before they are looked at. */
const together = 8;

/**
 * Reads elements of a guide, each for itself: one that cannot be read takes no other with it. Never throws.
 * @returns an outcome for each slice, in order; what is told of those that are read goes to `problems`.
 */
export function readElements<Result>(
  slices: readonly Slice[],
  options: ParseOptions,
  problems: Problems,
  make: Make<Result>,
): Outcome<Result>[] {
  const decode = elementDecoder(
    options,
    slices.map(({ bytes }) => bytes),
  );
  const telling = new Telling(problems);
  const outcomes: Outcome<Result>[] = [];
  for (let start = 0; start < slices.length; start += together) {
    const checked = slices.slice(start, start + together).map((slice) => ({
      slice,
      text: telling.about(slice, (tell) => checkNesting(decode(slice.bytes, tell), tell)),
    }));
    const nodes = parseElements(checked.flatMap(({ text }) => ('result' in text ? [text.result] : []))).values();
    for (const { slice, text } of checked) {
      if ('problem' in text) outcomes.push(text);
      else {
        const node = nodes.next().value ?? null;
        outcomes.push(
          telling.about(slice, (tell) => (node === null ? refuse(tell) : make(node, tell, outcomes.length))),
        );
      }
    }
  }
  return outcomes;
}

function refuse(tell: Tell): null {
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

  about<Result>({ offset }: Slice, read: (tell: Tell) => Result | null): Outcome<Result> {
    this.#offset = offset;
    const result = read(this.#tell);
    const problem = this.#last;
    this.#last = null;
    if (result === null)
      return { problem: problem ?? { code: 'unreadable', offset, message: 'It cannot be read.', count: 1 } };
    if (problem !== null) this.#problems.merge(problem);
    return { result };
  }

  readonly #tell: Tell = (code, message) => {
    if (this.#last !== null) this.#problems.merge(this.#last);
    this.#last = { code, offset: this.#offset, message, count: 1 };
  };
}
