import { WeirError } from '../../lib/errors.js';
import type { Jobs } from '../catalogue.js';
import type { jobOperations } from '../contract/job.js';
import type { Handlers } from '../handle.js';
import { redactJob, shownTo } from '../redact.js';

export function jobHandlers(jobs: Jobs): Handlers<typeof jobOperations> {
  return {
    async listJobs({ query, caller }) {
      const { items, next } = await jobs.list(query);
      return { body: { items: items.map((job) => shownTo(caller.scope, job, redactJob)), next } };
    },
    async getJob({ params, caller }) {
      const job = await jobs.byId(params.id);
      if (job === null) throw new WeirError('not-found', 'There is no such job.');
      return { body: shownTo(caller.scope, job, redactJob) };
    },
  };
}
