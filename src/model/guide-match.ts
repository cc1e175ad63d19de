/** A channel that a guide is looked for. */
export type MatchChannel = {
  readonly channel: number;
  readonly name: string;
  /** What its lists call it. */
  readonly saidNames: readonly string[];
  readonly tvgId: string | null;
  readonly groups: readonly string[];
  readonly radio: boolean;
};

/** A channel of a guide. */
export type MatchTarget = {
  readonly guideId: string;
  readonly names: readonly string[];
  /** Programmes from a day ago to in two days. */
  readonly near: number;
};

/** Why two are not one, whatever else speaks for it. */
export type MatchVeto = 'number' | 'shift' | 'country' | 'empty' | 'rejected' | 'kind' | 'region';

export type MatchCandidate = {
  readonly guideSource: number;
  readonly guideId: string;
  readonly names: readonly string[];
  /** 0 to 1. */
  readonly score: number;
  /** One sentence each, such as `Its id is the channel's tvg-id.` */
  readonly reasons: readonly string[];
  readonly vetoes: readonly MatchVeto[];
};

/** Of one channel in one guide source. */
export type Matched =
  | {
      readonly state: 'accepted';
      readonly candidate: MatchCandidate;
      /** To the next one that is another channel. */
      readonly margin: number;
    }
  | {
      readonly state: 'review';
      readonly why: 'unsure' | 'ambiguous' | 'vetoed';
      readonly candidates: readonly MatchCandidate[];
    }
  | { readonly state: 'none' };

/** All 0 to 1, but for how many candidates are shown. */
export type MatchPolicy = {
  /** The score that is enough. */
  readonly accept: number;
  /** How far the next one has to be behind. */
  readonly margin: number;
  /** What is worth to be looked at by a person. */
  readonly review: number;
  readonly shown: number;
};
