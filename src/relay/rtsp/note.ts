import type { Credentials } from './auth.js';

/** What the pump keeps of a session for a Node that is started again: the note of its stream, at most 4 KiB as JSON. */
export type SessionNote = {
  readonly v: 1;
  /** As it was asked for, account included. */
  readonly url: string;
  readonly interface: string | null;
  /** Id of the feed that it is about; empty while there was none. */
  readonly feed: string;
  /** What is named in requests, after redirects. */
  readonly played: string;
  readonly session: string | null;
  /** Seconds. */
  readonly timeout: number;
  readonly credentials: Credentials | null;
  /** What the session is kept up with. */
  readonly method: 'GET_PARAMETER' | 'OPTIONS';
  readonly way: 'tcp' | 'udp';
  readonly userAgent: string;
  /** How many sessions the provider allows, or null. */
  readonly sessions: number | null;
  /** Whether it may lead to addresses of this machine or its links. */
  readonly inner: boolean;
  /** Null for live. */
  readonly archive: SessionArchive | null;
};

/** Instants are epoch seconds. */
export type SessionArchive = {
  /** Null when the address itself was asked for. */
  readonly channel: number | null;
  readonly start: number;
  readonly end: number | null;
  /** As in `ArchivePlan`. */
  readonly client: string;
  readonly asked: string;
  /** Where in the past the session began: later than `start` when it went on from one before. */
  readonly at: number;
};

export function formatSessionNote(note: SessionNote): string {
  return JSON.stringify(note);
}

/** Reads what an earlier start noted; null when it is none of this form. */
export function readSessionNote(json: string): SessionNote | null {
  try {
    const note = Object(JSON.parse(json)) as Partial<SessionNote>;
    return note.v === 1 && typeof note.url === 'string' ? (note as SessionNote) : null;
  } catch {
    return null;
  }
}
