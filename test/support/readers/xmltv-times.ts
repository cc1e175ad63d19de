/**
 * Reads a time as Kodi's IPTV Simple 22.3 does: numbers by their places, as `sscanf("%04d%02d%02d%02d%02d%02d")` takes them,
 * then the first sign and what `%02d%02d` makes of what follows. Epoch seconds.
 */
export function readAsKodi(text: string): number {
  const numbers = scanned(text, [4, 2, 2, 2, 2, 2]);
  const [year = 2000, month = 1, day = 1, hour = 0, minute = 0, second = 0] = numbers;
  const sign = /[+-]/.exec(text.slice(14));
  const [hours = 0, minutes = 0] = sign === null ? [] : scanned(text.slice(14 + sign.index + 1), [2, 2]);
  const offset = (hours * 60 + minutes) * 60 * (sign?.[0] === '-' ? -1 : 1);
  // Whatever is out of range is carried over, as `mktime` does.
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - offset;
}

/** What `sscanf` reads: each number in so many characters at most, signs count, blanks before it do not; it ends at the first that is none. */
function scanned(text: string, widths: readonly number[]): number[] {
  const numbers: number[] = [];
  let rest = text;
  for (const width of widths) {
    rest = rest.trimStart();
    const [found] = /^[+-]?\d+/.exec(rest.slice(0, width)) ?? [];
    if (found === undefined) break;
    numbers.push(Number(found));
    rest = rest.slice(found.length);
  }
  return numbers;
}

/** As Jellyfin's XMLTV reader: one regular expression, digits in pairs, and an offset of a sign and four digits behind a blank. */
const jellyfin = /^(?<date>[0-9]{4,14})(?:\s(?<offset>[+-]*[0-9]{1,4}))?$/;
const jellyfinFull = '20000101000000';

/** Epoch seconds; null where it gives up, and takes the year 1 instead. */
export function readAsJellyfin(text: string): number | null {
  const { date, offset = '' } = jellyfin.exec(text)?.groups ?? {};
  if (date === undefined) return null;
  const whole = date + jellyfinFull.slice(date.length);
  const at = (from: number, to: number) => Number(whole.slice(from, to));
  if (at(8, 10) > 23 || at(10, 12) > 59 || at(12, 14) > 59) return null;
  const local = Date.UTC(at(0, 4), at(4, 6) - 1, at(6, 8), at(8, 10), at(10, 12), at(12, 14)) / 1000;
  const [, sign, hours, minutes] = /^([+-])(\d{2})(\d{2})$/.exec(offset) ?? [];
  if (sign === undefined) return local;
  return local - (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}
