import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { UndoStack } from '../../src/lib/undo.js';
import type { GuideCounts } from '../../src/model/guide.js';
import { type Viewer, watch } from '../../test/support/http.js';
import { startSource } from '../../test/support/rtp-source.js';
import { adminKey } from '../../test/support/weir.js';
import { instant } from '../catalogue/house.js';
import { listOf } from '../catalogue/list.js';
import { startLoad } from '../catalogue/load.js';
import type { Sample } from '../catalogue/load-process.js';
import type { Owner } from '../endurance/ground.js';
import { median } from '../statistics.js';
import type { FxpResult } from './fxp-alone.js';
import { type GuideOut, measureOut } from './guide-out.js';
import { type Household, type Step, startHousehold } from './household.js';
import { type Provider, startProvider } from './provider.js';

export type RunOptions = {
  /** Packed guides: the big one, the same a day later, and the one that is wanted whole. */
  readonly files: { readonly big: string; readonly later: string; readonly whole: string };
  /** Channels of the big one and of the one that is wanted whole. */
  readonly channels: { readonly big: number; readonly whole: number };
  /** How many channels of the big guide are wanted. */
  readonly wanted: number;
  /** Entries of the list, and requests a second, while the API is measured. */
  readonly entries: number;
  readonly rate: number;
  /** Seconds of requests before anything is measured. */
  readonly warmUp: number;
  /** Seconds in which nothing is asked before a guide is taken over. */
  readonly rest: number;
  /** Whether a multicast stream may be watched meanwhile. */
  readonly streams: boolean;
};

export const stepNames = ['first', 'again', 'later', 'links', 'busy', 'whole'] as const;
export type StepName = (typeof stepNames)[number];
export type RunResult = {
  readonly steps: Readonly<Record<StepName, Step>>;
  /** Milliseconds of `gunzip -c` before the step. */
  readonly gunzip: { readonly first: number; readonly again: number };
  /** Milliseconds, median of five. */
  readonly known: number;
  /** Milliseconds of fast-xml-parser alone, in two threads. */
  readonly fxp: number;
  readonly out: GuideOut;
  readonly during: readonly Sample[];
  readonly beside: readonly Sample[];
  /** TS packets that the viewer got, and what it missed; null when there was none. */
  readonly stream: { readonly packets: number; readonly missing: number } | null;
  readonly faults: string[];
};

/** Channels that are linked later on. */
export const moreLinks = 50;
const knownFetches = 5;
const group = '239.84.0.1';
const port = 5000;

/** What is measured once: each part with a weir of its own, from its first start on. */
export async function run(owner: Owner, options: RunOptions): Promise<RunResult> {
  const faults: string[] = [];
  const provider = await startProvider(owner, options.files.big);
  const alone = await apart(owner, (own) => importAlone(own, provider, options, faults));
  const busy = await apart(owner, (own) => importBusy(own, provider, options, faults));
  const { fxp, whole } = await apart(owner, (own) => importWhole(own, provider, options, faults));
  const { steps, ...rest } = alone;
  return { ...rest, ...busy.result, fxp, steps: { ...steps, busy: busy.step, whole }, faults };
}

/** Ends what was started in it before it settles. */
async function apart<T>(owner: Owner, work: (own: Owner) => Promise<T>): Promise<T> {
  const undo = new UndoStack();
  owner.after(() => undo.run());
  const result = await work({ after: (step) => undo.push(step) });
  await undo.run();
  return result;
}

/** Nobody asks meanwhile. */
async function importAlone(owner: Owner, provider: Provider, options: RunOptions, faults: string[]) {
  const { files, channels, wanted, rest } = options;
  serve(provider, files.big, null);
  const linked = spreadOver(channels.big, wanted);
  const household = await startHousehold(owner, { guide: provider.url, linked, spare: moreLinks, rest });
  const gunzip = { first: await gunzipTime(files.big), again: 0 };
  const first = await household.begin();
  await expect(household, faults, 'first', ({ parsed }) => parsed > wanted * 100);
  gunzip.again = await gunzipTime(files.big);
  const again = await household.refresh();
  await expect(household, faults, 'again', ({ parsed }) => parsed > wanted * 100);
  serve(provider, files.later, '"later"');
  const later = await household.refresh();
  await expect(household, faults, 'later', ({ parsed, unchanged }) => parsed > 0 && parsed < unchanged / 5);
  const known = await knownTime(household, provider, faults);
  const others = Array.from({ length: channels.big }, (_, channel) => channel).filter((one) => !linked.includes(one));
  const links = await household.link(spreadOver(others.length, moreLinks).map((place) => others[place] ?? 0));
  await expect(household, faults, 'links', ({ parsed, unchanged }) => parsed > moreLinks * 100 && unchanged === 0);
  const out = await measureOut(household, faults);
  return { steps: { first, again, later, links }, gunzip, known, out };
}

