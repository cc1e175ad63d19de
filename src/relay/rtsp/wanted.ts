import type { RtspUpstream } from '../../model/stream.js';
import type { ViewerNote } from '../../model/viewer.js';
import type { WatchRequest } from '../contract.js';
import { formatSessionNote, type SessionArchive, type SessionNote } from './note.js';
import type { RtspSession } from './session.js';
import type { RtspSettings } from './settings.js';

/** What a stream is for. */
export type Wanted = {
  /** Account included. */
  readonly url: string;
  readonly interface: string | null;
  readonly userAgent: string;
  readonly inner: boolean;
  readonly sessions: number | null;
  /** Who asked for it first; null when that is not known any more. */
  readonly client: ViewerNote | null;
  /** Null for live. */
  readonly archive: WantedArchive | null;
};

export type WantedArchive = {
  /** What the pump keeps of it. */
  readonly kept: Omit<SessionArchive, 'at'>;
  readonly range: string | null;
  /** As in `ArchivePlan`; null when that is not known any more. */
  readonly from: (seconds: number) => Promise<{ readonly url: string; readonly range: string | null } | null>;
};

/** What a request wants of a stream. */
export function wantedOf(upstream: RtspUpstream, request: WatchRequest, settings: RtspSettings): Wanted {
  const { note, archive, sessions, inner } = request;
  const kept =
    archive === null ? null : { channel: note.channel, ...archive.wish, client: archive.client, asked: archive.asked };
  return {
    url: upstream.url,
    interface: upstream.interface,
    userAgent: request.userAgent ?? settings.userAgent,
    inner,
    sessions,
    client: note,
    archive:
      archive === null || kept === null
        ? null
        : { kept, range: archive.range, from: (seconds) => Promise.resolve(archive.from(seconds)) },
  };
}

/** What a stream was for, by its note. */
export function wantedAgain(note: SessionNote, client: ViewerNote | null, settings: RtspSettings): Wanted {
  const { url, interface: name, userAgent, inner, sessions, archive } = note;
  const wanted = { url, interface: name, userAgent, inner, sessions, client };
  if (archive === null) return { ...wanted, archive };
  const { at, ...kept } = archive;
  const from = async (seconds: number) => (await settings.planAgain(archive))?.from(seconds) ?? null;
  return { ...wanted, archive: { kept, range: null, from } };
}

/** What the pump keeps of a stream: what it is for, and what is known of its session. */
export function noteOf(wanted: Wanted, skipped: number, session: RtspSession | null): string {
  const { url, interface: name, userAgent, sessions, inner, archive } = wanted;
  const { played = '', session: id = null, timeout = 0, credentials = null } = session?.facts ?? {};
  const { method = 'OPTIONS', way = 'tcp' } = session?.facts ?? {};
  return formatSessionNote({
    ...{ v: 1, url, interface: name, userAgent, sessions, inner },
    ...{ feed: session?.wire.feed ?? '', played, session: id, timeout, credentials, method, way },
    archive: archive === null ? null : { ...archive.kept, at: archive.kept.start + skipped },
  });
}
