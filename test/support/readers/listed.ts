/** A channel as a player understands a list. */
export type Listed = {
  readonly name: string;
  readonly id: string;
  readonly number: string | null;
  readonly groups: readonly string[];
  /** Without what a player takes for headers. */
  readonly url: string;
};
