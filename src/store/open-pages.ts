import type Database from 'better-sqlite3';
import type { SaidEntry } from '../model/entry.js';
import { linesOf, pageOf, pageSize, saidAt } from './pages.js';
import { statement } from './statements.js';

type Page = {
  readonly snapshot: number;
  readonly page: number;
  /** By position. */
  readonly said: readonly string[];
  readonly search: string[];
};

/** Pages whose listings are made anew: each is read once and written once. For the inside of a transaction. */
export class OpenPages {
  readonly #raw: Database.Database;
  /** By snapshot and page. */
  readonly #pages = new Map<string, Page>();

  constructor(raw: Database.Database) {
    this.#raw = raw;
  }

  /** What is said of the entry at a position. */
  entry(snapshot: number, position: number): SaidEntry {
    return saidAt(this.#open(snapshot, pageOf(position)).said, position);
  }

  setSearch(snapshot: number, position: number, search: string): void {
    this.#open(snapshot, pageOf(position)).search[position % pageSize] = search;
  }

  /** Counts a change of each page that was opened. */
  save(): void {
    const update = 'UPDATE listing_page SET search = ?, version = version + 1 WHERE snapshot = ? AND page = ?';
    for (const { snapshot, page, search } of this.#pages.values()) {
      statement(this.#raw, update).run(search.join('\n'), snapshot, page);
    }
  }

  #open(snapshot: number, page: number): Page {
    const key = `${snapshot} ${page}`;
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const select = statement(
      this.#raw,
      `SELECT p.said, l.search FROM snapshot_page p JOIN listing_page l ON l.snapshot = p.snapshot AND l.page = p.page
      WHERE p.snapshot = ? AND p.page = ?`,
    );
    const { said, search } = select.get(snapshot, page) as { said: string; search: string };
    const opened = { snapshot, page, said: linesOf(said), search: search.split('\n') };
    this.#pages.set(key, opened);
    return opened;
  }
}
