import { WeirError } from '../../lib/errors.js';
import type { EditReads } from '../catalogue.js';
import type { jobOperations } from '../contract/job.js';
import type { Handlers } from '../handle.js';
import { redactJob, shownTo } from '../redact.js';

export function jobHandlers(editReads: EditReads): Handlers<typeof jobOperations> {
  return {
    async listJobs({ query, caller }) {
      const { items, next } = await editReads.jobs(query);
      return { body: { items: items.map((job) => shownTo(caller.scope, job, redactJob)), next } };
    },
    async getJob({ params, caller }) {
      const job = await editReads.job(params.id);
      if (job === null) throw new WeirError('not-found', 'There is no such job.');
      return { body: shownTo(caller.scope, job, redactJob) };
    },
  };
}