/** The first import while the API is asked and a stream is watched. */
async function importBusy(owner: Owner, provider: Provider, options: RunOptions, faults: string[]) {
  const { files, channels, wanted, entries, rate, warmUp, rest, streams } = options;
  serve(provider, files.big, null);
  const [, ...lines] = listOf({ entries, token: 'first', renamed: false }).split('\n');
  const linked = spreadOver(channels.big, wanted);
  const household = await startHousehold(owner, {
    guide: provider.url,
    linked,
    spare: 0,
    list: lines.join('\n'),
    rest,
  });
  const { weir } = household.house;
  const viewer = streams ? await watchStream(owner, weir.url) : null;
  const load = startLoad({ url: weir.url, key: adminKey, rate, entries });
  owner.after(() => load.kill());
  await pause(warmUp * 1000);
  const begun = instant();
  const step = await household.begin();
  const ended = instant();
  await pause(warmUp * 1000);
  const { samples } = await load.end();
  await expect(household, faults, 'busy', ({ parsed }) => parsed > wanted * 100);
  const measured = samples.filter(({ due }) => due >= begun - warmUp * 500);
  const isDuring = ({ due }: Sample) => due >= begun && due <= ended;
  faults.push(...samples.flatMap(({ kind, fault }) => (fault === null ? [] : [`${kind}: ${fault}`])));
  const stream = viewer === null ? null : { packets: viewer.ts.packets, missing: missingOf(viewer) };
  if (stream !== null && stream.missing > 0) faults.push(`The viewer missed ${stream.missing} packets.`);
  return {
    step,
    result: { during: measured.filter(isDuring), beside: measured.filter((one) => !isDuring(one)), stream },
  };
}

/** All channels are wanted, beside the parser alone. */
async function importWhole(owner: Owner, provider: Provider, options: RunOptions, faults: string[]) {
  const { files, channels, rest } = options;
  serve(provider, files.whole, null);
  const linked = Array.from({ length: channels.whole }, (_, channel) => channel);
  const household = await startHousehold(owner, { guide: provider.url, linked, spare: 0, rest });
  const { milliseconds: fxp, elements } = await fxpAlone(files.whole);
  const whole = await household.begin();
  await expect(household, faults, 'whole', ({ parsed }) => parsed > elements * 0.9);
  return { fxp, whole };
}

function serve(provider: Provider, file: string, etag: string | null): void {
  provider.file = file;
  provider.etag = etag;
}

/** So many of the channels, evenly. */
function spreadOver(channels: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.floor((index * channels) / count));
}

async function expect(household: Household, faults: string[], what: string, is: (counts: GuideCounts) => boolean) {
  const { state, reason, counts } = await household.status();
  if (state === 'published' && counts !== null && is(counts)) return;
  faults.push(`${what}: ${state} ${reason ?? ''} ${JSON.stringify(counts)}`);
}

async function knownTime(household: Household, provider: Provider, faults: string[]): Promise<number> {
  const { sent } = provider;
  const times: number[] = [];
  for (let count = 0; count < knownFetches; count += 1) times.push((await household.refresh()).wall);
  if (provider.sent > sent) faults.push('A guide with its ETag was sent again.');
  return median(times);
}

async function gunzipTime(file: string): Promise<number> {
  const begun = instant();
  const child = spawn('gunzip', ['-c', file], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`gunzip ended with ${code}.`);
  return instant() - begun;
}

async function fxpAlone(file: string): Promise<FxpResult> {
  const child = fork(fileURLToPath(new URL('./fxp-alone.js', import.meta.url)), [file, '2'], { stdio: 'inherit' });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`fast-xml-parser alone ended with ${String(code)}.`);
  });
  const [result] = (await Promise.race([once(child, 'message'), ended])) as [FxpResult];
  return result;
}

async function watchStream(owner: Owner, url: string): Promise<Viewer> {
  await startSource(owner, { address: group, port, mbit: 8 });
  return await (await watch(owner, url, `/rtp/${group}:${port}`)).received(500);
}

function missingOf({ ts }: Viewer): number {
  return ts.missing.length + ts.discontinuities + ts.damaged;
}
