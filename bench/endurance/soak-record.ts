import type { sendReport } from '../session.js';
import type { Sample } from './figures.js';
import type { Visit } from './visits.js';

export type SoakOptions = {
  readonly seconds: number;
  /** Seconds between two restarts of Node. */
  readonly restartEvery: number;
  readonly groups: number;
  /** Mbit/s of each group. */
  readonly mbps: number;
  /** How many viewers come and go beside those that stay, one of them a group. */
  readonly guests: number;
  readonly seed: number;
};

/** A time without Node, and the exit code of the one that ended. Instants are in nanoseconds. */
export type Absence = { readonly from: bigint; readonly to: bigint; readonly code: number | null };

/** What has happened up to now. */
export type Followed = {
  readonly start: bigint;
  /** Those that were to stay and no longer do. */
  readonly gone: readonly Visit[];
  readonly visits: readonly Visit[];
  readonly absences: readonly Absence[];
  readonly samples: readonly Sample[];
  /** Every pump that was seen. */
  readonly pumps: ReadonlySet<number>;
};

export type SoakRecord = Followed & {
  readonly sent: ReturnType<typeof sendReport.parse>;
  /** Those that stayed, by group. */
  readonly stayed: readonly Visit[];
  readonly options: SoakOptions;
  /** Datagrams that the machine had no room for. */
  readonly backlogDrops: number;
};
