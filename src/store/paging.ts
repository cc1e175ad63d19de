import { WeirError } from '../lib/errors.js';
import type { Page } from '../model/page.js';

/** What a page continues behind: the values that its list is ordered by, of the last row before it. */
export type Cursor = readonly (string | number | null)[];

/** The cursor as clients hand it back, opaque to them: base64url of JSON. */
export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/**
 * The cursor of `length` values that `after` is; null for the first page.
 * @throws WeirError `invalid` when it is none.
 */
export function decodeCursor(after: string | null, length: number): Cursor | null {
  if (after === null) return null;
  const cursor = parse(after);
  if (Array.isArray(cursor) && cursor.length === length && cursor.every(isPart)) return cursor;
  throw noPage();
}

/** The id behind which a list that is ordered by ids goes on; null for the first page. @throws WeirError `invalid` */
export function decodeId(after: string | null): number | null {
  const cursor = decodeCursor(after, 1);
  if (cursor === null) return null;
  const [id] = cursor;
  if (typeof id === 'number') return id;
  throw noPage();
}

/** Makes a page of the rows of a query for one row more than it may hold: that one tells that another page follows. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
  itemOf: (row: Row) => Item,
): Page<Item> {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { items: rows.slice(0, limit).map(itemOf), next: last === undefined ? null : encodeCursor(cursorOf(last)) };
}

function noPage(): WeirError {
  return new WeirError('invalid', 'The page asked for is none: `after` is to be the `next` of the page before.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function isPart(value: unknown): value is string | number | null {
  return value === null || typeof value === 'string' || typeof value === 'number';
}
