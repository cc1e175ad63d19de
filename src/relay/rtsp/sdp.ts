/** What a description says (RFC 8866, RFC 2326 annex C). */
export type SdpFacts = {
  /** `a=control` of the whole and of the section that was chosen; null where there is none. */
  readonly control: string | null;
  readonly track: string | null;
  /** Seconds, by `a=range:npt`; null when it says none. */
  readonly duration: number | null;
  /** Epoch seconds, by `a=range:clock`; open when the end is null. */
  readonly clock: readonly [start: number, end: number | null] | null;
};
