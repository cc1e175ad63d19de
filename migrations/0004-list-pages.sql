-- What providers said is written a page at a time: 250 positions of a snapshot in one row. A row for each entry took as long to
-- write, to read again and to remove as all the rest of an import.
CREATE TABLE snapshot_page (
  snapshot INTEGER NOT NULL REFERENCES snapshot (id),
  -- The first of its positions, by 250.
  page     INTEGER NOT NULL,
  -- JSON array: ids of its entries, by position.
  entries  TEXT NOT NULL,
  -- JSON array, each element on a line of its own: what was said of each (model/said-json.ts), by position. Never changed.
  said     TEXT NOT NULL,
  PRIMARY KEY (snapshot, page)
) STRICT;

-- What changes of a page.
CREATE TABLE listing_page (
  snapshot INTEGER NOT NULL REFERENCES snapshot (id),
  page     INTEGER NOT NULL,
  -- A line for each position: the `search` of its listing; an empty one where there is none.
  search   TEXT NOT NULL,
  -- Counts the changes of its listings: what was made of a page that did not change is used again.
  version  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (snapshot, page)
) STRICT;

-- Entries of a snapshot that the provider does not list any more: few.
CREATE TABLE missing_entry (
  snapshot INTEGER NOT NULL REFERENCES snapshot (id),
  position INTEGER NOT NULL,
  state    TEXT NOT NULL CHECK (state IN ('missing', 'left')),
  since    INTEGER NOT NULL,
  -- The source's count of refreshes when it was missed first.
  refresh  INTEGER NOT NULL,
  PRIMARY KEY (snapshot, position)
) STRICT, WITHOUT ROWID;

-- A search looks through lines: no text of a listing has more than one.
UPDATE listing SET search = replace(search, char(10), ' ') WHERE instr(search, char(10)) > 0;

INSERT INTO snapshot_page
SELECT snapshot, position / 250, '[' || group_concat(entry, ',' ORDER BY position) || ']', '[' || group_concat(
  json_set(said, '$.line', line, '$.kind', kind, '$.name', name, '$.tvgId', tvg_id, '$.groups', json(groups)), ',' || char(10) ORDER BY position) || ']'
FROM snapshot_entry GROUP BY snapshot, position / 250;

INSERT INTO listing_page
SELECT e.snapshot, e.position / 250, group_concat(coalesce(l.search, ''), char(10) ORDER BY e.position), 0
FROM snapshot_entry e LEFT JOIN listing l ON l.snapshot = e.snapshot AND l.position = e.position GROUP BY e.snapshot, e.position / 250;

INSERT INTO missing_entry
SELECT snapshot, position, state, coalesce(missing_since, 0), coalesce(missing_refresh, 0) FROM snapshot_entry WHERE state <> 'present';

DROP INDEX listing_search;
DROP TABLE snapshot_entry;
