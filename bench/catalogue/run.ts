import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { UndoStack } from '../../src/lib/undo.js';
import { readPlaylist } from '../../src/playlist/read/read.js';
import { tempDir } from '../../test/support/temp.js';
import { adminKey, startWeir } from '../../test/support/weir.js';
import { rssOf } from '../endurance/figures.js';
import type { Owner } from '../endurance/ground.js';
import { median } from '../statistics.js';
import { cpuOf, fetchList, House, instant, writeList } from './house.js';
import { listOf } from './list.js';
import { startLoad } from './load.js';
import type { LoadReport, Sample } from './load-process.js';

export type RunOptions = {
  readonly entries: number;
  /** Requests a second. */
  readonly rate: number;
  /** Seconds of requests before anything is measured. */
  readonly warmUp: number;
  /** Seconds in which nothing is asked, before memory is looked at. */
  readonly rest: number;
  /** How often the list is fetched in each way. */
  readonly fetches: number;
};

/** One import, in milliseconds. */
export type Step = {
  /** Until players and the API have the new list; null when nothing was to be published. */
  readonly published: number | null;
  /** Until all work on it has ended: suggestions made, what is out of service removed. */
  readonly settled: number;
  /** CPU of the whole process until then, which answered requests meanwhile. */
  readonly cpu: number;
};
export const steps = ['import alone', 'import', 'unchanged', 'new token', 'renamed'] as const;
export type StepName = (typeof steps)[number];

export type RunResult = {
  readonly steps: Readonly<Record<StepName, Step>>;
  /** Those that were due while one of the steps went on, and the others, without the warm-up. */
  readonly during: readonly Sample[];
  readonly beside: readonly Sample[];
  /** Milliseconds: the list after a change, the same again, and asked for with its ETag. */
  readonly lists: { readonly first: number[]; readonly again: number[]; readonly known: number[] };
  /** Bytes of the list in, and of the one out. */
  readonly bytes: { readonly in: number; readonly out: number };
  /** Bytes of weir's Node before the import and after it all; and around the import while nobody asks. */
  readonly rss: Memory;
  readonly rssAlone: Memory;
  /** What was not as it should be. */
  readonly faults: string[];
};

type Memory = { readonly before: number; readonly after: number };
type Source = { readonly id: number; readonly entries: number; readonly channels: number; readonly state: string };
type Window = { readonly from: number; readonly to: number };

/** Channels of the list that is there before. */
const small = 200;
/** How often a list that is known is asked for each time that it was read: reading 26 MB leaves garbage here, not in weir. */
const knownFetches = 5;

/**
 * One weir that imports while nobody asks; then another one from its first start on: a small list, the big one, it again, with
 * new tokens, with new names; lists out.
 */
export async function run(owner: Owner, options: RunOptions): Promise<RunResult> {
  const folder = join(tempDir(owner), 'lists');
  mkdirSync(folder);
  const faults: string[] = [];
  const alone = await importAlone(owner, folder, options, faults);
  const house = await open(owner, folder);
  const { weir } = house;
  await warmUp(house, options);
  const before = rssOf(weir.pid);

  const load = startLoad({ url: weir.url, key: adminKey, rate: options.rate, entries: options.entries });
  owner.after(() => load.kill());
  const imported = await imports(house, folder, options, faults);
  const report = await load.end();
  const lists = await fetchLists(house, options, report, faults);
  await checkEdits(house, report, faults);
  await pause(options.rest * 1000);
  const isDuring = ({ due }: Sample) => imported.windows.some(({ from, to }) => due >= from && due <= to);
  return {
    steps: { 'import alone': alone.step, ...imported.steps },
    during: report.samples.filter(isDuring),
    beside: report.samples.filter((one) => !isDuring(one)),
    lists: lists.times,
    bytes: { in: imported.bytes, out: lists.bytes },
    rss: { before, after: rssOf(weir.pid) },
    rssAlone: alone.rss,
    faults: [...faults, ...report.samples.flatMap(({ kind, fault }) => (fault === null ? [] : [`${kind}: ${fault}`]))],
  };
}

/** A weir of its own, which is listened to. */
async function open(owner: Owner, folder: string): Promise<House> {
  const house = new House(await startWeir(owner, { env: { WEIR_LIST_FOLDER: folder } }));
  owner.after(() => house.close());
  await house.listen();
  return house;
}

/** The big list where a small one is, and nobody asks meanwhile; that weir has ended then. */
async function importAlone(owner: Owner, folder: string, { entries, rest }: RunOptions, faults: string[]) {
  const own = new UndoStack();
  owner.after(() => own.run());
  const house = await open({ after: (step) => own.push(step) }, folder);
  await addSmall(house);
  await pause(rest * 1000);
  const before = rssOf(house.weir.pid);
  writeList(folder, listOf({ entries, token: 'first', renamed: false }));
  const { source, step } = await importBig(house, []);
  await checkSource(house, source, entries, faults);
  await pause(rest * 1000);
  const after = rssOf(house.weir.pid);
  await own.run();
  return { step, rss: { before, after } };
}

async function addSmall(house: House): Promise<void> {
  const content = listOf({ entries: small, token: 'small', renamed: false });
  const begun = instant();
  await house.request('POST', '/sources', { kind: 'inline', content, name: 'Small', publishDirect: true });
  await house.told('the small list', begun, ({ type }) => type === 'source');
}

/** What compiles and caches itself with the first requests is no matter of the import. */
async function warmUp(house: House, { rate, warmUp: seconds, rest }: RunOptions): Promise<void> {
  await addSmall(house);
  const load = startLoad({ url: house.weir.url, key: adminKey, rate, entries: small });
  await pause(seconds * 1000);
  await load.end();
  await fetchList(house.weir.url);
  await pause(rest * 100);
}

