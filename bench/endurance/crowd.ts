import { ask, type Viewer, watch } from '../../test/support/http.js';
import { startSource } from '../../test/support/rtp-source.js';
import { until } from '../../test/support/until.js';
import { startWeir, type Weir } from '../../test/support/weir.js';
import { spread } from '../statistics.js';
import { rssOf, tcpMemory } from './figures.js';
import { type Descriptors, type Gang, gather, givenBack, held, type Over, settled } from './gangs.js';
import { type Outcome, type Owner, onOwnGround, say } from './ground.js';
import { type Answers, askAgainAndAgain } from './questions.js';

export type CrowdOptions = {
  /** Connections of each kind. */
  readonly each: number;
  /** KiB of `viewer_tcp.unsent_kb`, or null for its default. */
  readonly unsentKb: number | null;
};

const port = 5000;
/** What those who never read ask for, and what the healthy watch. */
const [crowded, elsewhere] = ['239.83.0.1', '239.83.0.2'] as const;
const list = '/playlist.m3u';
/** Bytes: more than a socket's buffers take. */
const longList = 8 << 20;
/** Milliseconds that an answer may take while all of them are there. */
const slowest = 2000;
/** Descriptors of requests that may be under way at any time. */
const underWay = 4;
/** Milliseconds in which what a client has noticed must be true of descriptors too. */
const soon = 3000;

/**
 * Thousands of connections that want nothing good, while two healthy viewers watch and others ask: neither may notice, and all
 * that the crowd held must be given back when its time is up.
 */
export async function crowd({ each, unsentKb }: CrowdOptions): Promise<void> {
  await onOwnGround(async (owner) => {
    const weir = await prepare(owner, unsentKb);
    const healthy = await Promise.all([0, 1].map(() => watch(owner, weir.url, pathOf(elsewhere))));
    for (const viewer of healthy) await viewer.received(500);
    const before = await settled(weir);
    const asking = askAgainAndAgain(weir, pathOf(elsewhere));
    const [memory, kernel] = [highest(() => rssOf(weir.pid)), highest(tcpMemory)];
    const gangs = gangsOf(weir, each, before);
    const come = (gang: Gang) => gather(owner, weir, gang);
    const idle = async () => {
      const overs = await Promise.all(gangs.idle.map(come));
      const freed = await givenBack(weir, { node: before.node + underWay, pump: Number.POSITIVE_INFINITY }, soon);
      return { freed, overs: [...overs, await come(gangs.list)] };
    };
    const [{ freed, overs }, stream] = await Promise.all([idle(), come(gangs.stream)]);
    const answers = await asking.stop();
    say(`At most ${megabytes(memory.stop())} MB RSS of Node, ${megabytes(kernel.stop())} MB of the kernel's for TCP`);
    // The stream that was asked for lingers a little.
    const after = await givenBack(weir, before, 3 * soon);
    return judge({ overs: [...overs, stream], freed, answers, healthy, before, after });
  });
}

function pathOf(address: string): string {
  return `/rtp/${address}:${port}`;
}

/** Weir with two streams to ask for, and a long list. */
async function prepare(owner: Owner, unsentKb: number | null): Promise<Weir> {
  for (const [index, address] of [crowded, elsewhere].entries()) {
    await startSource(owner, { address, port, mbit: 2, tag: index + 1 });
  }
  const entry = (number: number) =>
    `#EXTINF:-1 group-title="${'Group '.repeat(20)}",Channel ${number}\nrtp://239.${100 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}:${port}\n`;
  const entries = Array.from({ length: longList / 256 }, (_, number) => entry(number));
  const env = unsentKb === null ? {} : { WEIR_VIEWER_TCP_UNSENT_KB: String(unsentKb) };
  const weir = await startWeir(owner, { playlist: `#EXTM3U\n${entries.join('')}`, env });
  const listed = async () => Number((await ask(weir.url, list, { method: 'HEAD' })).headers.get('content-length'));
  await until('the list', async () => (await listed()) > longList / 2, { within: 30_000 });
  return weir;
}

function gangsOf(weir: Weir, each: number, before: Descriptors): { idle: Gang[]; stream: Gang; list: Gang } {
  const watching = async () =>
    (await weir.streams()).find(({ upstream }) => upstream.kind !== 'rtsp' && upstream.address === crowded)?.viewers ??
    0;
  // Descriptors of requests that are under way come and go: none of the gang is left when there are no more than those.
  const listening = () => {
    const more = held(weir).node - before.node;
    return more <= underWay ? 0 : more;
  };
  // Their time is 10 s, of those who have had an answer 5 s more.
  const idle = { count: each, path: '/healthz', left: null, limit: 12.5 };
  // Their time is 30 s from when the buffers between are full.
  const deaf = { kind: 'deaf', limit: 60 } as const;
  return {
    idle: [
      { ...idle, name: 'connections that say nothing', kind: 'silent' },
      { ...idle, name: 'connections that send a byte a second', kind: 'slow' },
      { ...idle, name: 'connections that do so after an answer', kind: 'fickle', limit: 17.5 },
    ],
    stream: { ...deaf, name: 'viewers that never read', count: each, path: pathOf(crowded), left: watching },
    // Each of them takes megabytes of the kernel's memory.
    list: {
      ...deaf,
      name: 'readers of the list that never read',
      count: Math.ceil(each / 10),
      path: list,
      left: listening,
    },
  };
}

/** Looks ten times a second for the greatest value until it is stopped. */
function highest(value: () => number): { stop(): number } {
  let most = value();
  const look = () => {
    most = Math.max(most, value());
  };
  const timer = setInterval(look, 100);
  return {
    stop: () => {
      clearInterval(timer);
      look();
      return most;
    },
  };
}

function megabytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

type Result = {
  readonly overs: readonly Over[];
  /** Held when the silent and the slow should have gone, and at the end. */
  readonly freed: Descriptors;
  readonly after: Descriptors;
  readonly before: Descriptors;
  readonly answers: Answers;
  readonly healthy: readonly Viewer[];
};

function judge({ overs, freed, after, before, answers, healthy }: Result): Outcome {
  const harmed = healthy.filter(
    ({ ended, ts }) => ended !== null || ts.missing.length + ts.discontinuities + ts.damaged > 0,
  );
  for (const { what, times } of answers) say(`${what}: ${spread(times, 1)} ms, ${times.length} times`);
  say(`Descriptors of Node: ${before.node} before, ${freed.node} after the idle, ${after.node} at the end`);
  say(`Descriptors of the pump: ${before.pump} before, ${after.pump} at the end`);
  say(`Healthy viewers: ${healthy.length - harmed.length} of ${healthy.length} missed nothing`);
  const slow = answers.filter(({ times }) => Math.max(...times) > slowest);
  const faults = [
    ...overs.filter(({ count, over }) => over < count).map(({ name }) => `${name} outlived their time`),
    ...slow.map(({ what }) => `${what} took more than ${slowest} ms`),
    ...(freed.node > before.node + underWay ? ['Node kept descriptors of those that were idle'] : []),
    ...(after.node > before.node ? ['Node kept descriptors'] : []),
    ...(after.pump > before.pump ? ['the pump kept descriptors'] : []),
    ...(harmed.length > 0 ? ['a healthy viewer was harmed'] : []),
  ];
  for (const fault of faults) say(`  ${fault}`);
  return faults.length === 0 ? 'passed' : 'failed';
}
