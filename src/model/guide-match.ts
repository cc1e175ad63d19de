export type MatchChannel = {
  readonly channel: number;
  readonly name: string;
  readonly saidNames: readonly string[];
  readonly tvgId: string | null;
  readonly groups: readonly string[];
  readonly radio: boolean;
};
export type MatchTarget = {
  readonly guideId: string;
  readonly names: readonly string[] /** Programmes near now. */;
  readonly near: number;
};
export type MatchVeto = 'number' | 'shift' | 'country' | 'empty' | 'rejected' | 'kind' | 'region';
export type MatchCandidate = {
  readonly guideSource: number;
  readonly guideId: string;
  readonly names: readonly string[] /** 0 to 1. */;
  readonly score: number;
  /** One sentence each, such as `Its id is the channel's tvg-id.` */ readonly reasons: readonly string[];
  readonly vetoes: readonly MatchVeto[];
};
/** Of one channel in one guide source. */
export type Matched =
  | {
      readonly state: 'accepted';
      readonly candidate: MatchCandidate /** To the next other one. */;
      readonly margin: number;
    }
  | {
      readonly state: 'review';
      readonly why: 'unsure' | 'ambiguous' | 'vetoed';
      readonly candidates: readonly MatchCandidate[];
    }
  | { readonly state: 'none' };
export type MatchPolicy = {
  /** 0.82 */ readonly accept: number /** 0.08 */;
  readonly margin: number /** 0.5 */;
  readonly review: number;
  readonly shown: number;
};
