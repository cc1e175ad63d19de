import { Cron } from 'croner';
import { messageOf, WeirError } from './errors.js';

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** Seconds. A server is not asked more often than that. */
const shortest = 60;
const longest = 30 * 86_400;
const hourly = 3600;
/** Of a cron expression's gap, and in seconds: so far its sources are spread. */
const spread = { share: 0.1, most: 300 };
/** Seconds after the first failure; twice that after the second, and so on. */
const firstRetry = 60;
/** Seconds, that a server may ask to be left alone. */
const patience = 86_400;

export type Plan = {
  /** Seconds until the next refresh, from an instant in epoch milliseconds. */
  delay(now: number): number;
};

/**
 * Reads when a source is refreshed: an interval such as `90m`, `6h` or `1d`, at least a minute, ± 10 % each time; or a cron
 * expression of five or six fields in a time zone, at least a minute apart too, a little later for each source so that they
 * do not all come at once. Null is hourly.
 * @throws WeirError `invalid`, naming what is wrong.
 */
export function readSchedule(
  text: string | null,
  { timeZone, source }: { timeZone: string | null; source: number },
): Plan {
  const interval = /^\s*(\d+(?:\.\d+)?)\s*([smhd])\s*$/.exec(text ?? '');
  if (text === null || interval !== null) {
    const seconds = interval === null ? hourly : Number(interval[1]) * (units[interval[2] ?? ''] ?? 1);
    if (seconds < shortest || seconds > longest)
      throw new WeirError('invalid', `"${text}" is not between 60s and 30d.`);
    return { delay: () => seconds * (0.9 + Math.random() * 0.2) };
  }
  const cron = cronOf(text, timeZone);
  return { delay: (now) => cronDelay(cron, now, source) };
}

/** What is wrong with a schedule, in one line; null when it is one. */
export function scheduleProblem(text: string): string | null {
  try {
    readSchedule(text, { timeZone: null, source: 0 });
    return null;
  } catch (error) {
    return messageOf(error).replace(/\.$/, '');
  }
}

/** Whether it is an IANA name that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function cronOf(text: string, timeZone: string | null): Cron {
  try {
    const cron = new Cron(text, { paused: true, ...(timeZone === null ? {} : { timezone: timeZone }) });
    if (cron.nextRun() === null) throw new WeirError('invalid', 'it never comes due');
    if (shortestGap(cron) < shortest) throw new WeirError('invalid', 'it comes due more than once a minute');
    return cron;
  } catch (error) {
    const fix = 'Write an interval such as 6h, or five fields such as "0 4 * * *".';
    throw new WeirError('invalid', `"${text}" is no schedule: ${messageOf(error)}. ${fix}`);
  }
}

/** Seconds between the next times: an expression that is quick at some other time of the year is quick in each of its minutes. */
function shortestGap(cron: Cron): number {
  const times = cron.nextRuns(61).map((time) => time.getTime() / 1000);
  return Math.min(...times.slice(1).map((time, index) => time - (times[index] ?? 0)));
}

function cronDelay(cron: Cron, now: number, source: number): number {
  const [next, after] = cron.nextRuns(2, new Date(now));
  if (next === undefined) return longest;
  const gap = after === undefined ? spread.most : (after.getTime() - next.getTime()) / 1000;
  // A share between 0 and 1 that is another one for each source, and stays.
  const share = (source * 0.618_033_988_75) % 1;
  const delay = (next.getTime() - now) / 1000 + share * Math.min(gap * spread.share, spread.most);
  return Math.max(delay, 1);
}

/** Seconds until a failed refresh is tried again: longer each time, not longer than its plan, never less than asked for. */
export function retryDelay(failures: number, retryAfter: number | null, planned: number): number {
  const backOff = Math.min(planned, firstRetry * 2 ** Math.min(failures - 1, 20)) * (0.9 + Math.random() * 0.2);
  return Math.max(Math.min(retryAfter ?? 0, patience), backOff);
}
