import type { z } from 'zod';
import { WeirError } from '../lib/errors.js';

/** One part of a request that was refused. */
export type RequestProblem = {
  /** Such as `headers.Referer` or `items.3.channel`; empty for the whole. */
  readonly path: string;
  readonly message: string;
};

/** A request that does not have the form of the contract. */
export class InvalidRequest extends WeirError {
  readonly problems: readonly RequestProblem[];

  constructor(problems: readonly RequestProblem[]) {
    const [first, ...others] = problems;
    const where = first === undefined || first.path === '' ? '' : `${first.path}: `;
    const more = others.length === 0 ? '' : ` And ${others.length} more.`;
    super('invalid', `${where}${first?.message ?? 'This is not understood.'}${more}`);
    this.problems = problems;
  }
}

/** How many problems of one request are told. */
const told = 100;

/** Reads a part of a request; `at` stands in front of the paths of problems. @throws InvalidRequest */
export function parseRequest<T>(schema: z.ZodType<T>, value: unknown, at = ''): T {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new InvalidRequest(error.issues.slice(0, told).map((issue) => problemOf(issue, at)));
}

function problemOf(issue: z.core.$ZodIssue, at: string): RequestProblem {
  const path = [...(at === '' ? [] : [at]), ...issue.path.map(String)].join('.');
  return { path, message: isAbsent(issue) ? 'This field is needed.' : sentence(issue.message) };
}

function isAbsent(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === 'invalid_type' || issue.code === 'invalid_value') && issue.message.endsWith('received undefined')
  );
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
