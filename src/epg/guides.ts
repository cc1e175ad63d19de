import type { Job } from '../model/change.js';
import type { CatalogueEvent } from '../model/event.js';

/** Keeps the guides fresh: those that are given, those that users added, and those that lists name. */
export interface Guides {
  /**
   * Takes over the given guides and refreshes each. Resolves when all have been, or when the patience is over: 5 s for
   * addresses, 60 s for files. A guide that cannot be used is a line in the log and the guide source's reason.
   */
  start(): Promise<void>;
  /** Refreshes every guide source now; settles when all are done. */
  refreshAll(): Promise<void>;
  /** Breaks off what runs and settles when it has ended. The stores are used no more. */
  stop(): Promise<void>;
  /** Calls back with what happened: `guide-source`, `guide` and `job`. Returns what ends that. */
  on(listener: (event: CatalogueEvent) => void): () => void;
  /** @throws WeirError `not-found` for a guide source that is not refreshed. */
  refresh(source: number): Promise<Job>;
  /** Puts a quarantined body in service, guards off. @throws WeirError `not-found` when it is not kept. */
  accept(source: number, snapshot: number): Promise<Job>;
  /** Links channels to guides anew. */
  match(): Promise<Job>;
  /** Guide sources were added, changed or removed. */
  sourcesChanged(): Promise<void>;
  /** Links of channels changed, or what channels are shown: after 2 s of quiet, what is newly wanted is read from the kept bodies. */
  linksChanged(): void;
  /** Lists were published or removed: they may name other guides, and channels may have other names and ids. */
  listsChanged(): void;
}
