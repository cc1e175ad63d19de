import assert from 'node:assert/strict';
import type { ChannelOverride, ChannelStatus } from '../../src/model/channel.js';
import type { Entry } from '../../src/model/entry.js';
import { ask } from './http.js';
import { linesOf, type Provider } from './provider.js';
import { readAsKodi } from './readers/kodi.js';
import { everything, send } from './rest.js';
import type { Weir } from './weir.js';

/** What the user sets here of a channel. */
type Edit = Partial<Pick<ChannelOverride, 'name' | 'number' | 'logo' | 'groups' | 'hidden' | 'order' | 'tvgId'>>;
/** By the truth of the channel that it was meant for. */
export type Edits = ReadonlyMap<number, Edit>;

/** Where the edits are. */
export type Tally = {
  /** All that was set shows on their channel, which is in the list. */
  kept: number;
  /** Their channel is not in the list, and still has them. */
  waiting: number;
  /** Their channel is in the list without them. */
  lost: number;
  /** Something that was set, or a part of it, shows on a line of another channel. */
  wrong: number;
};

/** Each a value that no other channel has. */
const singles: readonly ((truth: number) => Edit)[] = [
  (truth) => ({ name: `Mine ${truth}` }),
  (truth) => ({ number: `${truth}.10` }),
  (truth) => ({ logo: `http://logos.example/${truth}.png` }),
  (truth) => ({ order: truth }),
  (truth) => ({ tvgId: `mine.${truth}` }),
];

/** Sets one or two fields of each of these channels one by one, then groups of a quarter and hides a quarter in one go. */
export async function editChannels(weir: Weir, provider: Provider, truths: readonly number[]): Promise<Edits> {
  const channels = await channelsOf(weir, provider);
  const edits = new Map<number, Edit>();
  const idOf = (truth: number) => channels.get(truth) ?? assert.fail(`channel ${truth} is not there`);
  for (const [index, truth] of truths.entries()) {
    const edit = { ...singles[index % 5]?.(truth), ...(index % 2 === 1 ? singles[(index + 2) % 5]?.(truth) : {}) };
    await send(weir, 'PATCH', `/channels/${idOf(truth)}`, edit);
    edits.set(truth, edit);
  }
  for (const [rest, patch] of [{ groups: ['Mine', 'All mine'] }, { hidden: true }].entries()) {
    const some = truths.filter((_, index) => index % 4 === rest);
    const { rows } = await send<{ rows: number }>(weir, 'POST', '/channels:batch', { ids: some.map(idOf), patch });
    assert.equal(rows, some.length);
    for (const truth of some) edits.set(truth, { ...edits.get(truth), ...patch });
  }
  return edits;
}

/** Ids of the channels of the lines that are in the list, by their truth. */
export async function channelsOf(weir: Weir, provider: Provider): Promise<Map<number, number>> {
  const present = (await everything<Entry>(weir, '/entries')).filter(({ state }) => state === 'present');
  const lines = linesOf(provider);
  assertSameLines(
    present.map(({ name, urls }) => `${name} ${urls[0]?.url}`),
    lines.map(({ name, url }) => `${name} ${url.replace('@', '')}`),
  );
  return new Map(lines.map(({ truth }, index) => [truth, present[index]?.channel ?? 0]));
}

/** Compares each line as it is shown with what its provider says and what was set of it. `edited` are ids by truth at the time of the edits. */
export async function tallyOf(
  weir: Weir,
  provider: Provider,
  edits: Edits,
  edited: ReadonlyMap<number, number>,
): Promise<Tally> {
  const owners = await channelsOf(weir, provider);
  const shown = new Map((await everything<ChannelStatus>(weir, '/channels')).map((channel) => [channel.id, channel]));
  const tally = { kept: 0, waiting: 0, lost: 0, wrong: 0 };
  for (const line of linesOf(provider)) {
    const channel = shown.get(owners.get(line.truth) ?? 0) ?? assert.fail(`${line.name} is not shown`);
    const edit = edits.get(line.truth);
    const isPlain = isSame(channel, plainly(line));
    if (edit === undefined) tally.wrong += Number(!isPlain);
    else if (isSame(channel, { ...plainly(line), ...edit })) tally.kept += 1;
    else if (isPlain) tally.lost += 1;
    else tally.wrong += 1;
  }
  const away = [...edits.keys()].filter((truth) => !owners.has(truth));
  tally.waiting = away.length;
  // Those that left the playlist are not shown here either.
  for (const truth of away.filter((one) => shown.has(edited.get(one) ?? 0))) {
    const { override } = await weir.api<{ override: ChannelOverride }>(`/api/v1/channels/${edited.get(truth)}`);
    const set = Object.fromEntries(Object.entries(override).filter(([, value]) => value !== null));
    assert.deepEqual(set, edits.get(truth), `what is set of channel ${truth}, which is away`);
  }
  return tally;
}

type Shown = Required<Edit>;

function plainly({ name, tvgId, groups }: ReturnType<typeof linesOf>[number]): Shown {
  return { name, number: null, logo: null, groups: [...groups], hidden: false, order: null, tvgId };
}

function isSame(channel: ChannelStatus, expected: Shown): boolean {
  const text = ({ name, number, logo, groups, hidden, order, tvgId }: Shown) =>
    JSON.stringify([name, number, logo, groups, hidden, order, tvgId]);
  return text(channel as Shown) === text(expected);
}

/** The playlist, line by line, must be what the API says is published: address, name, number, groups, guide id, picture. */
export async function assertPlaylistShowsIt(weir: Weir): Promise<void> {
  const urls = new Map(
    (await everything<Entry>(weir, '/entries')).map(({ channel, urls: [first] }) => [channel, first?.url]),
  );
  const channels = (await everything<ChannelStatus>(weir, '/channels')).filter(({ published }) => published);
  const { status, body } = await ask(weir.url, '/playlist.m3u');
  assert.equal(status, 200);
  const listed = readAsKodi(body).channels.map(({ url, name, number, groups, id, logo }) =>
    JSON.stringify([url, name, number, groups, id, logo.replace(/\?v=.*$/, '')]),
  );
  assertSameLines(
    listed,
    channels.map(({ id, key, name, number, groups, tvgId, logo, playable }) => {
      const url = playable ? `${weir.url}/stream/${key}` : urls.get(id);
      const picture = logo === null ? '' : `${weir.url}/logos/${key}`;
      return JSON.stringify([url, name, number, groups, tvgId ?? key, picture]);
    }),
  );
}

/** Says the first difference alone: these lists are long. */
function assertSameLines(actual: readonly string[], expected: readonly string[]): void {
  const different = expected.findIndex((line, index) => line !== actual[index]);
  if (different >= 0) assert.equal(actual[different], expected[different], `line ${different}`);
  assert.equal(actual.length, expected.length);
}
