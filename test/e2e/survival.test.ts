import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Database from 'better-sqlite3';
import { UndoStack } from '../../src/lib/undo.js';
import { assertPlaylistShowsIt, channelsOf, type Edits, editChannels, tallyOf } from '../support/edited-household.js';
import { type ListServer, startListServer, withList } from '../support/list-server.js';
import { createProvider, type Provider, toM3u } from '../support/provider.js';
import {
  decorate,
  giveBack,
  hideAddresses,
  insert,
  newAccount,
  newHost,
  newTokens,
  regroup,
  rename,
  renameGroups,
  reorder,
  reuse,
  rotate,
  type Step,
  takeAway,
  together,
} from '../support/provider-steps.js';
import { seeded } from '../support/random.js';
import { refresh, send, sourceOf } from '../support/rest.js';
import { tempDir } from '../support/temp.js';
import { startWeir, type Weir } from '../support/weir.js';

const size = 2000;
const editedCount = 200;

/** The household that every test starts from a copy of: 2,000 channels, 200 of them edited. */
type Prepared = {
  readonly data: string;
  readonly server: ListServer;
  readonly provider: Provider;
  readonly edits: Edits;
  readonly edited: ReadonlyMap<number, number>;
};
let prepared: Prepared;
const undo = new UndoStack();
after(() => undo.run());

before(async () => {
  const owner = { after: (step: () => void | Promise<void>) => undo.push(step) };
  const random = seeded(2000);
  const provider = createProvider(size, random);
  const server = await startListServer(owner, toM3u(provider));
  const data = join(tempDir(owner), 'data');
  const weir = await startWeir(owner, { data });
  await send(weir, 'POST', '/sources', { kind: 'url', location: server.url, publishDirect: true });
  await refresh(weir);
  const picked = provider.channels.map(({ truth }) => ({ truth, key: random() })).sort((a, b) => a.key - b.key);
  const truths = picked.slice(0, editedCount).map(({ truth }) => truth);
  const edits = await editChannels(weir, provider, truths);
  const edited = await channelsOf(weir, provider);
  assert.deepEqual(await tallyOf(weir, provider, edits, edited), { kept: 200, waiting: 0, lost: 0, wrong: 0 });
  await assertPlaylistShowsIt(weir);
  await weir.signal('SIGTERM');
  prepared = { data, server, provider, edits, edited };
});

type Stage = {
  readonly what: string;
  readonly step: Step;
  readonly kept: number;
  /** Of channels that are not in the list. */
  readonly waiting?: number;
  /** Of channels that nothing tells from another. */
  readonly lost?: number;
  /** Whether so much time passes before that what is missing leaves the playlist. */
  readonly isMuchLater?: true;
};

/** Each stage on top of those before it. */
const histories: readonly { readonly what: string; readonly stages: readonly Stage[] }[] = [
  {
    what: 'what providers do, one after another',
    stages: [
      { what: 'a new host', step: newHost, kept: 200 },
      { what: 'a new token in every address', step: newTokens, kept: 200 },
      { what: 'new names for 30 %', step: rename(0.3), kept: 200 },
      { what: 'other groups for 60 %', step: regroup(0.6), kept: 200 },
      { what: 'another order', step: reorder, kept: 200 },
      { what: 'two channels swap their addresses, a hundred times', step: rotate(2, 100), kept: 200 },
      { what: 'ten channels each take the address of the next, twenty times', step: rotate(10, 20), kept: 200 },
      { what: '10 % gone', step: takeAway(0.1), kept: 179, waiting: 21 },
      { what: 'a second refresh without them', step: newTokens, kept: 179, waiting: 21 },
      { what: 'a third refresh without them', step: reorder, kept: 179, waiting: 21 },
      { what: 'they are back', step: giveBack, kept: 200 },
      { what: 'a hundred addresses given to other channels', step: reuse(100), kept: 190, waiting: 10 },
    ],
  },
  {
    what: 'several things at once',
    stages: [
      { what: 'host and names', step: together(newHost, rename(0.3)), kept: 200 },
      { what: 'tokens and groups', step: together(newTokens, renameGroups), kept: 200 },
      { what: 'order and swaps', step: together(reorder, rotate(2, 50)), kept: 200 },
      { what: 'rings and new channels', step: together(rotate(10, 10), insert(100)), kept: 200 },
    ],
  },
  {
    what: 'everything at once that leaves a key',
    stages: [
      {
        what: 'host, tokens, account, names, groups and order',
        step: together(newHost, newTokens, newAccount, decorate(0.3), renameGroups, reorder),
        kept: 200,
      },
      {
        what: 'addresses of which a token is all',
        step: together(hideAddresses, newTokens),
        // They have name and group of another channel, and no guide id.
        ...{ kept: 197, lost: 3 },
      },
    ],
  },
  {
    what: 'a long history',
    stages: [
      { what: '10 % gone', step: together(newTokens, takeAway(0.1)), kept: 186, waiting: 14 },
      { what: 'swaps', step: together(newTokens, rotate(2, 10), reorder), kept: 186, waiting: 14 },
      { what: 'new host and channels', step: together(newTokens, newHost, insert(50)), kept: 186, waiting: 14 },
      { what: 'they left the playlist', step: newTokens, kept: 186, waiting: 14, isMuchLater: true },
      { what: 'they are back', step: together(newTokens, giveBack, decorate(0.3)), kept: 200 },
      { what: 'reused addresses', step: together(newTokens, reuse(40), renameGroups), kept: 196, waiting: 4 },
    ],
  },
];

for (const { what, stages } of histories) {
  test(`${what}: edits stay on their channels, none is on another one, and the playlist shows them`, async (t) => {
    const { server, edits, edited } = prepared;
    let { provider } = prepared;
    server.answer = withList(toM3u(provider));
    const weir = await startWeir(t, { data: copyOf(prepared.data, tempDir(t)) });
    const random = seeded(4);
    for (const { what: now, step, kept, waiting = 0, lost = 0, isMuchLater } of stages) {
      provider = step(provider, random);
      server.answer = withList(toM3u(provider));
      if (isMuchLater === true) passTime(weir);
      assert.equal((await refresh(weir)).state, 'done');
      assert.equal((await sourceOf(weir)).state, 'published');
      const tally = await tallyOf(weir, provider, edits, edited);
      t.diagnostic(`${now}: ${JSON.stringify(tally)}`);
      assert.deepEqual(tally, { kept, waiting, lost, wrong: 0 }, now);
      const left = await weir.api<{ items: unknown[] }>('/api/v1/entries?state=left&limit=1');
      assert.equal(left.items.length, isMuchLater === true ? 1 : 0, now);
    }
    await assertPlaylistShowsIt(weir);
  });
}

/** As if what is missing had been missing for two days more. */
function passTime({ data }: Weir): void {
  const raw = new Database(join(data, 'weir.db'));
  raw.exec("UPDATE missing_entry SET since = since - 172800 WHERE state = 'missing'");
  raw.close();
}

/** The database of a weir that was stopped, in a data directory of another one. */
function copyOf(data: string, folder: string): string {
  const copy = join(folder, 'data');
  mkdirSync(copy, { mode: 0o700 });
  copyFileSync(join(data, 'weir.db'), join(copy, 'weir.db'));
  return copy;
}
