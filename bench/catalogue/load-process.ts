import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../test/support/random.js';
import { now } from '../clock.js';
import { groupCount, groupOf } from './list.js';

/** What the process is told to do, at once. */
export type LoadOrder = {
  readonly url: string;
  readonly key: string;
  /** Requests a second, each at an instant of its own, whether those before it were answered or not. */
  readonly rate: number;
  /** How many entries the list has: what is searched for is somewhere in it. */
  readonly entries: number;
};
export type LoadKind = 'page' | 'group' | 'search' | 'channel' | 'edit';
export type Sample = {
  readonly kind: LoadKind;
  /** When it was due: milliseconds of CLOCK_MONOTONIC. */
  readonly due: number;
  /** Milliseconds from then until its answer was read. */
  readonly took: number;
  /** What was wrong with the answer, or null. */
  readonly fault: string | null;
};
/** What it says when it is told to end: all samples, and the name that each edited channel was given last. */
export type LoadReport = { readonly samples: Sample[]; readonly edits: [id: number, name: string][] };

type Answered = { readonly status: number; readonly body: string };
type Listed = { readonly items: readonly { readonly id: number }[]; readonly next: string | null };

/** Of twenty requests. */
const mix: readonly LoadKind[] = [
  ...Array.from({ length: 5 }, (): LoadKind => 'page'),
  ...Array.from({ length: 3 }, (): LoadKind => 'group'),
  ...Array.from({ length: 2 }, (): LoadKind => 'search'),
  ...Array.from({ length: 6 }, (): LoadKind => 'channel'),
  ...Array.from({ length: 4 }, (): LoadKind => 'edit'),
];
/** Channels that are edited: few enough to be looked at afterwards. */
const editedChannels = 100;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const random = seeded(1);
const samples: Sample[] = [];
/** By id of the channel: the name that it was given last, and whether a change of it is under way. */
const edits = new Map<number, string>();
const underWay = new Set<number>();
/** Ids seen in pages, to be asked for. */
let ids: number[] = [];
let next: string | null = null;
let ended = false;

process.once('message', (order: LoadOrder) => void run(order));
process.on('message', (message) => {
  if (message === 'end') ended = true;
});

async function run(order: LoadOrder): Promise<void> {
  const begun = monotonic();
  const pending = new Set<Promise<void>>();
  for (let count = 0; !ended; count += 1) {
    const due = begun + (count * 1000) / order.rate;
    const left = due - monotonic();
    if (left > 0) await pause(left);
    const one = measure(order, due).finally(() => pending.delete(one));
    pending.add(one);
  }
  await Promise.all(pending);
  const report: LoadReport = { samples, edits: [...edits] };
  process.send?.(report, () => process.exit(0));
}

async function measure(order: LoadOrder, due: number): Promise<void> {
  const kind = mix[Math.floor(random() * mix.length)] ?? 'page';
  const fault = await perform(order, ids.length === 0 ? 'page' : kind).catch((error: unknown) => String(error));
  samples.push({ kind, due, took: monotonic() - due, fault });
}

/** Resolves with what was wrong, or null. */
async function perform(order: LoadOrder, kind: LoadKind): Promise<string | null> {
  switch (kind) {
    case 'page':
      return await readPage(order, next === null ? '' : `&after=${next}`);
    case 'group':
      return faultOf(
        await ask(order, 'GET', `/channels?limit=50&group=${encodeURIComponent(groupOf(pick(3 * groupCount)))}`),
      );
    case 'search':
      return faultOf(await ask(order, 'GET', `/channels?limit=50&q=nova+${pick(Math.ceil(order.entries / 3))}`));
    case 'channel':
      return faultOf(await ask(order, 'GET', `/channels/${ids[pick(ids.length)] ?? 0}`));
    case 'edit':
      return await edit(order);
  }
}

async function readPage(order: LoadOrder, after: string): Promise<string | null> {
  const answered = await ask(order, 'GET', `/channels?limit=100${after}`);
  if (answered.status !== 200) return faultOf(answered);
  const page = JSON.parse(answered.body) as Listed;
  next = page.next;
  ids = [...ids.slice(-5000), ...page.items.map(({ id }) => id)];
  return page.items.length === 0 ? 'an empty page' : null;
}

async function edit(order: LoadOrder): Promise<string | null> {
  const known = [...edits.keys()];
  const id = (known.length < editedChannels ? ids[pick(ids.length)] : known[pick(known.length)]) ?? 0;
  // Two changes of one channel at a time may be carried out in either order.
  if (underWay.has(id)) return faultOf(await ask(order, 'GET', `/channels/${id}`));
  underWay.add(id);
  try {
    const name = `Edited ${samples.length}`;
    const answered = await ask(order, 'PATCH', `/channels/${id}`, JSON.stringify({ name }));
    if (answered.status !== 200) return faultOf(answered);
    edits.set(id, name);
    return (JSON.parse(answered.body) as { name: string }).name === name ? null : 'an edit is not in its own answer';
  } finally {
    underWay.delete(id);
  }
}

function faultOf({ status, body }: Answered): string | null {
  return status === 200 ? null : `${status} ${body.slice(0, 200)}`;
}

function ask({ url, key }: LoadOrder, method: string, path: string, body?: string): Promise<Answered> {
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/v1${path}`, { agent, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function pick(count: number): number {
  return Math.floor(random() * count);
}

function monotonic(): number {
  return Number(now()) / 1e6;
}
