import type { Generated } from 'kysely';
import type { Suggestion } from '../model/change.js';
import type { RuleKind } from '../model/rule.js';

/** The tables of what users say of channels, and of what they changed. */
export type EditTables = {
  channel_override: ChannelOverrideTable;
  rule: RuleTable;
  lineup: LineupTable;
  lineup_item: LineupItemTable;
  suggestion: SuggestionTable;
  change: ChangeTable;
  change_row: ChangeRowTable;
};

type ChannelOverrideTable = {
  channel: number;
  name: string | null;
  logo: string | null;
  tvg_id: string | null;
  groups: string | null;
  hidden: number | null;
  number: string | null;
  guide_shift: number | null;
  sort_order: number | null;
  catchup: string | null;
  hints: string | null;
};

type RuleTable = {
  id: Generated<number>;
  kind: RuleKind;
  position: number;
  enabled: Generated<number>;
  source: number | null;
  match: string;
  action: string;
  reason: string | null;
  version: Generated<number>;
};

type LineupTable = {
  id: Generated<number>;
  slug: string;
  name: string;
  filter: string | null;
  version: Generated<number>;
};

type LineupItemTable = {
  lineup: number;
  channel: number;
  sort_order: number | null;
  number: string | null;
  excluded: Generated<number>;
};

type SuggestionTable = {
  id: Generated<number>;
  kind: Suggestion['kind'];
  channel: number;
  other: number;
  reason: string;
  state: Generated<Suggestion['state']>;
  created_at: number;
};

type ChangeTable = {
  id: Generated<number>;
  at: number;
  api_key: number | null;
  actor: string;
  summary: string;
  rows: number;
  undone_by: number | null;
};

type ChangeRowTable = {
  change: number;
  position: number;
  table_name: string;
  before: string | null;
  after: string | null;
};
