/** Seconds that times may be shifted by, either way: no clock is further off than the two ends of the date line. */
export const longestShift = 48 * 3600;
export const shiftHelp = 'write seconds, or hours and minutes such as -5h30m or 90m, 48h at most';

/** Seconds of a shift such as `-5h30m`, `90m`, `+1h` or `-19800`; null when it is none. */
export function parseShift(text: string): number | null {
  const match = /^([+-]?)(?:(\d+)|(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)$/.exec(text.trim().toLowerCase());
  const [, sign, bare, hours, minutes, seconds] = match ?? [];
  if ([bare, hours, minutes, seconds].every((part) => part === undefined)) return null;
  const total = Number(bare ?? 0) + Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return sign === '-' && total !== 0 ? -total : total;
}
