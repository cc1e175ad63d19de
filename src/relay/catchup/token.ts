import type { Headers } from '../../model/entry.js';

/** A part of a time's format: digits of the clock, or text as it stands. */
export type FormatPart =
  | { readonly kind: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' }
  | { readonly kind: 'text'; readonly text: string };

export type Moment = 'start' | 'end' | 'now';

/** UTC, the provider's zone, or what the source says of formatted times. */
export type Basis = 'utc' | 'zone' | 'formatted';

/** A part of a template. */
export type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'epoch'; readonly of: Moment }
  | { readonly kind: 'time'; readonly of: Moment; readonly format: readonly FormatPart[]; readonly basis: Basis }
  | { readonly kind: 'duration' | 'offset'; readonly divider: number }
  /** Kept as written. */
  | { readonly kind: 'unknown'; readonly text: string };

/** A provider's template, read. */
export type Template = {
  readonly tokens: readonly Token[];
  /** What stood behind `|`. */
  readonly headers: Headers;
  /** Placeholders that nobody knows, as written. */
  readonly unknown: readonly string[];
  /** Whether it cannot be filled without an end. */
  readonly needsEnd: boolean;
};

/** What a template is filled with: epoch seconds. */
export type Instants = {
  readonly start: number;
  /** Null is open. */
  readonly end: number | null;
  readonly now: number;
  /** What is written for an open end where something must be; now when it is not said. */
  readonly openEnd?: number | null;
};

/** The instant that a token shows, or null: it shows none. */
export function momentOf(token: Token | undefined): Moment | null {
  return token?.kind === 'epoch' || token?.kind === 'time' ? token.of : null;
}
