import type { SaidEntry } from '../model/entry.js';
import { saidJson, saidOfJson } from '../model/said-json.js';

/** Positions of a snapshot that are one row of `snapshot_page` and `listing_page`; they are staged in one transaction. */
export const pageSize = 250;

/** The page that a position is on. */
export function pageOf(position: number): number {
  return Math.floor(position / pageSize);
}

/** What is said of the entries of a page, as it is stored: a JSON array, each element on a line of its own. */
export function formatSaid(entries: readonly SaidEntry[]): string {
  return `[${entries.map(saidJson).join(',\n')}]`;
}

export function parseSaid(said: string): SaidEntry[] {
  return (JSON.parse(said) as unknown[]).map(saidOfJson);
}

/** Of one page, to take some of its entries apart and not all of them. */
export function linesOf(said: string): string[] {
  return said.slice(1, -1).split('\n');
}

/** The entry at a position, whose page has these lines. */
export function saidAt(lines: readonly string[], position: number): SaidEntry {
  const line = lines[position % pageSize] ?? '';
  return saidOfJson(JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line));
}
