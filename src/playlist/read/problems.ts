import type { Problem, ProblemCode } from './entry.js';

/** Of a list whose every line is wrong, these are enough. */
const most = 10_000;

/** What could not be read, by line. */
export class Problems {
  readonly list: Problem[] = [];

  add(line: number, code: ProblemCode, message: string): void {
    if (this.list.length > most) return;
    if (this.list.length < most) this.list.push({ line, code, message });
    else this.list.push({ line, code: 'too-many-problems', message: `From here on no more problems are listed.` });
  }
}
