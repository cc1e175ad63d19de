import type Database from 'better-sqlite3';
import { statement } from '../statements.js';
import type { PackedAirings, PackedTexts } from './contract.js';

/** Numbers of an airing. */
export const airingSize = 5;
/** Rows of a statement, as many as there are: one row each costs half as much again. */
const rowsAtOnce = [128, 16, 1];

export type Airing = readonly [channel: number, start: number, stop: number, hash: number, text: number];

export function airingsIn(rows: PackedAirings): number {
  return rows.length / airingSize;
}

export function airingAt(rows: PackedAirings, index: number): Airing {
  const at = (column: number) => rows[index * airingSize + column] ?? 0;
  return [at(0), at(1), at(2), at(3), at(4)];
}

/** Parts of at most `size` airings: the whole, or copies, as a view would be sent with all that it is a view of. */
export function* airingParts(rows: PackedAirings, size: number): Generator<PackedAirings> {
  if (rows.length <= size * airingSize && isWhole(rows)) {
    if (rows.length > 0) yield rows;
    return;
  }
  for (let from = 0; from < rows.length; from += size * airingSize) yield rows.slice(from, from + size * airingSize);
}

export function textCount(texts: PackedTexts): number {
  return texts.ids.length;
}

/** Parts of at most `size` texts, each with buffers of its own: the whole, or copies. */
export function* textParts(texts: PackedTexts, size: number): Generator<PackedTexts> {
  const { ids, titles, bodies, ends } = texts;
  if (ids.length <= size) {
    if (ids.length > 0) yield texts;
    return;
  }
  for (let from = 0; from < ids.length; from += size) {
    const to = Math.min(from + size, ids.length);
    const [begin, end] = [ends[from - 1] ?? 0, ends[to - 1] ?? 0];
    yield {
      ids: ids.slice(from, to),
      titles: titles.slice(from, to),
      bodies: bodies.slice(begin, end),
      ends: ends.slice(from, to).map((at) => at - begin),
    };
  }
}

function isWhole({ buffer, byteLength }: Float64Array): boolean {
  return buffer.byteLength === byteLength;
}

/** Packs rows of five numbers. */
export function packAirings(rows: readonly Airing[]): PackedAirings {
  const packed = new Float64Array(rows.length * airingSize);
  for (const [index, row] of rows.entries()) packed.set(row, index * airingSize);
  return packed;
}

/** Packs contents that are JSON already. */
export function packTexts(texts: readonly { id: number; title: string; body: string }[]): PackedTexts {
  const bodies = texts.map(({ body }) => Buffer.from(body));
  const ends = new Uint32Array(texts.length);
  let end = 0;
  for (const [index, { length }] of bodies.entries()) {
    end += length;
    ends[index] = end;
  }
  const joined = new Uint8Array(end);
  for (const [index, body] of bodies.entries()) joined.set(body, (ends[index] ?? 0) - body.length);
  const ids = Float64Array.from(texts, ({ id }) => id);
  return { ids, titles: texts.map(({ title }) => title), bodies: joined, ends };
}

type Insert = { readonly into: string; readonly row: string; readonly conflict?: string; readonly count: number };

/** Inserts `count` rows, many in a statement; `push` adds the values of one. */
export function insertMany(
  raw: Database.Database,
  { into, row, conflict = '', count }: Insert,
  push: (values: unknown[], index: number) => void,
): void {
  const values: unknown[] = [];
  let index = 0;
  for (const rows of rowsAtOnce) {
    const insert = statement(raw, `${into} ${Array(rows).fill(row).join(', ')} ${conflict}`);
    while (count - index >= rows) {
      for (const end = index + rows; index < end; index += 1) push(values, index);
      insert.run(values);
      values.length = 0;
    }
  }
}
