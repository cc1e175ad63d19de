export const ruleKinds = ['rename', 'filter', 'group', 'number'] as const;
export type RuleKind = (typeof ruleKinds)[number];

export const ruleFields = ['name', 'group', 'tvgId', 'url'] as const;
export type RuleField = (typeof ruleFields)[number];

/** Which entries a rule takes: every condition that is there has to hold, in any case. */
export type RuleMatch = {
  /** What the pattern is looked for in; a group matches when any of an entry's does. */
  readonly field: RuleField;
  /** A regular expression of JavaScript, flags `iu`; empty matches all. */
  readonly pattern: string;
};

/**
 * What a rule does. `rename` replaces each match of the pattern in the name (`$1` is its first part). `filter` hides what
 * matches, or all that does not. `group` sets, adds or removes groups. `number` gives channels without a number of their
 * own the next free one of a range, once; they keep it.
 */
export type RuleAction =
  | { readonly kind: 'rename'; readonly replacement: string }
  | { readonly kind: 'filter'; readonly hide: 'matching' | 'others' }
  | {
      readonly kind: 'group';
      readonly set?: readonly string[];
      readonly add?: readonly string[];
      readonly remove?: readonly string[];
    }
  | { readonly kind: 'number'; readonly from: number; readonly to: number | null; readonly keepProvider: boolean };

export type Rule = {
  readonly id: number;
  /** They run from the lowest to the highest. */
  readonly position: number;
  readonly enabled: boolean;
  /** Id of the only source that it is for, or null for all. */
  readonly source: number | null;
  readonly match: RuleMatch;
  readonly action: RuleAction;
  readonly version: number;
};

export type RulePreview = {
  readonly matching: number;
  readonly changing: number;
  /** The first 100 of them. */
  readonly items: readonly {
    readonly channel: number;
    readonly name: string;
    readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  }[];
};
