import type Database from 'better-sqlite3';
import type { PackedTexts } from './contract.js';
import { inChunk } from './drop.js';
import { insertMany } from './packed.js';
import { TitleBatch } from './title-batch.js';

/** Rows of a step: some of them make a chunk. */
const step = 512;

type Index = { readonly batches: TitleBatch[]; readonly leftOut: Set<number> };

/** By connection: what the pass under way has staged and not indexed. */
const indexes = new WeakMap<Database.Database, Index>();

/** Remembers the titles of texts that are staged; `ids` are those of the titles. True when there is a batch of them. */
export function toIndex(raw: Database.Database, { ids: texts, titles }: PackedTexts, ids: readonly number[]): boolean {
  const { batches } = indexOf(raw);
  for (const [index, title] of titles.entries()) {
    let batch = batches.at(-1);
    if (batch === undefined || batch.isClosed) {
      batch = new TitleBatch();
      batches.push(batch);
    }
    batch.add(texts[index] ?? 0, title, ids[index] ?? 0);
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
  batch.close();
  if (!inChunk(raw, () => insertTitles(raw, batch) || insertTexts(raw, batch, leftOut))) batches.shift();
  return batches.length > 0;
}

/** True when there were any. */
function insertTitles(raw: Database.Database, batch: TitleBatch): boolean {
  const rows = batch.takeTitles(step);
  const into = 'INSERT OR IGNORE INTO title VALUES';
  insertMany(raw, { into, row: '(?, ?, ?)', count: rows.length }, (values, index) =>
    values.push(...(rows[index] ?? [])),
  );
  return rows.length > 0;
}

function insertTexts(raw: Database.Database, batch: TitleBatch, leftOut: ReadonlySet<number>): boolean {
  const taken = batch.takeTexts(step);
  const rows = taken.filter(([, text]) => !leftOut.has(text));
  const into = 'INSERT OR IGNORE INTO title_text VALUES';
  insertMany(raw, { into, row: '(?, ?)', count: rows.length }, (values, index) => values.push(...(rows[index] ?? [])));
  return taken.length > 0;
}

function indexOf(raw: Database.Database): Index {
  const known = indexes.get(raw);
  if (known !== undefined) return known;
  const made: Index = { batches: [], leftOut: new Set() };
  indexes.set(raw, made);
  return made;
}
