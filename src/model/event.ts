import type { Change, Job } from './change.js';

/** What happened, for whoever listens. */
export type CatalogueEvent =
  | { readonly type: 'source'; readonly id: number }
  | { readonly type: 'job'; readonly job: Job }
  | { readonly type: 'catalogue'; readonly generation: number }
  | { readonly type: 'change'; readonly change: Change }
  | { readonly type: 'guide-source'; readonly id: number }
  | { readonly type: 'guide'; readonly generation: number };
