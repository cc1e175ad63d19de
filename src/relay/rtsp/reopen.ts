/** A stream whose session has brought nothing more. */
export type Stopped = {
  /** A reason of the pump's event `over`, `silent`, or what the server announced. */
  readonly why: string;
  /** Whether media ever came. */
  readonly hasMedia: boolean;
  readonly viewers: number;
  readonly way: 'tcp' | 'udp';
  /** Whether media may be asked for by TCP, and was not alone yet. */
  readonly mayTryTcp: boolean;
  /** Seconds since the last time that it was opened again; null when it never was. */
  readonly sinceReopened: number | null;
  /** How far an archive has come and where it ends, in epoch seconds; null for live. */
  readonly archive: { readonly played: number; readonly end: number | null } | null;
};

/**
 * `wait`: the pump ends it when nothing comes. `rest`: nobody watches; who comes next has it opened. `finish`: all was sent. `again` and
 * `by-tcp`: a new session. `give-up`: its viewers are closed. `refuse`: they get nothing.
 */
export type NextStep = 'wait' | 'rest' | 'finish' | 'again' | 'by-tcp' | 'give-up' | 'refuse';

/** Seconds of media after which a session may be opened once more. */
const settled = 60;
/** A server that ends so many seconds before the end has sent all. */
const nearEnd = 5;

/** What becomes of a stream whose session stopped. */
export function nextStep(stopped: Stopped): NextStep {
  const { why, hasMedia, archive, sinceReopened } = stopped;
  if (!hasMedia) {
    if (why !== 'silent') return 'refuse';
    return stopped.way === 'udp' && stopped.mayTryTcp ? 'by-tcp' : 'wait';
  }
  if (archive !== null && isWhole(why, archive)) return 'finish';
  if (stopped.viewers === 0) return archive === null ? 'give-up' : 'rest';
  if (sinceReopened === null || sinceReopened >= settled) return 'again';
  return why === 'silent' ? 'wait' : 'give-up';
}

function isWhole(why: string, { played, end }: NonNullable<Stopped['archive']>): boolean {
  if (why === 'end') return true;
  if (why === 'bye' && end === null) return true;
  return (why === 'eof' || why === 'bye') && end !== null && played >= end - nearEnd;
}
