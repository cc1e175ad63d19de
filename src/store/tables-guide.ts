import type { Generated } from 'kysely';
import type { GuideLink, GuideSource } from '../model/guide.js';
import type { ReviewRow } from './guide-house.js';

/** What the household says of guides. JSON columns are text, yes and no are 1 and 0. */
export type GuideTables = {
  guide_source: GuideSourceTable;
  guide_source_list: { guide_source: number; source: number };
  guide_link: GuideLinkTable;
  guide_rejection: GuideRejectionTable;
  guide_choice: GuideChoiceTable;
  guide_review: GuideReviewTable;
};

type GuideSourceTable = {
  id: Generated<number>;
  kind: GuideSource['kind'];
  location: string;
  name: string | null;
  origin: GuideSource['origin'];
  position: number;
  enabled: Generated<number>;
  schedule: string | null;
  headers: Generated<string>;
  user_agent: string | null;
  proxy: string | null;
  time_zone: string | null;
  encoding: string | null;
  shift: Generated<number>;
  missing_since: number | null;
  removed: Generated<number>;
  version: Generated<number>;
};

type GuideLinkTable = {
  id: Generated<number>;
  channel: number;
  guide_source: number;
  guide_id: string;
  guide_key: string;
  rank: number;
  shift: Generated<number>;
  origin: GuideLink['origin'];
  locked: number;
  score: number | null;
  reasons: Generated<string>;
  names: Generated<string>;
  verified_at: Generated<number>;
};

type GuideRejectionTable = { id: Generated<number>; channel: number; guide_source: number; guide_key: string };

type GuideChoiceTable = { channel: number; mode: 'auto' | 'manual' | 'none'; placeholder: string | null };

type GuideReviewTable = { channel: number; why: ReviewRow['why']; candidates: string; since: number };
