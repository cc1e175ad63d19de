/** One place that configuration comes from, and how to name a place in it for the person who wrote it. */
export type Layer = {
  /** Keys and values as they were written. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Where the relative paths in it start. */
  readonly folder: string;
  /** A name for one key, such as `weir.yaml, line 3, "viewers"`. */
  readonly where: (path: readonly PropertyKey[]) => string;
};
