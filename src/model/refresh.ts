export const refreshCauses = ['start', 'schedule', 'file', 'user', 'accept', 'rollback', 'rules'] as const;
export type RefreshCause = (typeof refreshCauses)[number];

export const changeKinds = ['added', 'removed', 'returned', 'changed', 'suspect'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** One entry that a refresh changed. */
export type EntryChange = {
  readonly kind: ChangeKind;
  /** Null for one that has no id yet, in a dry run. */
  readonly entry: number | null;
  readonly name: string;
  /** By name of the field: before and after. */
  readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** Which keys it was recognised by, or why it is suspect; null when nothing is worth saying. */
  readonly reason: string | null;
};

/** How a list differs from the one before: counts of entries. `readdressed` had only volatile parts of an address change. */
export type Changes = Readonly<
  Record<'added' | 'removed' | 'returned' | 'renamed' | 'moved' | 'readdressed' | 'regrouped' | 'suspect', number>
>;

/** One attempt to take over a list that was not exactly the one in service. Instants are epoch seconds. */
export type Refresh = {
  readonly id: number;
  readonly source: number;
  readonly cause: RefreshCause;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: 'published' | 'quarantined' | 'failed';
  readonly reason: string | null;
  /** Its snapshot, while that is kept. */
  readonly snapshot: number | null;
  readonly counts: Partial<Changes>;
  /** How many of the changed entries are listed one by one: 10,000 at most. */
  readonly listed: number;
};

/** A kept body of a list. */
export type Snapshot = {
  readonly id: number;
  readonly source: number;
  readonly createdAt: number;
  readonly state: 'published' | 'quarantined' | 'rejected';
  /** When it entered service last, or null. */
  readonly publishedAt: number | null;
  /** Why it was not trusted, or null. */
  readonly reason: string | null;
  readonly entries: number;
  readonly channels: number;
  /** Whether it is the one in service. */
  readonly inService: boolean;
  /** Whether its body is there, so that it can be gone back to. */
  readonly kept: boolean;
};
