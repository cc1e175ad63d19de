import { setTimeout as pause } from 'node:timers/promises';
import { milliseconds, now } from '../clock.js';
import { tool } from '../contenders.js';
import { watchReport } from '../session.js';
import { output } from './ground.js';

/** What one viewer received; `closed` when its connection ended before its time. */
export type Report = Readonly<
  Pick<
    ReturnType<typeof watchReport.parse>['viewers'][number],
    'status' | 'connected' | 'first' | 'picture' | 'bytes' | 'marked' | 'continuityErrors' | 'syncErrors'
  >
> & { readonly closed: boolean };

/** One viewer's stay. Instants are in nanoseconds of `now`. */
export type Visit = {
  readonly group: number;
  readonly from: bigint;
  readonly to: bigint;
  /** Null when it could not even ask. */
  readonly report: Report | null;
  readonly failure: string | null;
};

export type House = { readonly port: number; path(group: number): string };

/** Watching ends by itself so long before or after its time, in nanoseconds. */
const early = milliseconds(100);

/** Watches a group from now until `end`, every byte from the first one on checked; never fails. */
export async function visit({ port, path }: House, group: number, end: bigint): Promise<Visit> {
  const from = now();
  // A window without beginning or end: every packet of video counts as marked.
  const window = ['--from', '-1', '--to', String(end * 2n), '--end', String(end)];
  try {
    const said = await output([tool('watch'), '--port', String(port), ...window, path(group)]);
    const [viewer] = watchReport.parse(JSON.parse(said)).viewers;
    const to = now();
    // A watcher whose only viewer was closed has nothing more to wait for.
    const report = viewer === undefined ? null : { ...viewer, closed: to < end - early };
    return { group, from, to, report, failure: null };
  } catch (error) {
    return { group, from, to: now(), report: null, failure: error instanceof Error ? error.message : String(error) };
  }
}

export type Comings = {
  readonly guests: number;
  readonly groups: number;
  readonly random: () => number;
  /** No visit begins later than a second before, and none lasts longer. */
  readonly end: bigint;
  readonly done: (visit: Visit) => void;
};

/** Lets so many guests come and go, each on its own, on all groups; settles when the last one has left. */
export async function comeAndGo(house: House, { guests, groups, random, end, done }: Comings): Promise<void> {
  const left = () => Number(end - now()) / 1e6;
  const guest = async () => {
    while (left() > 1000) {
      const stay = Math.min(stayOf(random), left() - 500);
      done(await visit(house, Math.floor(random() * groups), now() + milliseconds(stay)));
      await pause(random() * 1500);
    }
  };
  await Promise.all(Array.from({ length: guests }, guest));
}

/** Milliseconds: three in ten only look what is on. */
function stayOf(random: () => number): number {
  return random() < 0.3 ? 500 + random() * 1000 : 1500 + random() * 28_500;
}
