-- How each guide source stands, by its id in weir.db. What says "unchanged" is of its snapshot: it lives and dies with the programmes.
CREATE TABLE feed (
  source        INTEGER PRIMARY KEY,
  state         TEXT NOT NULL DEFAULT 'idle'
                CHECK (state IN ('idle', 'fetching', 'validating', 'staging', 'published', 'quarantined', 'failed')),
  reason        TEXT,
  -- The snapshot in service; NULL before the first.
  snapshot      INTEGER,
  failures      INTEGER NOT NULL DEFAULT 0,
  next_refresh_at INTEGER,
  refreshed_at  INTEGER,
  published_at  INTEGER
) STRICT;

CREATE TABLE snapshot (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  source      INTEGER NOT NULL,
  state       TEXT NOT NULL CHECK (state IN ('staged', 'published', 'quarantined')),
  created_at  INTEGER NOT NULL,
  reason      TEXT,
  -- Name of its body in the folder `guides`; NULL when it is not kept.
  body        TEXT,
  -- Of its bytes, gzip header left out.
  body_hash   TEXT NOT NULL,
  etag        TEXT,
  last_modified TEXT,
  -- How it was read (zone, encoding, version of the reader); NULL before it is published.
  manner      TEXT,
  -- Whose listed_channel rows describe it: its own, or of a back-fill those of the snapshot that it completes.
  listing     INTEGER NOT NULL,
  -- Texts from this id on were staged by it.
  first_text  INTEGER NOT NULL,
  -- JSON GuideCounts (model/guide.ts).
  counts      TEXT NOT NULL DEFAULT '{}',
  -- Of one that is undone: programmes of guide channels up to this one are gone.
  undone      INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX snapshot_source ON snapshot (source);

-- The lasting number of an id in a source. `guide_key` is folded: programmes and channels may write one id in two cases.
CREATE TABLE guide_channel (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  source    INTEGER NOT NULL,
  guide_id  TEXT NOT NULL,
  guide_key TEXT NOT NULL,
  -- 1 when its programmes are kept.
  kept      INTEGER NOT NULL DEFAULT 0 CHECK (kept IN (0, 1)),
  UNIQUE (source, guide_key)
) STRICT;

-- Every channel that a snapshot knows, wanted or not.
CREATE TABLE listed_channel (
  snapshot   INTEGER NOT NULL,
  channel    INTEGER NOT NULL,
  -- JSON [[text, lang]] in their order; JSON arrays of icons and urls.
  names      TEXT NOT NULL,
  icons      TEXT NOT NULL,
  urls       TEXT NOT NULL,
  -- Folded id and names: what a search looks through.
  search     TEXT NOT NULL,
  programmes INTEGER NOT NULL,
  -- First start and last end; NULL without programmes. `near` counts those in [now - 1 d, now + 2 d].
  first      INTEGER,
  last       INTEGER,
  near       INTEGER NOT NULL,
  PRIMARY KEY (snapshot, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX listed_channel_search ON listed_channel (snapshot, channel, search);

-- Titles in the order of a search's answers.
CREATE TABLE title (
  -- As in model/search.ts: what a search looks through.
  folded TEXT NOT NULL,
  -- 52 bits of a hash of the text: a title is numbered without being looked for.
  id     INTEGER NOT NULL,
  text   TEXT NOT NULL,
  PRIMARY KEY (folded, id)
) STRICT, WITHOUT ROWID;

-- What is said of a programme, apart from when and where it is shown. Airings with the same content share it.
CREATE TABLE text (
  id    INTEGER PRIMARY KEY,
  title INTEGER NOT NULL,
  -- UTF-8 JSON ProgrammeContent (model/programme.ts).
  body  BLOB NOT NULL
) STRICT;

-- The texts of a title, for searches. An index of the table above would be written all over with each chunk of texts; these rows and
-- those of `title` are written many at once, in their order.
CREATE TABLE title_text (
  title INTEGER NOT NULL,
  text  INTEGER NOT NULL,
  PRIMARY KEY (title, text)
) STRICT, WITHOUT ROWID;

-- One airing. Seen in snapshot S of its source: added <= S and not (removed <= S). Rows that are out of service are deleted before
-- another snapshot is staged, so that a key is never there twice.
CREATE TABLE programme (
  channel INTEGER NOT NULL,
  -- Epoch seconds as the guide says them; shifts are added when it is read. `stop` 0 is not said.
  start   INTEGER NOT NULL,
  stop    INTEGER NOT NULL,
  -- 52 bits of the SHA-1 of the content.
  hash    INTEGER NOT NULL,
  text    INTEGER NOT NULL,
  added   INTEGER NOT NULL,
  removed INTEGER,
  PRIMARY KEY (channel, start, stop, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX programme_text ON programme (text);
CREATE INDEX programme_removed ON programme (removed) WHERE removed IS NOT NULL;

CREATE TABLE feed_refresh (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  source     INTEGER NOT NULL,
  cause      TEXT NOT NULL CHECK (cause IN ('start', 'schedule', 'file', 'user', 'accept', 'links')),
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL,
  outcome    TEXT NOT NULL CHECK (outcome IN ('published', 'quarantined', 'failed')),
  reason     TEXT,
  snapshot   INTEGER,
  counts     TEXT NOT NULL DEFAULT '{}'
) STRICT;
CREATE INDEX feed_refresh_source ON feed_refresh (source);

-- Counts every change of what the guide shows.
CREATE TABLE guide (id INTEGER PRIMARY KEY CHECK (id = 1), generation INTEGER NOT NULL) STRICT;
INSERT INTO guide VALUES (1, 1);
