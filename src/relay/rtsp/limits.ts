import type { ViewerNote } from '../../model/viewer.js';

/** A session as far as it counts for its provider. */
export type Counted = {
  readonly stream: string;
  /** Host, port and user that it counts for. */
  readonly account: string;
  /** Milliseconds of the clock when it began. */
  readonly since: number;
  /** Who watches it. */
  readonly viewers: readonly ViewerNote[];
};

/** Whether two are the same client: token, address and user agent. */
export function isSameClient(one: ViewerNote, other: ViewerNote): boolean {
  return one.token === other.token && one.peer === other.peer && one.userAgent === other.userAgent;
}

/**
 * Which session of an account gives its place to what `client` asks for: one that nobody watches, whoever's it was, else one that this
 * client alone watches; the oldest of them. `client` is null when nobody knows who asks. Null when none does: nobody loses a picture to another.
 */
export function whoGoes(sessions: readonly Counted[], account: string, client: ViewerNote | null): Counted | null {
  const oldest = sessions.filter((one) => one.account === account).sort((one, other) => one.since - other.since);
  const unwatched = oldest.find(({ viewers }) => viewers.length === 0);
  if (unwatched !== undefined || client === null) return unwatched ?? null;
  return oldest.find(({ viewers }) => viewers.every((viewer) => isSameClient(viewer, client))) ?? null;
}
