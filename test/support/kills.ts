import { setTimeout as pause } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Job } from '../../src/model/change.js';
import type { ChannelStatus } from '../../src/model/channel.js';
import type { Edited } from '../../src/model/edit.js';
import { contradictions, damage, entriesOf, openCatalogue } from './catalogue-check.js';
import { linesOfVersion, listOfVersion } from './kill-list.js';
import { type ListServer, startListServer, withList } from './list-server.js';
import { seeded } from './random.js';
import { ended, everything, refresh, send, sourceOf } from './rest.js';
import { makeWeir, type Weir } from './weir.js';

type Owner = Parameters<typeof makeWeir>[0];
export type KillOptions = { readonly count: number; readonly seed: number; say(line: string): void };

/** What was under way when weir was killed, how often. */
export type Killed = { kills: number; refreshes: number; rules: number; bigEdits: number; starts: number };

/** Milliseconds of work, and of a start, before the end. */
const longestWork = 2500;
const longestStart = 1500;
/** Milliseconds after which it is known that a process has ended whose connection is closed. */
const longestEnd = 500;

/**
 * Kills weir again and again while lists change and channels are edited, and looks each time at what is left. Resolves with
 * how it was met, and what was wrong.
 */
export async function killAgainAndAgain(
  owner: Owner,
  { count, seed, say }: KillOptions,
): Promise<{ killed: Killed; faults: string[] }> {
  const random = seeded(seed);
  const killed: Killed = { kills: 0, refreshes: 0, rules: 0, bigEdits: 0, starts: 0 };
  const household = await makeHousehold(owner);
  const faults: string[] = [];
  for (let round = 1; round <= count; round += 1) {
    const found = await killOnce(household, random, killed);
    faults.push(...found.map((fault) => `kill ${round}: ${fault}`));
    for (const fault of found) say(`kill ${round}: ${fault}`);
    if (round % 10 === 0) say(`${round} kills · ${JSON.stringify(killed)} · ${faults.length} faults`);
  }
  return { killed, faults };
}

type Value = string | number | null;
/** What edits set of all channels of a group: what was answered is there, what was asked for last may be. */
type Edit = { readonly column: 'tvg_id' | 'guide_shift'; sure: Value; maybe: Value };

type Household = {
  readonly weir: Weir;
  readonly server: ListServer;
  /** Of the list that is served last. */
  version: number;
  /** By group. */
  readonly edits: { readonly Small: Edit; readonly Big: Edit };
  readonly smallIds: readonly number[];
  /** Counts what was set, so that it is another value each time. */
  count: number;
};

async function makeHousehold(owner: Owner): Promise<Household> {
  const server = await startListServer(owner, listOfVersion(1));
  const weir = makeWeir(owner);
  await weir.start();
  await send(weir, 'POST', '/sources', { kind: 'url', location: server.url, publishDirect: true });
  await refresh(weir);
  await send(weir, 'POST', '/rules', {
    match: { field: 'name', pattern: '^Big' },
    action: { kind: 'rename', replacement: 'Great' },
  });
  const small = await everything<ChannelStatus>(weir, '/channels?group=Small');
  const edit = <C extends Edit['column']>(column: C): Edit => ({ column, sure: null, maybe: null });
  const edits = { Small: edit('tvg_id'), Big: edit('guide_shift') };
  return { weir, server, version: 1, edits, smallIds: small.map(({ id }) => id), count: 0 };
}

async function killOnce(household: Household, random: () => number, killed: Killed): Promise<string[]> {
  const { weir } = household;
  const life = { isOver: false };
  const kill = async (longest: number) => {
    await pause(random() * longest);
    life.isOver = true;
    await weir.signal('SIGKILL');
    killed.kills += 1;
  };
  const steps = [editSmall, changeMuch];
  await Promise.all([...steps.map((step) => goOn(weir, life, () => step(household))), kill(longestWork)]);
  const faults = leftOver(household, killed);
  if (random() < 0.2) {
    weir.spawn();
    await kill(longestStart);
    killed.starts += 1;
    faults.push(...leftOver(household, killed));
  }
  await weir.start();
  return [...faults, ...(await afterStart(household))];
}

/** Does something again and again until weir is killed. */
async function goOn(weir: Weir, life: { readonly isOver: boolean }, step: () => Promise<unknown>): Promise<void> {
  while (!life.isOver) {
    try {
      await step();
    } catch (error) {
      if (life.isOver) return;
      await pause(longestEnd);
      // A connection that was closed for being idle, just as it was used again, says nothing of weir.
      if (!isClosed(error)) throw error;
      if (!life.isOver && !weir.isRunning) throw new Error(`weir ended by itself: ${weir.log.slice(-2000)}`);
    }
  }
}

function isClosed(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof Error && 'code' in cause && cause.code === 'UND_ERR_SOCKET';
}

/** Another list, then another rule, while many channels are edited. */
async function changeMuch(household: Household): Promise<void> {
  const all = await Promise.allSettled([changeList(household).then(() => changeRule(household)), editBig(household)]);
  for (const one of all) if (one.status === 'rejected') throw one.reason;
}

async function changeList(household: Household): Promise<void> {
  household.version += 1;
  household.server.answer = withList(listOfVersion(household.version));
  const { state, reason } = await refresh(household.weir);
  if (state !== 'done') throw new Error(`a refresh failed: ${reason}`);
}

