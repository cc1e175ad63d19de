/** What a `Range` says (RFC 2326 §3.6, §3.7, §12.29). */
export type MediaRange = {
  /** Seconds from its start to its end, by `npt`; null when it has no end. */
  readonly duration: number | null;
  /** Epoch seconds, by `clock`; open when the end is null. */
  readonly clock: readonly [start: number, end: number | null] | null;
};

/** Reads `npt=0-5400.5`, `npt=0:00:00-1:30:00`, `clock=20240101T120000Z-…`; null when it is neither. */
export function readRange(text: string): MediaRange | null {
  const [, unit, first, last] = /^\s*(npt|clock)\s*=\s*([^-;]*)-\s*([^-;]*?)\s*(?:;.*)?$/i.exec(text) ?? [];
  if (unit === undefined || first === undefined || last === undefined) return null;
  if (unit.toLowerCase() === 'npt') {
    const start = readNormalTime(first.trim()) ?? 0;
    const end = readNormalTime(last);
    return { duration: end === null || end <= start ? null : end - start, clock: null };
  }
  const start = readUtcTime(first.trim());
  return start === null ? null : { duration: null, clock: [start, readUtcTime(last)] };
}

/** `clock=20240101T120000Z-`: epoch seconds, whole ones; the end is left open. */
export function clockRange(start: number): string {
  const [text = ''] = new Date(Math.floor(start) * 1000).toISOString().split('.', 1);
  return `clock=${text.replace(/[-:]/g, '')}Z-`;
}

/** `npt=30-`: seconds, to the millisecond. */
export function normalRange(start: number): string {
  return `npt=${Math.round(start * 1000) / 1000}-`;
}

/** Seconds of `npt-sec` or `npt-hhmmss`. */
function readNormalTime(text: string): number | null {
  const [, hours, minutes, seconds] = /^(?:(\d{1,6}):(\d{1,2}):)?(\d{1,9}(?:\.\d*)?)$/.exec(text) ?? [];
  if (seconds === undefined) return null;
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds);
}

/** Epoch seconds of `utc-time`. */
function readUtcTime(text: string): number | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\.\d+)?Z?$/i.exec(text);
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 + Number(parts[7] ?? 0);
}
