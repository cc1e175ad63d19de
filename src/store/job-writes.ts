import type { Updateable } from 'kysely';
import { now } from '../lib/clock.js';
import { WeirError } from '../lib/errors.js';
import type { Job } from '../model/change.js';
import type { Connection } from './connection.js';
import { jobOf } from './job-row.js';
import type { Tables } from './tables.js';

/** Jobs that are kept to be looked at. */
const kept = 200;

export const jobWrites = {
  async createJob({ db }: Connection, input: Pick<Job, 'kind' | 'subject'>) {
    const values = { ...input, state: 'waiting' as const, created_at: now() };
    const row = await db.insertInto('job').values(values).returningAll().executeTakeFirstOrThrow();
    const ended = db.deleteFrom('job').where('state', 'in', ['done', 'failed']);
    const newest = db.selectFrom('job').select('id').orderBy('id', 'desc').limit(kept);
    await ended.where('id', 'not in', newest).execute();
    return jobOf(row);
  },
  startJob: (connection: Connection, { id }: { readonly id: number }) =>
    update(connection, id, { state: 'running', started_at: now() }),
  progressJob: (connection: Connection, { id, progress }: { readonly id: number; readonly progress: number }) =>
    update(connection, id, { progress }),
  finishJob: (connection: Connection, { id, result }: { readonly id: number; readonly result: unknown }) =>
    update(connection, id, { state: 'done', progress: 1, ended_at: now(), result: JSON.stringify(result) }),
  failJob: (connection: Connection, { id, reason }: { readonly id: number; readonly reason: string }) =>
    update(connection, id, { state: 'failed', ended_at: now(), reason }),
  /** For the start, when nothing runs yet. */
  async failUnendedJobs({ db }: Connection, _input: null) {
    const reason = 'Weir ended before this was done. Ask for it again.';
    const failed = db.updateTable('job').set({ state: 'failed', ended_at: now(), reason });
    await failed.where('state', 'in', ['waiting', 'running']).execute();
  },
};

async function update({ db }: Connection, id: number, values: Updateable<Tables['job']>): Promise<Job> {
  const row = await db.updateTable('job').set(values).where('id', '=', id).returningAll().executeTakeFirst();
  if (row === undefined) throw new WeirError('not-found', `There is no job ${id}.`);
  return jobOf(row);
}
