import type { Generated } from 'kysely';
import type { Scope } from '../model/access.js';
import type { SourceKind, SourceState } from '../model/source.js';

/** The tables as `migrations/` makes them. JSON columns are text. */
export type Tables = {
  source: SourceTable;
  snapshot: SnapshotTable;
  entry: EntryTable;
  snapshot_entry: SnapshotEntryTable;
  channel: ChannelTable;
  channel_override: ChannelOverrideTable;
  channel_entry: ChannelEntryTable;
  api_key: ApiKeyTable;
  access_token: AccessTokenTable;
  catalogue: CatalogueTable;
  published_channel: PublishedChannelView;
};

type SourceTable = {
  id: Generated<number>;
  kind: SourceKind;
  location: string;
  position: number;
  given: number;
  listed: Generated<number>;
  state: Generated<SourceState>;
  reason: string | null;
  etag: string | null;
  last_modified: string | null;
  body_hash: string | null;
  snapshot: number | null;
  refreshes: Generated<number>;
  refreshed_at: number | null;
  published_at: number | null;
  missing_since: number | null;
  interface: string | null;
  membership_refresh: number | null;
};

type SnapshotTable = {
  id: Generated<number>;
  source: number;
  created_at: number;
  published_at: number | null;
  entries: Generated<number>;
  channels: Generated<number>;
  skipped: Generated<string>;
  problems: Generated<string>;
  changes: Generated<string>;
};

type EntryTable = { id: Generated<number>; source: number };

type SnapshotEntryTable = {
  snapshot: number;
  position: number;
  entry: number;
  state: 'present' | 'missing' | 'left';
  missing_since: number | null;
  missing_refresh: number | null;
  line: number;
  raw: string;
  name: string;
  tvg_id: string | null;
  tvg_name: string | null;
  groups: string;
  logo: string | null;
  urls: string;
  attributes: string;
  upstream: string | null;
};

type ChannelTable = { id: Generated<number>; key: string; created_at: number };

type ChannelOverrideTable = {
  channel: number;
  name: string | null;
  logo: string | null;
  tvg_id: string | null;
  groups: string | null;
  hidden: number | null;
};

type ChannelEntryTable = { channel: number; entry: number; rank: number };

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

type PublishedChannelView = {
  id: number;
  key: string;
  source_position: number;
  snapshot: number;
  position: number;
  name: string;
  groups: string;
  logo: string | null;
  tvg_id: string | null;
  upstream: string;
  /** Of its source. */
  interface: string | null;
  membership_refresh: number | null;
};
