import type { Selectable } from 'kysely';
import type { Suggestion } from '../model/change.js';
import type { Tables } from './tables.js';

export function suggestionOf(row: Selectable<Tables['suggestion']>): Suggestion {
  const { id, kind, channel, other, reason, state, created_at: createdAt } = row;
  return { id, kind, channel, other, reason, state, createdAt };
}
