import type { Selectable } from 'kysely';
import type { Job } from '../model/change.js';
import type { Tables } from './tables.js';

export function jobOf(row: Selectable<Tables['job']>): Job {
  return {
    id: row.id,
    kind: row.kind as Job['kind'],
    state: row.state,
    subject: row.subject,
    progress: row.progress,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    reason: row.reason,
  };
}