async function changeRule({ weir, version }: Household): Promise<void> {
  await send(weir, 'PATCH', '/rules/1', { action: { kind: 'rename', replacement: `Great ${version}` } });
  const { items } = await weir.api<{ items: Job[] }>('/api/v1/jobs?limit=10');
  for (const job of items.filter(({ kind }) => kind === 'rules')) await ended(weir, job);
}

async function editSmall(household: Household): Promise<void> {
  const { weir, edits, smallIds } = household;
  household.count += 1;
  edits.Small.maybe = `edit.${household.count}`;
  await send(weir, 'POST', '/channels:batch', { ids: smallIds, patch: { tvgId: edits.Small.maybe } });
  edits.Small.sure = edits.Small.maybe;
}

/** Of so many channels that it takes several transactions; every second time it is undone. */
async function editBig(household: Household): Promise<void> {
  const { weir, edits } = household;
  const before = edits.Big.sure;
  household.count += 1;
  edits.Big.maybe = household.count;
  const patch = { guideShift: household.count };
  const { change } = await send<Edited>(weir, 'POST', '/channels:batch', { filter: { group: 'Big' }, patch });
  edits.Big.sure = edits.Big.maybe;
  if (household.count % 2 === 0) return;
  edits.Big.maybe = before;
  await send(weir, 'POST', `/changes/${change?.id}:undo`);
  edits.Big.sure = before;
}

/** What is wrong with the database as a kill left it. */
function leftOver(household: Household, killed: Killed): string[] {
  const raw = openCatalogue(household.weir.data);
  try {
    const count = (query: string) => Number(raw.prepare(`SELECT EXISTS (${query})`).pluck().get());
    killed.refreshes += count("SELECT 1 FROM snapshot WHERE state = 'staged'");
    killed.rules += count("SELECT 1 FROM job WHERE kind = 'rules' AND state = 'running'");
    killed.bigEdits += count('SELECT 1 FROM change WHERE rows < 0');
    return [...damage(raw), ...wrongList(raw, household), ...wrongEdit(raw, household, 'Small')];
  } finally {
    raw.close();
  }
}

/** What is wrong when weir runs again and has taken over the list as it is served now. */
async function afterStart(household: Household): Promise<string[]> {
  const { weir, version, edits } = household;
  const { state, reason } = await refresh(weir);
  if (state !== 'done') return [`the refresh after the start failed: ${reason}`];
  const source = await sourceOf(weir);
  if (source.state !== 'published') return [`the source is ${source.state}: ${source.reason}`];
  const raw = openCatalogue(weir.data);
  try {
    const faults = [
      ...damage(raw),
      ...contradictions(raw),
      ...wrongList(raw, household, version),
      ...wrongEdit(raw, household, 'Small'),
      ...wrongEdit(raw, household, 'Big'),
    ];
    for (const [group, edit] of Object.entries(edits)) {
      edit.sure = valuesOf(raw, group, edit)[0] ?? null;
      edit.maybe = edit.sure;
    }
    return faults;
  } finally {
    raw.close();
  }
}

/** The list in service must be one of those that were served, line by line; the given one where one is given. */
function wrongList(raw: Database.Database, household: Household, version?: number): string[] {
  const header = raw
    .prepare('SELECT n.header FROM source s JOIN snapshot n ON n.id = s.snapshot')
    .pluck()
    .get() as string;
  const serving = Number(new Map(JSON.parse(header) as [string, string][]).get('x-version'));
  if (serving > household.version || (version !== undefined && serving !== version))
    return [`version ${serving} of the list is in service, of ${household.version}`];
  const snapshot = Number(raw.prepare('SELECT snapshot FROM source').pluck().get());
  const present = entriesOf(raw, snapshot).filter(({ state }) => state === 'present');
  const actual = present.map(({ said: { name, urls, groups } }) =>
    JSON.stringify([name, urls[0]?.url, JSON.stringify(groups)]),
  );
  const expected = linesOfVersion(serving).map(({ name, url, group }) => JSON.stringify([name, url, `["${group}"]`]));
  const different = expected.findIndex((line, index) => line !== actual[index]);
  if (different < 0 && actual.length === expected.length) return [];
  return [`line ${different} of list ${serving} is ${actual[different]} and not ${expected[different]}`];
}

/** An edit must be whole or absent, and there when it was answered. */
function wrongEdit(raw: Database.Database, { edits }: Household, group: 'Small' | 'Big'): string[] {
  const { sure, maybe } = edits[group];
  const values = valuesOf(raw, group, edits[group]);
  if (values.length === 1 && (values[0] === sure || values[0] === maybe)) return [];
  return [`${group} is set to ${values.slice(0, 3).join(' and ')}, and not to ${sure} or ${maybe}`];
}

/** What is set of the channels of a group, each value once. */
function valuesOf(raw: Database.Database, group: string, { column }: Pick<Edit, 'column'>): Value[] {
  const rows =
    raw.prepare(`SELECT DISTINCT o.${column} FROM source s JOIN snapshot_page p ON p.snapshot = s.snapshot, json_each(p.said) e
    JOIN channel_entry ce ON ce.entry = p.entries ->> e.key LEFT JOIN channel_override o ON o.channel = ce.channel
    WHERE e.value ->> 'groups' = ?`);
  return rows.pluck().all(`["${group}"]`) as Value[];
}
