import type { Generated } from 'kysely';
import type { Scope } from '../model/access.js';
import type { jobStates } from '../model/change.js';
import type { ChangeKind, RefreshCause } from '../model/refresh.js';
import type { SourceKind, SourceState } from '../model/source.js';
import type { EditTables } from './tables-edits.js';
import type { GuideTables } from './tables-guide.js';

/** The tables as `migrations/` makes them. JSON columns are text, yes and no are 1 and 0. */
export type Tables = EditTables &
  GuideTables & {
    source: SourceTable;
    snapshot: SnapshotTable;
    entry: EntryTable;
    snapshot_page: SnapshotPageTable;
    missing_entry: MissingEntryTable;
    listing: ListingTable;
    listing_page: ListingPageTable;
    refresh: RefreshTable;
    refresh_change: RefreshChangeTable;
    channel: ChannelTable;
    channel_entry: ChannelEntryTable;
    job: JobTable;
    logo: LogoTable;
    api_key: ApiKeyTable;
    access_token: AccessTokenTable;
    catalogue: CatalogueTable;
    shown_channel: ShownChannelView;
  };

type SourceTable = {
  id: Generated<number>;
  kind: SourceKind;
  location: string;
  name: string | null;
  content: string | null;
  position: number;
  given: number;
  enabled: Generated<number>;
  listed: Generated<number>;
  state: Generated<SourceState>;
  reason: string | null;
  schedule: string | null;
  headers: Generated<string>;
  user_agent: string | null;
  proxy: string | null;
  time_zone: string | null;
  catchup: string | null;
  encoding: 'windows-1252' | 'gb18030' | null;
  include_vod: Generated<number>;
  publish_direct: Generated<number>;
  interface: string | null;
  membership_refresh: number | null;
  etag: string | null;
  last_modified: string | null;
  body_hash: string | null;
  snapshot: number | null;
  refreshes: Generated<number>;
  failures: Generated<number>;
  next_refresh_at: number | null;
  refreshed_at: number | null;
  published_at: number | null;
  missing_since: number | null;
  version: Generated<number>;
};

type SnapshotTable = {
  id: Generated<number>;
  source: number;
  created_at: number;
  state: Generated<'staged' | 'published' | 'quarantined' | 'rejected'>;
  published_at: number | null;
  reason: string | null;
  body: Buffer | null;
  body_hash: string | null;
  etag: string | null;
  last_modified: string | null;
  entries: Generated<number>;
  channels: Generated<number>;
  skipped: Generated<string>;
  kinds: Generated<string>;
  problems: Generated<string>;
  header: Generated<string>;
  catchup: string | null;
};

type EntryTable = { id: Generated<number>; source: number };

export type EntryState = 'present' | 'missing' | 'left';

type SnapshotPageTable = { snapshot: number; page: number; entries: string; said: string };

type MissingEntryTable = {
  snapshot: number;
  position: number;
  state: Exclude<EntryState, 'present'>;
  since: number;
  refresh: number;
};

type ListingTable = {
  snapshot: number;
  position: number;
  entry: number;
  channel: number;
  rank: number;
  state: EntryState;
  hidden: number;
  sort_order: number | null;
  name: string;
  search: string;
  number: string | null;
  groups: string;
  logo: string | null;
  tvg_id: string | null;
  guide_shift: number | null;
  radio: number;
  url: string;
  upstream: string | null;
  extras: string | null;
  archive: string | null;
};

type ListingPageTable = { snapshot: number; page: number; search: string; version: Generated<number> };

type RefreshTable = {
  id: Generated<number>;
  source: number;
  cause: RefreshCause;
  started_at: number;
  ended_at: number;
  outcome: 'published' | 'quarantined' | 'failed';
  reason: string | null;
  snapshot: number | null;
  counts: Generated<string>;
  listed: Generated<number>;
};

type RefreshChangeTable = {
  snapshot: number;
  position: number;
  kind: ChangeKind;
  entry: number | null;
  name: string;
  fields: Generated<string>;
  reason: string | null;
};

type ChannelTable = {
  id: Generated<number>;
  key: string;
  created_at: number;
  version: Generated<number>;
  merged_into: number | null;
  rule_number: string | null;
};

type ChannelEntryTable = { channel: number; entry: number; rank: number };

type JobTable = {
  id: Generated<number>;
  kind: string;
  state: (typeof jobStates)[number];
  subject: number | null;
  progress: Generated<number>;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  result: string | null;
  reason: string | null;
};

type LogoTable = {
  url: string;
  hash: string | null;
  mime: string | null;
  bytes: number | null;
  etag: string | null;
  last_modified: string | null;
  fetched_at: number | null;
  next_at: number;
  failures: Generated<number>;
  reason: string | null;
};

type ApiKeyTable = {
  id: Generated<number>;
  name: string;
  scope: Scope;
  secret: Buffer;
  created_at: number;
  revoked_at: number | null;
};

type AccessTokenTable = {
  id: Generated<number>;
  name: string;
  secret: Buffer;
  created_at: number;
  revoked_at: number | null;
};

type CatalogueTable = { id: number; generation: number };

/** The channels of listed sources, one row each: that of the best entry that is there. */
type ShownChannelView = Omit<ListingTable, 'channel' | 'rank' | 'state'> & {
  id: number;
  key: string;
  version: number;
  state: 'present' | 'missing';
  /** Of the source that its entry belongs to. */
  source: number;
  source_position: number;
  publish_direct: number;
  interface: string | null;
  membership_refresh: number | null;
  /** The zone and the setting of that source. */
  time_zone: string | null;
  catchup: string | null;
};
