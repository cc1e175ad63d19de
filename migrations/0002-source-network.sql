-- How a source's channels are received, as its configuration says; NULL follows what holds for all.
-- The network interface, or several with commas between them.
ALTER TABLE source ADD COLUMN interface TEXT;
-- Seconds between unasked membership reports; 0 is never.
ALTER TABLE source ADD COLUMN membership_refresh REAL CHECK (membership_refresh BETWEEN 0 AND 3600);

-- The same with these, so that what the configuration says holds at once, without reading the list again.
DROP VIEW published_channel;
CREATE VIEW published_channel AS
SELECT c.id, c.key,
       s.position AS source_position, e.snapshot, e.position,
       coalesce(o.name, e.name) AS name,
       coalesce(o.groups, e.groups) AS groups,
       coalesce(o.logo, e.logo) AS logo,
       coalesce(o.tvg_id, e.tvg_id) AS tvg_id,
       e.upstream, s.interface, s.membership_refresh
FROM channel c
JOIN channel_entry ce ON ce.channel = c.id AND ce.rank = 0
JOIN snapshot_entry e ON e.entry = ce.entry
JOIN source s ON s.snapshot = +e.snapshot
LEFT JOIN channel_override o ON o.channel = c.id
WHERE s.listed = 1 AND e.state IN ('present', 'missing') AND e.upstream IS NOT NULL AND coalesce(o.hidden, 0) = 0;
