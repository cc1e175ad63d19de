-- One list of channels: a file or an address, given by flag or configuration.
CREATE TABLE source (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  kind          TEXT NOT NULL CHECK (kind IN ('file', 'url')),
  location      TEXT NOT NULL UNIQUE,
  -- Order among the sources; lists are published in this order.
  position      INTEGER NOT NULL,
  given         INTEGER NOT NULL CHECK (given IN (0, 1)),
  -- 0 once it has been missing for so long that its channels left the playlist.
  listed        INTEGER NOT NULL DEFAULT 1 CHECK (listed IN (0, 1)),
  state         TEXT NOT NULL DEFAULT 'idle'
                CHECK (state IN ('idle', 'fetching', 'validating', 'staging', 'published', 'quarantined', 'failed', 'missing')),
  reason        TEXT,
  etag          TEXT,
  last_modified TEXT,
  -- Of the body that was published last.
  body_hash     TEXT,
  -- The snapshot in service, NULL before the first.
  snapshot      INTEGER REFERENCES snapshot (id),
  -- Refreshes that found a usable list, unchanged ones too.
  refreshes     INTEGER NOT NULL DEFAULT 0,
  -- Epoch seconds, like every time here.
  refreshed_at  INTEGER,
  published_at  INTEGER,
  missing_since INTEGER
) STRICT;
CREATE INDEX source_snapshot ON source (snapshot);

-- What one refresh brought. It is filled in chunks and enters service when its source points to it.
CREATE TABLE snapshot (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  source     INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  -- NULL until it entered service: what a crash leaves so is removed at the next start.
  published_at INTEGER,
  -- Entries present, and those of them that are published as channels.
  entries    INTEGER NOT NULL DEFAULT 0,
  channels   INTEGER NOT NULL DEFAULT 0,
  -- JSON objects: skipped by scheme, problems by code, changes by kind.
  skipped    TEXT NOT NULL DEFAULT '{}',
  problems   TEXT NOT NULL DEFAULT '{}',
  changes    TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX snapshot_source ON snapshot (source);

-- The lasting identity of a line of a source.
CREATE TABLE entry (
  id     INTEGER PRIMARY KEY AUTOINCREMENT,
  source INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE
) STRICT;

-- The same line as the provider said it in one snapshot.
CREATE TABLE snapshot_entry (
  snapshot        INTEGER NOT NULL REFERENCES snapshot (id),
  position        INTEGER NOT NULL,
  entry           INTEGER NOT NULL,
  state           TEXT NOT NULL CHECK (state IN ('present', 'missing', 'left')),
  missing_since   INTEGER,
  -- The source's count of refreshes when it was missed first.
  missing_refresh INTEGER,
  line            INTEGER NOT NULL,
  -- The lines it was read from, as they stood.
  raw             TEXT NOT NULL,
  name            TEXT NOT NULL,
  tvg_id          TEXT,
  tvg_name        TEXT,
  -- JSON array of names.
  groups          TEXT NOT NULL,
  logo            TEXT,
  -- JSON: [{url, label, headers}], the first is tried first.
  urls            TEXT NOT NULL,
  -- JSON: [[name, value]] in the order written.
  attributes      TEXT NOT NULL,
  -- JSON of what the relay receives; NULL when it cannot receive any of the addresses.
  upstream        TEXT,
  PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX snapshot_entry_entry ON snapshot_entry (entry);
CREATE INDEX snapshot_entry_missing ON snapshot_entry (snapshot) WHERE state = 'missing';

-- What is published. Rows are never deleted once published, so that neither id nor key is ever used again.
CREATE TABLE channel (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  key        TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;

-- What the user set; NULL follows the provider. A refresh never writes here.
CREATE TABLE channel_override (
  channel INTEGER PRIMARY KEY REFERENCES channel (id) ON DELETE CASCADE,
  name    TEXT,
  logo    TEXT,
  tvg_id  TEXT,
  groups  TEXT,
  hidden  INTEGER CHECK (hidden IN (0, 1))
) STRICT;

-- A channel's entries, best first.
CREATE TABLE channel_entry (
  channel INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
  entry   INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
  rank    INTEGER NOT NULL,
  PRIMARY KEY (channel, entry)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX channel_entry_entry ON channel_entry (entry);

-- Secrets are kept as SHA-256 only.
CREATE TABLE api_key (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL,
  scope      TEXT NOT NULL CHECK (scope IN ('read', 'edit', 'admin')),
  secret     BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

CREATE TABLE access_token (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT NOT NULL,
  secret     BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;

-- Counts every change of what is published.
CREATE TABLE catalogue (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  generation INTEGER NOT NULL
) STRICT;
INSERT INTO catalogue VALUES (1, 1);

-- The entries that channels show now, with the user's edits over what the provider said. The plus sign keeps SQLite from
-- walking whole snapshots to find the entry of one channel.
CREATE VIEW published_channel AS
SELECT c.id, c.key,
       s.position AS source_position, e.snapshot, e.position,
       coalesce(o.name, e.name) AS name,
       coalesce(o.groups, e.groups) AS groups,
       coalesce(o.logo, e.logo) AS logo,
       coalesce(o.tvg_id, e.tvg_id) AS tvg_id,
       e.upstream
FROM channel c
JOIN channel_entry ce ON ce.channel = c.id AND ce.rank = 0
JOIN snapshot_entry e ON e.entry = ce.entry
JOIN source s ON s.snapshot = +e.snapshot
LEFT JOIN channel_override o ON o.channel = c.id
WHERE s.listed = 1 AND e.state IN ('present', 'missing') AND e.upstream IS NOT NULL AND coalesce(o.hidden, 0) = 0;
