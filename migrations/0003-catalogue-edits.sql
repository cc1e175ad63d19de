-- Lists may be inline text too, and say how and when they are fetched.
CREATE TABLE source_new (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  kind          TEXT NOT NULL CHECK (kind IN ('file', 'url', 'inline')),
  -- A path, an address, or `inline:` and a random word.
  location      TEXT NOT NULL UNIQUE,
  -- As the user calls it; NULL shows the location.
  name          TEXT,
  -- The text of an inline list.
  content       TEXT,
  position      INTEGER NOT NULL,
  -- 1 when flag or configuration give it: then the API cannot change it.
  given         INTEGER NOT NULL CHECK (given IN (0, 1)),
  -- 0 stops its refreshes; its channels stay.
  enabled       INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  -- 0 once it has been missing for so long, or was removed, that its channels left the playlist.
  listed        INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1)),
  state         TEXT NOT NULL DEFAULT 'idle'
                CHECK (state IN ('idle', 'fetching', 'validating', 'staging', 'published', 'quarantined', 'failed', 'missing', 'removed')),
  reason        TEXT,
  -- An interval such as `90m`, or a cron expression; NULL is hourly.
  schedule      TEXT,
  -- JSON object of HTTP header fields, sent to the list's server and meant for its streams.
  headers       TEXT NOT NULL DEFAULT '{}',
  user_agent    TEXT,
  -- http, https or socks5 address that it is fetched through.
  proxy         TEXT,
  -- IANA name; of cron expressions, and of times in the list's addresses.
  time_zone     TEXT,
  -- Of lines that are not UTF-8; NULL guesses.
  encoding      TEXT CHECK (encoding IN ('windows-1252', 'gb18030')),
  -- 1 makes channels of movies and series too.
  include_vod   INTEGER NOT NULL DEFAULT 0 CHECK (include_vod IN (0, 1)),
  -- 1 publishes the provider's own address of what the relay cannot carry.
  publish_direct INTEGER NOT NULL DEFAULT 0 CHECK (publish_direct IN (0, 1)),
  interface     TEXT,
  membership_refresh REAL CHECK (membership_refresh BETWEEN 0 AND 3600),
  etag          TEXT,
  last_modified TEXT,
  -- Of the body that was published last.
  body_hash     TEXT,
  -- The snapshot in service, NULL before the first.
  snapshot      INTEGER REFERENCES snapshot (id),
  -- Refreshes that found a usable list, unchanged ones too.
  refreshes     INTEGER NOT NULL DEFAULT 0,
  -- Refreshes in a row that failed.
  failures      INTEGER NOT NULL DEFAULT 0,
  -- Epoch seconds, like every time here.
  next_refresh_at INTEGER,
  refreshed_at  INTEGER,
  published_at  INTEGER,
  missing_since INTEGER,
  -- Counts the user's changes.
  version       INTEGER NOT NULL DEFAULT 1
) STRICT;
INSERT INTO source_new (id, kind, location, position, given, listed, state, reason, interface, membership_refresh, snapshot, refreshes,
                        refreshed_at, published_at, missing_since)
SELECT id, kind, location, position, given, listed, state, reason, interface, membership_refresh, snapshot, refreshes,
       refreshed_at, published_at, missing_since
FROM source;

