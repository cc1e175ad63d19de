import { InvalidArgumentError } from 'commander';

/** Prints rows under a heading, columns aligned. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
    process.stdout.write(`${line.trimEnd()}\n`);
  }
}

/** An instant in epoch seconds, `2026-01-01 12:00` in UTC; nothing for null. */
export function formatInstant(epochSeconds: number | null): string {
  return epochSeconds === null ? '' : new Date(epochSeconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/** Reads the id of a key or token from an argument. */
export function parseId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('An id is a number');
  return Number(text);
}
