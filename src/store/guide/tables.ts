import type { Generated } from 'kysely';
import type { FeedState, GuideCause } from './contract.js';

/** The tables of `guide.db`; `migrations/guide` says what the columns mean. */
export interface GuideTables {
  feed: {
    source: number;
    state: Generated<FeedState>;
    reason: string | null;
    snapshot: number | null;
    failures: Generated<number>;
    next_refresh_at: number | null;
    refreshed_at: number | null;
    published_at: number | null;
  };
  snapshot: {
    id: Generated<number>;
    source: number;
    state: 'staged' | 'published' | 'quarantined';
    created_at: number;
    reason: string | null;
    body: string | null;
    body_hash: string;
    etag: string | null;
    last_modified: string | null;
    manner: string | null;
    listing: number;
    first_text: number;
    counts: Generated<string>;
    undone: Generated<number>;
  };
  guide_channel: {
    id: Generated<number>;
    source: number;
    guide_id: string;
    guide_key: string;
    kept: Generated<number>;
  };
  listed_channel: {
    snapshot: number;
    channel: number;
    names: string;
    icons: string;
    urls: string;
    search: string;
    programmes: number;
    first: number | null;
    last: number | null;
    near: number;
  };
  feed_refresh: {
    id: Generated<number>;
    source: number;
    cause: GuideCause;
    started_at: number;
    ended_at: number;
    outcome: 'published' | 'quarantined' | 'failed';
    reason: string | null;
    snapshot: number | null;
    counts: Generated<string>;
  };
  guide: { id: number; generation: number };
}
