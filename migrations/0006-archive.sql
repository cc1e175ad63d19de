-- What a household says of the archives of a list's channels, over what the list says. JSON CatchupSetting (model/archive.ts).
ALTER TABLE source ADD COLUMN catchup TEXT;
-- What it was when the listing of a snapshot was made. A listing that was made with another one is made anew, those of before too.
ALTER TABLE snapshot ADD COLUMN catchup TEXT;
UPDATE snapshot SET catchup = '';
-- JSON Archive (model/archive.ts): how far back the channel goes and by which scheme it is reached; NULL without one.
ALTER TABLE listing ADD COLUMN archive TEXT;

DROP VIEW shown_channel;
CREATE VIEW shown_channel AS
SELECT c.id, c.key, c.version, s.id AS source, s.position AS source_position, s.publish_direct, s.interface, s.membership_refresh,
       s.time_zone, s.catchup,
       l.snapshot, l.position, l.entry, l.state, l.hidden, l.sort_order, l.name, l.search, l.number, l.groups, l.logo, l.tvg_id, l.guide_shift,
       l.radio, l.url, l.upstream, l.extras, l.archive
FROM listing l
JOIN source s ON s.snapshot = l.snapshot
JOIN channel c ON c.id = l.channel
WHERE s.listed = 1 AND l.state <> 'left' AND (l.rank = 0 OR NOT EXISTS (
  SELECT 1 FROM listing b JOIN source bs ON bs.snapshot = b.snapshot
  WHERE b.channel = l.channel AND b.rank < l.rank AND b.state <> 'left' AND bs.listed = 1));

-- The relay receives RTSP from now on. What stands first in an entry is known here, the rest and archives when listings are made
-- anew. What is counted of a list, with the next reading of it, which is asked for in full.
UPDATE listing SET upstream = json_object('kind', 'rtsp', 'url', url, 'interface', NULL) WHERE upstream IS NULL AND lower(substr(url, 1, 7)) = 'rtsp://';
UPDATE listing_page SET version = version + 1;
UPDATE source SET etag = NULL, last_modified = NULL, body_hash = NULL, next_refresh_at = NULL;
UPDATE catalogue SET generation = generation + 1;