-- One body of a list. The entries of the one in service are stored; of the others only the body is kept, to go back to.
CREATE TABLE snapshot_new (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  source        INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
  created_at    INTEGER NOT NULL,
  -- `staged` is what a crash leaves: it is removed at the next start.
  state         TEXT NOT NULL DEFAULT 'staged' CHECK (state IN ('staged', 'published', 'quarantined', 'rejected')),
  -- When it entered service last.
  published_at  INTEGER,
  -- Why it was not trusted.
  reason        TEXT,
  -- As it was fetched, gzip; NULL in snapshots of older versions.
  body          BLOB,
  body_hash     TEXT,
  etag          TEXT,
  last_modified TEXT,
  -- Entries present, and those of them that are channels.
  entries       INTEGER NOT NULL DEFAULT 0,
  channels      INTEGER NOT NULL DEFAULT 0,
  -- JSON objects: entries that cannot be received by scheme, entries that are no channels by kind, problems by code.
  skipped       TEXT NOT NULL DEFAULT '{}',
  kinds         TEXT NOT NULL DEFAULT '{}',
  problems      TEXT NOT NULL DEFAULT '{}',
  -- JSON [[name, value]] of the list's first line.
  header        TEXT NOT NULL DEFAULT '[]'
) STRICT;
INSERT INTO snapshot_new (id, source, created_at, state, published_at, entries, channels, skipped, problems)
SELECT id, source, created_at, iif(published_at IS NULL, 'staged', 'published'), published_at, entries, channels, skipped, problems
FROM snapshot;

-- A line of a source as the provider said it in one snapshot.
CREATE TABLE snapshot_entry_new (
  snapshot        INTEGER NOT NULL REFERENCES snapshot (id),
  position        INTEGER NOT NULL,
  entry           INTEGER NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('present', 'missing', 'left')),
  missing_since   INTEGER,
  -- The source's count of refreshes when it was missed first.
  missing_refresh INTEGER,
  line            INTEGER NOT NULL,
  kind            TEXT NOT NULL CHECK (kind IN ('live', 'movie', 'series')),
  -- What it is recognised by: the first address, the name, the guide id, JSON of the groups.
  url             TEXT NOT NULL,
  name            TEXT NOT NULL,
  tvg_id          TEXT,
  groups          TEXT NOT NULL,
  -- JSON: everything else that was said (model/entry.ts, `EntryDetail`).
  said            TEXT NOT NULL,
  PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;
INSERT INTO snapshot_entry_new
SELECT snapshot, position, entry, state, missing_since, missing_refresh, line, 'live', coalesce(urls ->> '$[0].url', ''), name, tvg_id, groups,
       json_object('tvgName', tvg_name, 'number', NULL, 'logo', logo, 'radio', json('false'), 'guideShift', NULL, 'urls', json(urls), 'headers', json('{}'),
                   'catchup', NULL, 'attributes', json(attributes), 'directives', json('[]'))
FROM snapshot_entry;

-- What a snapshot publishes: the effective values of its channels, the user's edits over rules over what the provider said.
-- Made anew with each snapshot, kept right by each edit. A channel of several entries has a row for each of them.
CREATE TABLE listing (
  snapshot    INTEGER NOT NULL REFERENCES snapshot (id),
  position    INTEGER NOT NULL,
  entry       INTEGER NOT NULL,
  channel     INTEGER NOT NULL,
  -- Of the entry among those of its channel; the best one that is there speaks for it.
  rank        INTEGER NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('present', 'missing', 'left')),
  hidden      INTEGER NOT NULL CHECK (hidden IN (0, 1)),
  -- Where the user put it; channels without one follow in the order of their lists.
  sort_order  REAL,
  name        TEXT NOT NULL,
  -- Folded name, names of the provider included: what a search looks through.
  search      TEXT NOT NULL,
  number      TEXT,
  -- JSON array of names.
  groups      TEXT NOT NULL,
  logo        TEXT,
  tvg_id      TEXT,
  -- Seconds.
  guide_shift INTEGER,
  radio       INTEGER NOT NULL CHECK (radio IN (0, 1)),
  -- The provider's first address.
  url         TEXT NOT NULL,
  -- JSON of what the relay receives; NULL when it cannot receive any of the addresses.
  upstream    TEXT,
  -- JSON: attributes and directives that Weir does not know, to come out again; the user's hints for profiles. NULL without any.
  extras      TEXT,
  PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;
