export const ruleKinds = ['rename', 'filter', 'group', 'number'] as const;
export type RuleKind = (typeof ruleKinds)[number];

export const ruleFields = ['name', 'group', 'tvgId', 'url'] as const;
export type RuleField = (typeof ruleFields)[number];

/** Which entries a rule takes. */
export type RuleMatch = {
  /** What the pattern is looked for in: name and groups as rules before left them. Any group that matches is enough. */
  readonly field: RuleField;
  /** A regular expression of JavaScript, flags `iu`; empty matches all. `^$` finds what has no group or guide id. */
  readonly pattern: string;
};

/**
 * What a rule does. `rename` replaces each match of the pattern in the name (`$1` is its first part); its field is the name.
 * `filter` hides what matches, or all that does not. `group` sets, then removes, then adds groups. `number` gives channels
 * without a number of their own the next free one of a range of whole numbers (`to` null: no end), once; they keep it. With
 * `keepProvider` the provider's goes before. The first numbering rule that takes a channel is the only one for it.
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
  /** Why Weir switched it off, in one line, or null. */
  readonly reason: string | null;
  readonly version: number;
};

/** What a user says of a rule. */
export type NewRule = Omit<Rule, 'id' | 'reason' | 'version'>;

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
