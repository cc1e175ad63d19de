import type { Selectable } from 'kysely';
import type { Change } from '../model/change.js';
import type { Tables } from './tables.js';

export function toChange(row: Selectable<Tables['change']>): Change {
  const { id, at, actor, summary, rows, undone_by: undoneBy } = row;
  return { id, at, actor, summary, rows, undoneBy };
}