async function imports(house: House, folder: string, { entries }: RunOptions, faults: string[]) {
  const windows: Window[] = [];
  const list = listOf({ entries, token: 'first', renamed: false });
  writeList(folder, list);
  const measure = (begin: () => Promise<Begun>) => measureStep(house, begin, windows);
  const { source, step: first } = await importBig(house, windows);
  await checkSource(house, source, entries, faults);
  const unchanged = await measure(async () => {
    await house.request('POST', `/sources/${source}:refresh`);
    return { source, last: null };
  });
  const again = async (options: { readonly token: string; readonly renamed: boolean }) => {
    const text = listOf({ entries, ...options });
    const last = (await house.lastRefresh(source))?.id ?? 0;
    return await measure(() => {
      writeList(folder, text);
      return Promise.resolve({ source, last });
    });
  };
  const token = await again({ token: 'second', renamed: false });
  await checkCounts(house, source, { readdressed: entries - Math.floor(entries / 4), renamed: 0 }, faults);
  const renamed = await again({ token: 'second', renamed: true });
  await checkCounts(house, source, { readdressed: 0, renamed: Math.round(entries * 0.3) }, faults);
  await checkSource(house, source, entries, faults);
  return { steps: { import: first, unchanged, 'new token': token, renamed }, windows, bytes: Buffer.byteLength(list) };
}

/** Adds the source of the big list. */
async function importBig(house: House, windows: Window[]): Promise<{ readonly source: number; readonly step: Step }> {
  let source = 0;
  const begin = async () => {
    const added = { kind: 'file', location: 'big.m3u', name: 'Big', publishDirect: true };
    source = (await house.request<Source>('POST', '/sources', added)).id;
    return { source, last: 0 };
  };
  const step = await measureStep(house, begin, windows);
  return { source, step };
}

/** `last` is the id of the refresh before; null when none is expected. */
type Begun = { readonly source: number; readonly last: number | null };

async function measureStep(house: House, begin: () => Promise<Begun>, windows: Window[]): Promise<Step> {
  const { pid } = house.weir;
  const [from, cpu] = [instant(), cpuOf(pid)];
  const { source, last } = await begin();
  const settled = house.told('the source to be done with', from, ({ type, id }) => type === 'source' && id === source);
  const published = last === null ? null : await house.published(source, from, last);
  const to = await settled;
  windows.push({ from, to: Math.max(to, published ?? 0) });
  return { published: published === null ? null : published - from, settled: to - from, cpu: cpuOf(pid) - cpu };
}

async function checkSource(house: House, id: number, entries: number, faults: string[]): Promise<void> {
  const source = await house.request<Source>('GET', `/sources/${id}`);
  if (source.state === 'published' && source.entries === entries && source.channels === entries) return;
  faults.push(`The source should have ${entries} entries: ${JSON.stringify(source)}`);
}

async function checkCounts(
  house: House,
  source: number,
  expected: Readonly<Record<string, number>>,
  faults: string[],
): Promise<void> {
  const counts = (await house.lastRefresh(source))?.counts ?? {};
  const all = { added: 0, removed: 0, suspect: 0, ...expected };
  const wrong = Object.entries(all).filter(([kind, count]) => counts[kind] !== count);
  for (const [kind, count] of wrong) faults.push(`${kind} should be ${count}, and is ${counts[kind]}.`);
}

/** Each after an edit, so that it is written anew; then as it stands; then some times with its ETag. */
async function fetchLists(house: House, { entries, fetches }: RunOptions, { edits }: LoadReport, faults: string[]) {
  const times = { first: [] as number[], again: [] as number[], known: [] as number[] };
  const [id = 0] = edits.at(-1) ?? [];
  let bytes = 0;
  for (let count = 0; count < fetches; count += 1) {
    await house.request('PATCH', `/channels/${id}`, { number: `${count + 1}` });
    const first = await fetchList(house.weir.url);
    const again = await fetchList(house.weir.url);
    times.first.push(first.took);
    times.again.push(again.took);
    bytes = first.body.length;
    if (again.etag !== first.etag) faults.push('A list that did not change has another ETag.');
    times.known.push(await fetchKnown(house, first.etag, faults));
    if (count === 0) checkList(first.body, entries, edits, faults);
  }
  return { times, bytes };
}

/** Median of some answers that the list is the one of this ETag. */
async function fetchKnown(house: House, etag: string, faults: string[]): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < knownFetches; count += 1) {
    const { status, took } = await fetchList(house.weir.url, etag);
    if (status !== 304) faults.push(`A list with its ETag is answered ${status}.`);
    times.push(took);
  }
  return median(times);
}

function checkList(body: Uint8Array, entries: number, edits: LoadReport['edits'], faults: string[]): void {
  const list = readPlaylist(body).entries;
  if (list.length !== entries + small) faults.push(`The list has ${list.length} channels, not ${entries + small}.`);
  const names = new Set(list.map(({ name }) => name));
  const lost = edits.filter(([, name]) => !names.has(name)).length;
  if (lost > 0) faults.push(`${lost} names that were set are not in the list.`);
}

async function checkEdits(house: House, { edits }: LoadReport, faults: string[]): Promise<void> {
  if (edits.length === 0) faults.push('No channel was edited.');
  for (const [id, name] of edits) {
    const channel = await house.request<{ name: string }>('GET', `/channels/${id}`);
    if (channel.name !== name) faults.push(`Channel ${id} should be "${name}", and is "${channel.name}".`);
  }
}
