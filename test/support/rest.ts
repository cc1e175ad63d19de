import type { Job } from '../../src/model/change.js';
import type { SourceStatus } from '../../src/model/source.js';
import { until } from './until.js';
import { adminKey, type Weir } from './weir.js';

type Page<T> = { readonly items: readonly T[]; readonly next: string | null };

/**
 * Asks the REST API for a change, with the administrator's key.
 * @throws with its answer unless that is 2xx, and when the server goes away.
 */
export async function send<T>({ url }: Weir, method: 'POST' | 'PATCH', path: string, body: unknown = {}): Promise<T> {
  const headers = { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

/** Everything of a list that is answered a page at a time. */
export async function everything<T>(weir: Weir, path: string): Promise<T[]> {
  const items: T[] = [];
  const { pathname, searchParams: query } = new URL(`/api/v1${path}`, weir.url);
  query.set('limit', '1000');
  for (;;) {
    const page = await weir.api<Page<T>>(`${pathname}?${query}`);
    items.push(...page.items);
    if (page.next === null) return items;
    query.set('after', page.next);
  }
}

export async function sourceOf(weir: Weir, id = 1): Promise<SourceStatus> {
  return await weir.api<SourceStatus>(`/api/v1/sources/${id}`);
}

/** The job when it has ended, well or not. @throws when weir does not answer any more. */
export async function ended(weir: Weir, { id }: Pick<Job, 'id'>): Promise<Job> {
  const look = async (): Promise<{ job: Job } | { error: unknown } | null> => {
    try {
      const job = await weir.api<Job>(`/api/v1/jobs/${id}`);
      return job.state === 'done' || job.state === 'failed' ? { job } : null;
    } catch (error) {
      return { error };
    }
  };
  const seen = await until(`job ${id} to end`, look, { within: 60_000 });
  if (seen === null || 'error' in seen) throw seen?.error;
  return seen.job;
}

/** Refreshes a source and waits for the end of that. */
export async function refresh(weir: Weir, id = 1): Promise<Job> {
  return await ended(weir, await send<Job>(weir, 'POST', `/sources/${id}:refresh`));
}
