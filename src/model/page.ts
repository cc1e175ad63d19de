/** A part of a longer list. */
export type Page<T> = {
  readonly items: readonly T[];
  /** What to ask for next, or null at the end; opaque. */
  readonly next: string | null;
};
/** `after` is the `next` of the page before, or null for the first; @throws WeirError `invalid` when it is none. */
export type Paging = { readonly after: string | null; readonly limit: number };
