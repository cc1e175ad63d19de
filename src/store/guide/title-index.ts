import type Database from 'better-sqlite3';
import { inChunk } from './drop.js';
import { insertMany } from './packed.js';

/** Texts that are indexed together: so many that many of them go to the same page, and few enough to be sorted in 10 ms. */
const size = 2 ** 17;
/** Rows of a step: some of them make a chunk. */
const step = 512;

/** Texts of a pass by the order of their titles. Once it is sorted, rows are written from `at` on. */
type Batch = {
  /** Of each text `title * size + index`, for sorting. */
  readonly keys: Float64Array;
  readonly texts: Float64Array;
  count: number;
  isSorted: boolean;
  at: number;
};

type Index = { readonly batches: Batch[]; readonly leftOut: Set<number> };

/** By connection: what the pass under way has staged and not indexed. */
const indexes = new WeakMap<Database.Database, Index>();

/** Remembers the titles of texts that are staged. True when there is a batch of them. */
export function toIndex(raw: Database.Database, titles: readonly number[], texts: Float64Array): boolean {
  const { batches } = indexOf(raw);
  for (const [index, title] of titles.entries()) {
    let batch = batches.at(-1);
    if (batch === undefined || batch.isSorted || batch.count === size) {
      batch = { keys: new Float64Array(size), texts: new Float64Array(size), count: 0, isSorted: false, at: 0 };
      batches.push(batch);
    }
    batch.keys[batch.count] = title * size + batch.count;
    batch.texts[batch.count] = texts[index] ?? 0;
    batch.count += 1;
  }
  return batches.length > 1;
}

/** Texts that were taken back. */
export function leaveOut(raw: Database.Database, texts: readonly number[]): void {
  const { leftOut } = indexOf(raw);
  for (const text of texts) leftOut.add(text);
}

/** A pass begins: what another left is of no use. */
export function forgetIndex(raw: Database.Database): void {
  indexes.delete(raw);
}

/** Writes a chunk of what is remembered. True while there is more. */
export function indexStep(raw: Database.Database): boolean {
  const { batches, leftOut } = indexOf(raw);
  const [batch] = batches;
  if (batch === undefined) return false;
  if (!batch.isSorted) batch.keys.subarray(0, batch.count).sort();
  batch.isSorted = true;
  const isMore = inChunk(raw, () => {
    insertStep(raw, batch, leftOut);
    return batch.at < batch.count;
  });
  if (!isMore) batches.shift();
  return batches.length > 0;
}

function insertStep(raw: Database.Database, batch: Batch, leftOut: ReadonlySet<number>): void {
  const rows: [title: number, text: number][] = [];
  for (const end = Math.min(batch.at + step, batch.count); batch.at < end; batch.at += 1) {
    const key = batch.keys[batch.at] ?? 0;
    const text = batch.texts[key % size] ?? 0;
    if (!leftOut.has(text)) rows.push([Math.floor(key / size), text]);
  }
  const into = 'INSERT OR IGNORE INTO title_text VALUES';
  insertMany(raw, { into, row: '(?, ?)', count: rows.length }, (values, index) => values.push(...(rows[index] ?? [])));
}

function indexOf(raw: Database.Database): Index {
  const known = indexes.get(raw);
  if (known !== undefined) return known;
  const made: Index = { batches: [], leftOut: new Set() };
  indexes.set(raw, made);
  return made;
}
