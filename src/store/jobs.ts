import type { Job } from '../model/change.js';
import type { Page, Paging } from '../model/page.js';
import type { Connection } from './connection.js';
import { jobOf } from './job-row.js';
import { decodeId, toPage } from './paging.js';
import type { Writer } from './writer.js';

/** Long work. Each step resolves with the job as it stands then. The last 200 are kept. */
export interface Jobs {
  /** A job that waits. `subject` is what it works on. */
  create(kind: Job['kind'], subject: number | null): Promise<Job>;
  start(id: number): Promise<Job>;
  /** 0 to 1. */
  progress(id: number, progress: number): Promise<Job>;
  /** `result` is kept as JSON. */
  finish(id: number, result: unknown): Promise<Job>;
  fail(id: number, reason: string): Promise<Job>;
  /** Fails what a crash left waiting or running. For the start of the only server of the directory. */
  recover(): Promise<void>;
  /** Whether rules were changed and not applied to the end since: a crash or a stop came between. */
  areRulesDue(): Promise<boolean>;
  /** The newest first. */
  list(paging: Paging): Promise<Page<Job>>;
  byId(id: number): Promise<Job | null>;
}

export function createJobs({ db }: Connection, writer: Writer): Jobs {
  return {
    create: (kind, subject) => writer.call('createJob', { kind, subject }),
    start: (id) => writer.call('startJob', { id }),
    progress: (id, progress) => writer.call('progressJob', { id, progress }),
    finish: (id, result) => writer.call('finishJob', { id, result }),
    fail: (id, reason) => writer.call('failJob', { id, reason }),
    recover: () => writer.call('failUnendedJobs', null),
    async areRulesDue() {
      const jobs = db.selectFrom('job').select(['state', 'created_at']).where('kind', '=', 'rules');
      const job = await jobs.orderBy('id', 'desc').executeTakeFirst();
      if (job !== undefined && job.state !== 'done') return true;
      const changes = db.selectFrom('change as c').innerJoin('change_row as r', 'r.change', 'c.id').select('c.at');
      const rules = changes.where('r.position', '=', 0).where('r.table_name', '=', 'rule');
      const change = await rules.orderBy('c.id', 'desc').executeTakeFirst();
      return change !== undefined && (job === undefined || job.created_at < change.at);
    },
    async list({ after, limit }) {
      const last = decodeId(after);
      let query = db.selectFrom('job').selectAll().orderBy('id', 'desc');
      if (last !== null) query = query.where('id', '<', last);
      const rows = await query.limit(limit + 1).execute();
      return toPage(rows, limit, ({ id }) => [id], jobOf);
    },
    async byId(id) {
      const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : jobOf(row);
    },
  };
}
