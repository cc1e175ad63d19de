import { mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JobThread } from '../lib/job-thread.js';
import type { ProfileId } from '../model/channel.js';
import type { Store } from '../store/open.js';
import type { PublishJob } from './publish-thread.js';
import type { ListFile } from './write/file.js';

/** Which list, for whom, with which addresses. */
export type ListRequest = {
  readonly format: 'm3u' | 'txt';
  readonly profile: ProfileId;
  /** Slug of a line-up, or null for all that is published. */
  readonly lineup: string | null;
  /** What stands in front of `/stream/{key}`: scheme, host, port and any token, without a slash at the end. */
  readonly base: string;
};

/** A list that is ready to be sent. */
export type PublishedList = {
  readonly path: string;
  readonly bytes: number;
  /** Of its content, without quotes. */
  readonly etag: string;
};

/** Lists for players, each written once for each state of the catalogue. */
export interface PublishedLists {
  /** @throws WeirError `not-found` when there is no such line-up. */
  get(request: ListRequest): Promise<PublishedList>;
  /** The catalogue is another one: lists that players asked for lately are written before they ask again. */
  renew(): void;
  close(): void;
}

type Ready = {
  readonly request: ListRequest;
  readonly generation: number;
  readonly list: Promise<ListFile>;
  /** When it was asked for last, in milliseconds of `Date.now`. */
  readonly asked: number;
};

/** Forms of the list that are kept, one for each way that it is reached. */
const kept = 16;
/** How many of them are written again unasked, and milliseconds after which nobody seems to want one any more. */
const renewed = 3;
const wanted = 24 * 3600 * 1000;

/**
 * Writes lists into files of the data directory, in a thread beside: a list of 100,000 channels neither holds up other
 * requests nor stays in memory. Where the same list was written before, what did not change is copied from it.
 */
export function createPublishedLists({ store }: { readonly store: Store }): PublishedLists {
  const folder = join(store.dir, 'published');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  /** By request, the one used last at the end. */
  const ready = new Map<string, Ready>();
  const thread = new JobThread<PublishJob, ListFile>(new URL('./publish-thread.js', import.meta.url), {
    dir: store.dir,
  });
  let count = 0;
  const write = async (request: ListRequest, before: Promise<ListFile> | undefined): Promise<ListFile> => {
    const last = (await before?.catch(() => null)) ?? null;
    count += 1;
    const path = join(folder, `${count}.${request.format}`);
    try {
      return await thread.run({ path, request, last });
    } finally {
      if (last !== null) remove(last);
    }
  };
  // Whoever is being sent it has it open.
  const remove = ({ path }: ListFile) => void rm(path, { force: true }).catch(() => undefined);
  const forget = (key: string) => {
    const old = ready.get(key);
    ready.delete(key);
    void old?.list.then(remove).catch(() => undefined);
  };
  const get = async (request: ListRequest, asked: number): Promise<PublishedList> => {
    const key = JSON.stringify([request.format, request.profile, request.lineup, request.base]);
    const generation = await store.channels.generation();
    const known = ready.get(key);
    const isCurrent = known?.generation === generation;
    const list = isCurrent ? known.list : write(request, known?.list);
    ready.delete(key);
    ready.set(key, { request, generation, list, asked });
    for (const oldest of [...ready.keys()].slice(0, -kept)) forget(oldest);
    try {
      return await list;
    } catch (error) {
      if (ready.get(key)?.list === list) ready.delete(key);
      throw error;
    }
  };
  return {
    get: (request) => get(request, Date.now()),
    renew() {
      const lately = [...ready.values()].slice(-renewed).filter(({ asked }) => Date.now() - asked < wanted);
      // Whoever asks is told of what goes wrong.
      for (const { request, asked } of lately) void get(request, asked).catch(() => undefined);
    },
    close() {
      thread.close();
      ready.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
