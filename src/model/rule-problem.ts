import { isRunaway, readPattern } from './pattern.js';
import type { Rule, RuleAction } from './rule.js';

const longestPattern = 1000;
/** Short enough that no replacement makes a name of many megabytes. */
const longestReplacement = 200;
/** The highest channel number that a range may give. */
export const highestNumber = 999_999;

/**
 * What is wrong with a rule and what to do, in one line, or null. A pattern that would take for ever on some names is
 * refused; to find that out takes up to 0.2 s.
 */
export function ruleProblem({ match, action }: Pick<Rule, 'match' | 'action'>): string | null {
  return patternProblem(match.pattern) ?? matchProblem(match, action) ?? actionProblem(action);
}

function patternProblem(pattern: string): string | null {
  if (pattern.length > longestPattern)
    return `The pattern is longer than ${longestPattern} characters. Write a shorter one.`;
  try {
    if (!isRunaway(readPattern(pattern))) return null;
    return 'The pattern takes too long on some names. Write it without a repeat inside a repeat, such as (a+)+.';
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `The pattern is not a regular expression. ${message.replace(/\p{Cc}+/gu, ' ')}.`;
  }
}

function matchProblem({ field, pattern }: Rule['match'], { kind }: RuleAction): string | null {
  if (kind === 'rename' && field !== 'name')
    return `A rename looks in the name, not in "${field}". Set the field to "name".`;
  if (kind === 'rename' && pattern === '') return 'A rename needs a pattern: what is to be replaced in the name.';
  if (kind === 'filter' && pattern === '')
    return 'A filter needs a pattern: an empty one would hide all channels or none.';
  return null;
}

function actionProblem(action: RuleAction): string | null {
  switch (action.kind) {
    case 'rename':
      if (action.replacement.length <= longestReplacement) return null;
      return `The replacement is longer than ${longestReplacement} characters. Write a shorter one.`;
    case 'group':
      return groupProblem(action);
    case 'number':
      return rangeProblem(action);
    case 'filter':
      return null;
  }
}

function groupProblem({ set, add = [], remove = [] }: Extract<RuleAction, { kind: 'group' }>): string | null {
  if (set === undefined && add.length + remove.length === 0) {
    return 'The rule changes no group. Give names of groups to set, add or remove.';
  }
  const isBlank = [...(set ?? []), ...add, ...remove].some((name) => name.trim() === '');
  return isBlank ? 'The name of a group is empty. Write one, or leave it out.' : null;
}

function rangeProblem({ from, to }: Extract<RuleAction, { kind: 'number' }>): string | null {
  const isNumber = (value: number) => Number.isInteger(value) && value >= 1 && value <= highestNumber;
  if (!isNumber(from) || !(to === null || isNumber(to))) {
    return `A range of numbers goes from 1 to ${highestNumber} at most, in whole numbers.`;
  }
  if (to !== null && to < from)
    return `The range from ${from} to ${to} is empty. The first number has to be the lower one.`;
  return null;
}
