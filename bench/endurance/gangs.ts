import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { until } from '../../test/support/until.js';
import type { Weir } from '../../test/support/weir.js';
import { descriptorsOf } from './figures.js';
import { keep, type Owner, say } from './ground.js';
import type { HostileNews, HostileOptions } from './hostile.js';

/** What Weir's two processes hold. */
export type Descriptors = { readonly node: number; readonly pump: number };

export type Gang = Omit<HostileOptions, 'port'> & {
  readonly name: string;
  /** How many of them the server still has; null where what they notice themselves is enough. */
  readonly left: (() => number | Promise<number>) | null;
  /** Seconds in which all must be over once all are there. */
  readonly limit: number;
};

export type Over = {
  readonly name: string;
  readonly count: number;
  /** How many the server has ended. */
  readonly over: number;
  /** Seconds. */
  readonly after: number;
};

/** Lets a gang come and waits until the server has ended every one of them, or their time is up. */
export async function gather(owner: Owner, weir: Weir, { name, left, limit, ...who }: Gang): Promise<Over> {
  const { count } = who;
  const options: HostileOptions = { ...who, port: Number(new URL(weir.url).port) };
  const child = fork(fileURLToPath(new URL('./hostile.js', import.meta.url)), [JSON.stringify(options)]);
  keep(child);
  owner.after(() => void child.kill('SIGKILL'));
  let news: HostileNews = { made: 0, over: 0 };
  child.on('message', (message: HostileNews) => {
    news = message;
  });
  const remaining = async () => (left === null ? count - news.over : await left());
  await until(`${count} connections, ${name}`, () => news.made === count, { within: 30_000 });
  if (left !== null) await until(`all to be served, ${name}`, async () => (await left()) >= count, { within: 30_000 });
  const since = performance.now();
  // Asking must not become a load of its own.
  const done = async () => {
    await pause(200);
    return (await remaining()) <= 0;
  };
  await until(`the end of all, ${name}`, done, { within: limit * 1000 }).catch(() => undefined);
  const after = (performance.now() - since) / 1000;
  const over = count - Math.max(0, await remaining());
  say(`${name}: ${over} of ${count} over after ${after.toFixed(1)} s`);
  return { name, count, over, after };
}

export function held(weir: Weir): Descriptors {
  const [pump = 0] = weir.pumps();
  return { node: descriptorsOf(weir.pid), pump: descriptorsOf(pump) };
}

/** What Weir holds when nobody comes or goes. */
export async function settled(weir: Weir): Promise<Descriptors> {
  let last = held(weir);
  return await until('the same descriptors twice', () => {
    const [before, now] = [last, held(weir)];
    last = now;
    return before.node === now.node && before.pump === now.pump ? now : null;
  });
}

/** Waits until no more is held than that; what is held then, or when it takes longer than `within` milliseconds. */
export async function givenBack(weir: Weir, most: Descriptors, within: number): Promise<Descriptors> {
  const fewEnough = () => {
    const now = held(weir);
    return now.node <= most.node && now.pump <= most.pump;
  };
  await until('descriptors to be given back', fewEnough, { within }).catch(() => undefined);
  return held(weir);
}
