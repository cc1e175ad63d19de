/** A number of bytes for a person: three digits and a unit, powers of 1000. */
export function formatBytes(bytes: number): string {
  return scaled(bytes, ['B', 'kB', 'MB', 'GB', 'TB']);
}

/** Bits a second for a person. */
export function formatBitrate(bits: number): string {
  return scaled(bits, ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s']);
}

/** Seconds for a person: the two largest units. */
export function formatDuration(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  const shown = first < 0 ? parts.slice(-1) : parts.slice(first, first + 2);
  return shown.map(([value, unit]) => `${value} ${unit}`).join(' ');
}

/** A short time in seconds for a person: below 1 s in milliseconds, below 10 ms to a tenth of one. */
export function formatInterval(seconds: number): string {
  if (seconds >= 1) return `${seconds} s`;
  const value = seconds * 1000;
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ms`;
}

function scaled(value: number, units: readonly string[]): string {
  const power = value < 1000 ? 0 : Math.min(Math.floor(Math.log10(value) / 3), units.length - 1);
  const number = value / 1000 ** power;
  const digits = power === 0 || number >= 100 ? 0 : number >= 10 ? 1 : 2;
  return `${number.toFixed(digits)} ${units[power] ?? ''}`;
}
