-- Guides of programmes (XMLTV): what the household says of them. What they hold is in guide.db, which can be made again.
CREATE TABLE guide_source (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT NOT NULL CHECK (kind IN ('file', 'url')),
  location    TEXT NOT NULL UNIQUE,
  name        TEXT,
  -- Who names it: flag or configuration, a user, or a list by its `url-tvg`.
  origin      TEXT NOT NULL CHECK (origin IN ('given', 'user', 'list')),
  -- Order among the guides: where several have a channel, the first speaks and the next fill its gaps.
  position    REAL NOT NULL,
  enabled     INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  -- An interval such as `6h`, or a cron expression; NULL is every 6 hours.
  schedule    TEXT,
  headers     TEXT NOT NULL DEFAULT '{}',
  user_agent  TEXT,
  proxy       TEXT,
  -- IANA name; of cron expressions, and of times without a zone; NULL is UTC.
  time_zone   TEXT,
  -- Of texts that are neither UTF-8 nor what the guide declares; NULL guesses.
  encoding    TEXT,
  -- Seconds added to all its times.
  shift       INTEGER NOT NULL DEFAULT 0,
  -- Since when neither flag, configuration nor list names it; NULL while one does. After 7 days its programmes are dropped.
  missing_since INTEGER,
  -- 1 once the user removed it.
  removed     INTEGER NOT NULL DEFAULT 0 CHECK (removed IN (0, 1)),
  version     INTEGER NOT NULL DEFAULT 1
) STRICT;

-- The lists that name a guide.
CREATE TABLE guide_source_list (
  guide_source INTEGER NOT NULL REFERENCES guide_source (id) ON DELETE CASCADE,
  source       INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
  PRIMARY KEY (guide_source, source)
) STRICT, WITHOUT ROWID;

-- Which guide channels speak for a channel, the best first. Presence in the guide plays no part: a guide that is empty for a day keeps its links.
CREATE TABLE guide_link (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  channel     INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
  guide_source INTEGER NOT NULL REFERENCES guide_source (id) ON DELETE CASCADE,
  -- As the guide writes it, and folded: what it is compared by.
  guide_id    TEXT NOT NULL,
  guide_key   TEXT NOT NULL,
  -- The user's order comes first; what has none has 1000 and follows the order of the guide sources.
  rank        INTEGER NOT NULL,
  -- Seconds added to the times of this guide channel for this channel.
  shift       INTEGER NOT NULL DEFAULT 0,
  origin      TEXT NOT NULL CHECK (origin IN ('auto', 'user')),
  -- 1 keeps the matcher's hands off it; always 1 of a user's.
  locked      INTEGER NOT NULL CHECK (locked IN (0, 1)),
  -- 0 to 1; NULL of a user's.
  score       REAL,
  -- JSON array of reasons (model/guide-match.ts).
  reasons     TEXT NOT NULL DEFAULT '[]',
  -- JSON array: display names seen with the id, by which it is found again when the guide renames it.
  names       TEXT NOT NULL DEFAULT '[]',
  -- When the matcher found it in the guide last.
  verified_at INTEGER NOT NULL DEFAULT 0,
  UNIQUE (channel, guide_source, guide_key)
) STRICT;
CREATE INDEX guide_link_guide ON guide_link (guide_source, guide_key);

-- Pairs that a user said no to. They are not linked nor shown again.
CREATE TABLE guide_rejection (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  channel     INTEGER NOT NULL REFERENCES channel (id) ON DELETE CASCADE,
  guide_source INTEGER NOT NULL REFERENCES guide_source (id) ON DELETE CASCADE,
  guide_key   TEXT NOT NULL,
  UNIQUE (channel, guide_source, guide_key)
) STRICT;

-- What a user decided about a channel's guide as a whole; no row is automatic linking and no placeholder.
CREATE TABLE guide_choice (
  channel     INTEGER PRIMARY KEY REFERENCES channel (id) ON DELETE CASCADE,
  -- `none` is a channel that shall have no guide.
  mode        TEXT NOT NULL CHECK (mode IN ('auto', 'manual', 'none')),
  -- JSON {minutes, title}: what fills the time that no guide has; NULL leaves it empty.
  placeholder TEXT
) STRICT;

-- Channels that the matcher is not sure of. Made anew by each run.
CREATE TABLE guide_review (
  channel     INTEGER PRIMARY KEY REFERENCES channel (id) ON DELETE CASCADE,
  why         TEXT NOT NULL CHECK (why IN ('unsure', 'ambiguous', 'vetoed')),
  -- JSON array of candidates with score, reasons and vetoes, the best first, five at most.
  candidates  TEXT NOT NULL,
  since       INTEGER NOT NULL
) STRICT;
