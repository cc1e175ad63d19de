/** The middle value, or the mean of the two middle ones. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** `median (min–max)`, or the value alone where there is one, or a dash where there is none. */
export function spread(values: readonly (number | null)[], digits: number): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return '–';
  const text = (value: number) => value.toFixed(digits);
  if (known.length === 1) return text(median(known));
  return `${text(median(known))} (${text(Math.min(...known))}–${text(Math.max(...known))})`;
}

/** The least value that is no smaller than `share` of them (nearest rank). NaN for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(Math.ceil(sorted.length * share) - 1, 0)] ?? Number.NaN;
}
