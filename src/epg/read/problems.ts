import type { GuideProblem } from '../../model/guide.js';

/** Problems of a guide by their code: the first of a kind is told, the others are counted. */
export class Problems {
  readonly #byCode = new Map<GuideProblem['code'], GuideProblem>();

  /** @param offset of the inflated bytes, or null when it belongs to no place. */
  add(code: GuideProblem['code'], offset: number | null, message: string, count = 1): void {
    this.merge({ code, offset, message, count });
  }

  /** Takes in what another one counted. */
  merge(problem: GuideProblem): void {
    const known = this.#byCode.get(problem.code);
    if (known === undefined) this.#byCode.set(problem.code, problem);
    else this.#byCode.set(problem.code, { ...earlier(known, problem), count: known.count + problem.count });
  }

  /** In the order of the places where they were met first. */
  all(): GuideProblem[] {
    return [...this.#byCode.values()].sort((a, b) => place(a) - place(b));
  }

  /** How often each was met. */
  counts(): Record<string, number> {
    return Object.fromEntries(this.all().map(({ code, count }) => [code, count]));
  }
}

function earlier(a: GuideProblem, b: GuideProblem): GuideProblem {
  return place(b) < place(a) ? b : a;
}

function place({ offset }: GuideProblem): number {
  return offset ?? Number.POSITIVE_INFINITY;
}
