import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, WeirError } from '../lib/errors.js';
import type { Log } from '../lib/log.js';
import type { ProfileId } from '../model/channel.js';
import type { GuideStore } from '../store/guide/contract.js';
import type { Store } from '../store/open.js';
import { GuideForm } from './guide-form.js';
import { createOutThread, type GuideFile } from './out-thread.js';
import { Renewal } from './renewal.js';
import { titleLimit } from './write/profiles.js';

/** Which guide, for whom. */
export type GuideRequest = {
  /** Slug of a line-up, or null for all that is published. */
  readonly lineup: string | null;
  /** Days behind today, 1 to 30; null is all. */
  readonly days: number | null;
  /** Days before today, 0 to 30; null is of each channel the days of its archive. */
  readonly past: number | null;
  readonly profile: ProfileId;
  readonly gzip: boolean;
};

/** Guides for players, ready to be sent. */
export interface GuideFiles {
  /**
   * The newest that is ready: while another one is made, the one before it, if that has programmes. Only who asks for a form
   * for the first time waits.
   * @throws WeirError `not-found` when there is no such line-up.
   */
  get(request: GuideRequest): Promise<GuideFile>;
  /** Lists, links or guides are others: what players asked for lately is made again before they ask, once it is quiet. */
  renew(): void;
  close(): void;
}

type Options = {
  readonly store: Pick<Store, 'dir' | 'channels'>;
  readonly guide: Pick<GuideStore, 'generation'>;
  /** What stands in front of the pictures of channels, or null for none. */
  readonly publicUrl: string | null;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
};

type Wish = Omit<GuideRequest, 'gzip'>;
type Kept = { readonly wish: Wish; readonly form: GuideForm; readonly asked: number };

/** Forms of the guide that are kept, and milliseconds after which nobody seems to want one any more. */
const kept = 16;
const wanted = 24 * 3600 * 1000;
const day = 24 * 3600 * 1000;
/** Made before anybody asks, once there is a guide. */
const usual: Wish = { lineup: null, days: null, past: null, profile: 'generic' };
/** The generation of a guide that nothing was put into. */
const empty = 1;

/** Writes guides into files of the data directory, in a thread beside: none is made while others wait, nor stays in memory. */
export function createGuideFiles({ store, guide, publicUrl, log, now = Date.now }: Options): GuideFiles {
  const folder = join(store.dir, 'published-guide');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const thread = createOutThread(store.dir);
  /** By wish, the one asked for last at the end. */
  const forms = new Map<string, Kept>();
  let count = 0;

  const today = () => Math.floor(now() / day) * (day / 1000);
  const state = async () => `${await store.channels.generation()} ${guide.generation()} ${today()}`;
  const write = (wish: Wish) => {
    count += 1;
    return thread.run({ ...wish, path: join(folder, `${count}.xml`), publicUrl, today: today() });
  };
  const remember = (wish: Wish): Kept => {
    const key = keyOf(wish);
    const known = forms.get(key)?.form;
    const one = { wish, form: known ?? new GuideForm({ state, write: () => write(wish) }), asked: now() };
    forms.delete(key);
    forms.set(key, one);
    for (const oldest of [...forms.values()].slice(0, -kept)) forget(oldest);
    return one;
  };
  const forget = ({ wish, form }: Kept) => {
    if (forms.get(keyOf(wish))?.form === form) forms.delete(keyOf(wish));
    form.discard();
  };
  const make = async (one: Kept) => {
    try {
      return await one.form.newest();
    } catch (error) {
      if (one.form.ready === null || (error instanceof WeirError && error.code === 'not-found')) forget(one);
      else if (!renewal.isStopped) log.error({ error: messageOf(error) }, 'the guide could not be written again');
      throw error;
    }
  };
  const renewal = new Renewal(now, async () => {
    if (guide.generation() > empty && !forms.has(keyOf(usual))) remember(usual);
    for (const one of [...forms.values()]) {
      const isWanted = now() - one.asked < wanted || keyOf(one.wish) === keyOf(usual);
      if (!isWanted) forget(one);
      // Whoever asks is told of what goes wrong.
      else await make(one).catch(() => undefined);
    }
  });
  return {
    async get({ gzip, profile, ...wish }) {
      const one = remember({ ...wish, profile: titleLimit(profile) === null ? usual.profile : profile });
      const made = make(one);
      made.catch(() => undefined);
      const { ready } = one.form;
      // A player that is given a guide without programmes asks again in hours.
      const files = ready?.hasProgrammes === true ? ready : await made.catch(orElse(ready));
      return gzip ? files.packed : files.plain;
    },
    renew: () => renewal.soon(),
    close() {
      renewal.stop();
      thread.close();
      forms.clear();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function orElse<T>(other: T | null): (error: unknown) => T {
  return (error) => {
    if (other === null) throw error;
    return other;
  };
}

function keyOf({ lineup, days, past, profile }: Wish): string {
  return JSON.stringify([lineup, days, past, profile]);
}
