import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';

/** The ETag of a channel, without quotes: it changes with each edit and each refresh that touches it. */
export function channelEtag(version: number, snapshot: number | null): string {
  return `${version}.${snapshot ?? 0}`;
}

/** @throws WeirError `precondition-failed` when a channel is not any more what somebody believes it to be. */
export function checkChannel(raw: Database.Database, channel: number, ifMatch: string | undefined): void {
  if (ifMatch === undefined) return;
  const find = raw.prepare(`SELECT c.version, s.snapshot FROM channel c LEFT JOIN shown_channel s ON s.id = c.id
    WHERE c.id = ?`);
  const row = find.get(channel) as { version: number; snapshot: number | null } | undefined;
  if (row !== undefined) check(channelEtag(row.version, row.snapshot), ifMatch, `Channel ${channel}`);
}

/** The same of what has a version alone. */
export function checkVersion(version: number, ifMatch: string | undefined, what: string): void {
  if (ifMatch !== undefined) check(String(version), ifMatch, what);
}

function check(etag: string, ifMatch: string, what: string): void {
  if (etag === ifMatch) return;
  throw new WeirError('precondition-failed', `${what} was changed by somebody else since it was read. Read it again.`);
}
