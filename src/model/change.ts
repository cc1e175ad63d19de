/** Something that a user did through the API. Instants are epoch seconds. */
export type Change = {
  readonly id: number;
  readonly at: number;
  /** Name of the key that was shown. */
  readonly actor: string;
  /** What was done, in one line. */
  readonly summary: string;
  /** How many rows it touched. */
  readonly rows: number;
  /** Id of the change that undid it, or null. */
  readonly undoneBy: number | null;
};

/** Who does something. */
export type Actor = { readonly key: number | null; readonly name: string };

export const jobStates = ['waiting', 'running', 'done', 'failed'] as const;
/** Long work with progress. Instants are epoch seconds. */
export type Job = {
  readonly id: number;
  readonly kind: 'refresh' | 'rules' | 'guide-refresh' | 'guide-match';
  readonly state: (typeof jobStates)[number];
  /** Id of what it works on, such as a source, or null. */
  readonly subject: number | null;
  /** 0 to 1. */
  readonly progress: number;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly result: unknown;
  /** Why it failed, or null. */
  readonly reason: string | null;
};

export const suggestionKinds = ['suspect', 'same-guide-id', 'same-name'] as const;
/** Two channels that may be one. Accepting it moves the entries of `other` to `channel`, which keeps its edits and address. */
export type Suggestion = {
  readonly id: number;
  readonly kind: (typeof suggestionKinds)[number];
  readonly channel: number;
  readonly other: number;
  readonly reason: string;
  readonly state: 'open' | 'accepted' | 'rejected';
  readonly createdAt: number;
};

/** Changes that are kept, and can be undone; fewer when they are of more than a million rows together. */
export const keptChanges = 10_000;

/** Why there is none of an id. */
export const noSuchChange = `There is no such change: the newest ${keptChanges} are kept.`;
