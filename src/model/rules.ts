import { Budget, readPattern } from './pattern.js';
import type { Rule, RuleAction, RuleMatch } from './rule.js';

/** What a provider says of an entry, as far as rules and edits go. */
export type Said = {
  readonly name: string;
  readonly number: string | null;
  readonly groups: readonly string[];
  readonly logo: string | null;
  readonly tvgId: string | null;
  readonly radio: boolean;
  /** The first of its addresses. */
  readonly url: string;
};

/** The range that a channel is to be given a number of. */
export type Numbering = {
  /** Id of the rule. */
  readonly rule: number;
  readonly from: number;
  readonly to: number | null;
  readonly keepProvider: boolean;
};

/** What the rules make of it. */
export type Ruled = {
  readonly name: string;
  /** The provider's, or null where a range is to give another. */
  readonly number: string | null;
  readonly groups: readonly string[];
  readonly hidden: boolean;
  /** Of the first numbering rule that takes it, or null. */
  readonly numbering: Numbering | null;
};

/** A rule that could not be gone on with, and why, in one line. */
export type SwitchedOff = { readonly rule: number; readonly reason: string };

/** A longer name is not taken from a rule: renames that double a name would fill the memory. */
const longestName = 500;

/** The enabled rules, in the order of their positions. One whose pattern is wrong starts switched off. */
export function compileRules(rules: readonly Rule[]): RuleSet {
  return new RuleSet(rules);
}

/** An entry, and what the rules before made of it. */
type Item = { readonly said: Said; readonly ruled: Ruled };
/** What a rule makes of it: the same object where that is nothing. */
type Step = (item: Item) => Ruled;
type Running = { readonly id: number; readonly source: number | null; readonly step: Step; readonly budget: Budget };

/**
 * Rules ready to run. Patterns are the users', names the providers': one that takes too long is interrupted (`Budget`: a
 * second at the worst), and its rule switched off for the rest of this set's life, so that no list can hang the thread.
 */
export class RuleSet {
  private running: readonly Running[];
  private off: readonly SwitchedOff[] = [];

  constructor(rules: readonly Rule[]) {
    const inOrder = rules.filter(({ enabled }) => enabled).sort((a, b) => a.position - b.position || a.id - b.id);
    this.running = inOrder.flatMap((rule) => {
      try {
        return [{ id: rule.id, source: rule.source, step: compileStep(rule), budget: new Budget() }];
      } catch (error) {
        this.switchOff(rule.id, `Its pattern cannot be used: ${lineOf(error)}.`);
        return [];
      }
    });
  }

  /** The rules that were given up: what was made while they ran should be made anew, so that all is of one kind. */
  get switchedOff(): readonly SwitchedOff[] {
    return this.off;
  }

  /** Whether there is none that runs: every entry stays as it is. */
  get isEmpty(): boolean {
    return this.running.length === 0;
  }

  /** What the rules make of an entry of a source (its id): about 0.1 ms a rule. Of many, `applyAll` is a hundred times faster. */
  apply(source: number, said: Said): Ruled {
    return this.applyAll(source, [said])[0] ?? untouched(said);
  }

  /** What they make of each entry of a source, in the same order. A rule that is switched off meanwhile changed none of them. */
  applyAll(source: number, said: readonly Said[]): Ruled[] {
    let items: readonly Item[] = said.map((one) => ({ said: one, ruled: untouched(one) }));
    for (const rule of this.running) {
      if (rule.source === null || rule.source === source) items = this.run(rule, items);
    }
    return items.map(({ ruled }) => ruled);
  }

  private run({ id, step, budget }: Running, items: readonly Item[]): readonly Item[] {
    let after = items;
    const work = () => {
      after = items.map((item) => {
        const ruled = step(item);
        return ruled === item.ruled ? item : { said: item.said, ruled };
      });
    };
    try {
      if (budget.run(items.length, work)) return after;
      this.switchOff(
        id,
        'Its pattern takes too long on names of the catalogue. Write it without a repeat inside a repeat, such as (a+)+.',
      );
    } catch (error) {
      this.switchOff(id, `Its pattern failed: ${lineOf(error)}.`);
    }
    this.running = this.running.filter((rule) => rule.id !== id);
    return items;
  }

  private switchOff(rule: number, reason: string): void {
    this.off = [...this.off, { rule, reason }];
  }
}

function untouched({ name, number, groups }: Said): Ruled {
  return { name, number, groups, hidden: false, numbering: null };
}

/** A rule ready to run. @throws SyntaxError when its pattern is none. */
function compileStep({ id, match, action }: Rule): Step {
  const matches = compileMatch(match);
  switch (action.kind) {
    case 'rename':
      return rename(new RegExp(readPattern(match.pattern), 'giu'), action.replacement);
    case 'filter': {
      const hidden = action.hide === 'matching';
      return (item) => (matches(item) === hidden ? { ...item.ruled, hidden: true } : item.ruled);
    }
    case 'group':
      return (item) => (matches(item) ? regroup(item.ruled, action) : item.ruled);
    case 'number': {
      const { from, to, keepProvider } = action;
      const numbering = { rule: id, from, to, keepProvider };
      return (item) => (item.ruled.numbering === null && matches(item) ? renumber(item.ruled, numbering) : item.ruled);
    }
  }
}

/** An entry without groups or guide id is looked at as one whose text is empty: `^$` finds it. */
function compileMatch({ field, pattern }: RuleMatch): (item: Item) => boolean {
  if (pattern === '') return () => true;
  const regex = readPattern(pattern);
  switch (field) {
    case 'name':
      return ({ ruled }) => regex.test(ruled.name);
    case 'group':
      return ({ ruled: { groups } }) =>
        groups.length === 0 ? regex.test('') : groups.some((name) => regex.test(name));
    case 'tvgId':
      return ({ said }) => regex.test(said.tvgId ?? '');
    case 'url':
      return ({ said }) => regex.test(said.url);
  }
}

/** What is cut out leaves no doubled blanks; a name that nothing would be left of stays as it was. */
function rename(pattern: RegExp, replacement: string): Step {
  return ({ ruled }) => {
    const replaced = ruled.name.replace(pattern, replacement);
    if (replaced === ruled.name || replaced.length > longestName) return ruled;
    const name = replaced.replace(/\s+/gu, ' ').trim();
    return name === '' ? ruled : { ...ruled, name };
  };
}

function regroup(ruled: Ruled, { set, add = [], remove = [] }: Extract<RuleAction, { kind: 'group' }>): Ruled {
  const kept = (set ?? ruled.groups).filter((group) => !remove.includes(group));
  const groups = [...new Set([...kept, ...add])];
  const isSame = groups.length === ruled.groups.length && groups.every((group, index) => group === ruled.groups[index]);
  return isSame ? ruled : { ...ruled, groups };
}

function renumber(ruled: Ruled, numbering: Numbering): Ruled {
  return { ...ruled, numbering, number: numbering.keepProvider ? ruled.number : null };
}

function lineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\p{Cc}+/gu, ' ');
}