INSERT INTO listing
SELECT e.snapshot, e.position, e.entry, ce.channel, ce.rank, e.state, coalesce(o.hidden, 0), NULL, coalesce(o.name, e.name),
       lower(coalesce(o.name || ' ', '') || e.name), NULL, coalesce(o.groups, e.groups), coalesce(o.logo, e.logo), coalesce(o.tvg_id, e.tvg_id),
       NULL, 0, coalesce(e.urls ->> '$[0].url', ''), e.upstream, NULL
FROM snapshot_entry e JOIN channel_entry ce ON ce.entry = e.entry LEFT JOIN channel_override o ON o.channel = ce.channel;

DROP VIEW published_channel;
DROP TABLE snapshot_entry;
DROP TABLE snapshot;
DROP TABLE source;
ALTER TABLE source_new RENAME TO source;
ALTER TABLE snapshot_new RENAME TO snapshot;
ALTER TABLE snapshot_entry_new RENAME TO snapshot_entry;
CREATE INDEX source_snapshot ON source (snapshot);
CREATE INDEX snapshot_source ON snapshot (source);
CREATE INDEX snapshot_entry_entry ON snapshot_entry (entry);
CREATE INDEX snapshot_entry_missing ON snapshot_entry (snapshot) WHERE state = 'missing';
CREATE INDEX listing_channel ON listing (channel);
-- All that a search reads: the rows themselves are ten times as long.
CREATE INDEX listing_search ON listing (snapshot, position, search);
CREATE INDEX listing_ordered ON listing (snapshot, sort_order) WHERE sort_order IS NOT NULL;

-- Counts the user's changes; merged channels answer for the keys of those they took in.
ALTER TABLE channel ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
ALTER TABLE channel ADD COLUMN merged_into INTEGER REFERENCES channel (id);
-- Given once by a numbering rule, and kept.
ALTER TABLE channel ADD COLUMN rule_number TEXT;

ALTER TABLE channel_override ADD COLUMN number TEXT;
ALTER TABLE channel_override ADD COLUMN guide_shift INTEGER;
ALTER TABLE channel_override ADD COLUMN sort_order REAL;
-- JSON {mode, source, days, correction}.
ALTER TABLE channel_override ADD COLUMN catchup TEXT;
-- JSON {profile: [line]}: directives added for players of a profile.
ALTER TABLE channel_override ADD COLUMN hints TEXT;

