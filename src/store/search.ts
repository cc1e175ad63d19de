import type Database from 'better-sqlite3';
import { pageOf, pageSize } from './pages.js';
import { statement } from './statements.js';

/** The positions of a snapshot from `first` up to before `end` whose listings hold all of some words (`searchWords`), in order. */
export function searchedPositions(
  raw: Database.Database,
  words: readonly string[],
  snapshot: number,
  first: number,
  end: number,
): number[] {
  const pages = statement(
    raw,
    'SELECT page, search FROM listing_page WHERE snapshot = ? AND page BETWEEN ? AND ? ORDER BY page',
  );
  const positions: number[] = [];
  for (const row of pages.iterate(snapshot, pageOf(first), pageOf(end - 1))) {
    const { page, search } = row as { page: number; search: string };
    for (const index of linesWith(search, words)) positions.push(page * pageSize + index);
  }
  return positions.filter((position) => position >= first && position < end);
}

/** The lines of a text that hold all of the words. Lines are made of few texts only: most hold none. */
export function linesWith(text: string, words: readonly string[]): number[] {
  if (!words.every((word) => text.includes(word))) return [];
  const found: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (words.every((word) => line.includes(word))) found.push(index);
  }
  return found;
}
