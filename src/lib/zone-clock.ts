/** What the clocks of a zone show, told in seconds since the epoch. */
export type ZoneClock = {
  /**
   * @param local seconds as the clock shows them, counted as though it were UTC.
   * @param after of an hour that comes twice, the first time is meant, unless that is not after this instant and the second is.
   * An hour that is left out is read as if the clock had not been put forward.
   */
  toEpoch(local: number, after?: number): number;
  /** Seconds as the clock shows an instant, counted as though it were UTC. */
  toLocal(epoch: number): number;
};

export const utc: ZoneClock = { toEpoch: (local) => local, toLocal: (epoch) => epoch };

/** A clock that is always so many seconds east of UTC. */
export function fixedClock(offset: number): ZoneClock {
  return { toEpoch: (local) => local - offset, toLocal: (epoch) => epoch + offset };
}

/** Hours. Kiribati is 14 east, and no zone is farther from UTC. */
const farthest = 14;

/**
 * The clock of a zone as people write it: an IANA name such as `Europe/Vienna`, or an offset: `UTC`, `UTC+8`, `GMT-3:30`, `+05:45`,
 * `+0545`, at most 14 hours.
 * @throws RangeError when it is neither.
 */
export function namedClock(name: string): ZoneClock {
  const [, sign, hours, minutes = 0] = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i.exec(name) ?? [];
  if (hours === undefined) return zoneClock(name);
  const size = Number(hours) * 3600 + Number(minutes) * 60;
  if (size > farthest * 3600 || Number(minutes) > 59) throw new RangeError(`There is no zone ${name}.`);
  return fixedClock(sign === '-' ? -size : size);
}

/** Whether `namedClock` knows it. */
export function isZone(name: string): boolean {
  try {
    namedClock(name);
    return true;
  } catch {
    return false;
  }
}

const day = 86_400;
/** Seconds. No zone changes its clocks but at full and half hours. */
const slot = 1800;
const mostSlots = 20_000;

/** Keyed by IANA name. */
const clocks = new Map<string, ZoneClock>();

/**
 * The clock of a zone by its IANA name; null is UTC, never that of this machine.
 * @throws RangeError when there is no such zone.
 */
export function zoneClock(timeZone: string | null): ZoneClock {
  if (timeZone === null) return utc;
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = createClock(offsetsOf(timeZone));
  clocks.set(timeZone, clock);
  return clock;
}

function createClock(offsetAt: (epoch: number) => number): ZoneClock {
  return {
    toEpoch(local, after = Number.NEGATIVE_INFINITY) {
      // Zones are less than a day from UTC: these are in force before and after any change close by.
      const before = offsetAt(local - day);
      const behind = offsetAt(local + day);
      if (before === behind) return local - before;
      const times = [local - before, local - behind].filter(
        (time, index) => offsetAt(time) === [before, behind][index],
      );
      const [first = local - before, second = first] = times;
      return first <= after && second > after ? second : first;
    },
    toLocal: (epoch) => epoch + offsetAt(epoch),
  };
}

/** Seconds east of UTC at an instant. `Intl` takes 10 µs for an answer: each half hour is asked for once. */
function offsetsOf(timeZone: string): (epoch: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();
  return (epoch) => {
    const index = Math.floor(epoch / slot);
    const known = offsets.get(index);
    if (known !== undefined) return known;
    const name = format.formatToParts(index * slot * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const offset = readOffset(name);
    if (offsets.size >= mostSlots) offsets.clear();
    offsets.set(index, offset);
    return offset;
  };
}

/** `GMT`, `GMT-03:30`, or of old times `GMT+00:53:28`. */
function readOffset(name: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}