-- One attempt to take over a list that was not exactly the one in service.
CREATE TABLE refresh (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  source     INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
  cause      TEXT NOT NULL CHECK (cause IN ('start', 'schedule', 'file', 'user', 'accept', 'rollback', 'rules')),
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL,
  outcome    TEXT NOT NULL CHECK (outcome IN ('published', 'quarantined', 'failed')),
  reason     TEXT,
  snapshot   INTEGER,
  -- JSON: counts of changes by kind; rows of them that are kept.
  counts     TEXT NOT NULL DEFAULT '{}',
  listed     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX refresh_source ON refresh (source);

-- What it changed, entry by entry.
CREATE TABLE refresh_change (
  snapshot INTEGER NOT NULL,
  position INTEGER NOT NULL,
  kind     TEXT NOT NULL CHECK (kind IN ('added', 'removed', 'returned', 'changed', 'suspect')),
  entry    INTEGER,
  name     TEXT NOT NULL,
  -- JSON {field: [before, after]}.
  fields   TEXT NOT NULL DEFAULT '{}',
  -- By which keys it was recognised, or why it is suspect.
  reason   TEXT,
  PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;

-- Rules change what providers say, before the user's own edits.
CREATE TABLE rule (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  kind     TEXT NOT NULL CHECK (kind IN ('rename', 'filter', 'group', 'number')),
  -- They run in this order.
  position REAL NOT NULL,
  enabled  INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  -- NULL is every source.
  source   INTEGER REFERENCES source (id) ON DELETE CASCADE,
  -- JSON, by kind (model/rule.ts).
  match    TEXT NOT NULL,
  action   TEXT NOT NULL,
  -- Why it was switched off by Weir, or NULL.
  reason   TEXT,
  version  INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE lineup (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  slug    TEXT NOT NULL UNIQUE,
  name    TEXT NOT NULL,
  -- JSON: what it holds besides its items, or NULL for its items alone.
  filter  TEXT,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE lineup_item (
  lineup     INTEGER NOT NULL REFERENCES lineup (id) ON DELETE CASCADE,
  channel    INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
  sort_order REAL,
  number     TEXT,
  -- 1 takes out a channel that the filter would let in.
  excluded   INTEGER NOT NULL DEFAULT 0 CHECK (excluded IN (0, 1)),
  PRIMARY KEY (lineup, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX lineup_item_channel ON lineup_item (channel);

-- Pairs of channels that may be one.
CREATE TABLE suggestion (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  kind    TEXT NOT NULL CHECK (kind IN ('suspect', 'same-guide-id', 'same-name')),
  -- The one that would stay, and the one that it would take in.
  channel INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
  other   INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
  reason  TEXT NOT NULL,
  state   TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'rejected')),
  created_at INTEGER NOT NULL,
  UNIQUE (channel, other)
) STRICT;
CREATE INDEX suggestion_other ON suggestion (other);

-- Every change that a user made, with what stood before, so that it can be undone.
CREATE TABLE change (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  at      INTEGER NOT NULL,
  -- The key that was shown: its id and name, NULL for the configured one.
  api_key INTEGER,
  actor   TEXT NOT NULL,
  -- What was done, in one line.
  summary TEXT NOT NULL,
  rows    INTEGER NOT NULL,
  -- The change that undid it.
  undone_by INTEGER REFERENCES change (id)
) STRICT;
CREATE TABLE change_row (
  change     INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  table_name TEXT NOT NULL,
  -- JSON of the row; NULL before it was made or after it was removed.
  before     TEXT,
  after      TEXT,
  PRIMARY KEY (change, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE job (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  kind       TEXT NOT NULL,
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  -- Of the source or so that it works on.
  subject    INTEGER,
  -- 0 to 1.
  progress   REAL NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  ended_at   INTEGER,
  -- JSON.
  result     TEXT,
  reason     TEXT
) STRICT;

-- Pictures that were fetched; the files are in the data directory, named by their hash.
CREATE TABLE logo (
  url           TEXT PRIMARY KEY,
  -- NULL when there is none to serve.
  hash          TEXT,
  mime          TEXT,
  bytes         INTEGER,
  etag          TEXT,
  last_modified TEXT,
  fetched_at    INTEGER,
  -- When it is asked for again.
  next_at       INTEGER NOT NULL,
  failures      INTEGER NOT NULL DEFAULT 0,
  reason        TEXT
) STRICT, WITHOUT ROWID;

UPDATE catalogue SET generation = generation + 1;

-- The channels of listed sources, one row each: that of the best entry that is there.
CREATE VIEW shown_channel AS
SELECT c.id, c.key, c.version, s.id AS source, s.position AS source_position, s.publish_direct, s.interface, s.membership_refresh,
       l.snapshot, l.position, l.entry, l.state, l.hidden, l.sort_order, l.name, l.search, l.number, l.groups, l.logo, l.tvg_id, l.guide_shift,
       l.radio, l.url, l.upstream, l.extras
FROM listing l
JOIN source s ON s.snapshot = l.snapshot
JOIN channel c ON c.id = l.channel
WHERE s.listed = 1 AND l.state <> 'left' AND (l.rank = 0 OR NOT EXISTS (
  SELECT 1 FROM listing b JOIN source bs ON bs.snapshot = b.snapshot
  WHERE b.channel = l.channel AND b.rank < l.rank AND b.state <> 'left' AND bs.listed = 1));
