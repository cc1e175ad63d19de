import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type Viewer, watch } from '../../test/support/http.js';
import { needs } from '../../test/support/needs.js';
import { buildStreet, type Street } from '../../test/support/netns.js';
import { startSource } from '../../test/support/rtp-source.js';
import { startWeir } from '../../test/support/weir.js';
import { milliseconds, now, reach } from '../clock.js';
import { spread } from '../statistics.js';
import { type Outcome, type Owner, onOwnGround, say } from './ground.js';
import { type Capture, captureMembership, type Word } from './membership.js';

export type RefreshOptions = {
  readonly seconds: number;
  /** Seconds between two reports. */
  readonly every: number;
};

const port = 5000;
/** Seconds by which a report may be late on a busy machine. */
const tolerance = 1;

/** One group, on which of two streets it is, and how its membership must be reported there. */
type Case = { readonly group: string; readonly street: 0 | 1; readonly what: Exclude<Word['what'], 'leave'> };
const cases: readonly Case[] = [
  { group: '239.84.0.1', street: 0, what: 'igmp3' },
  // Here the kernel itself is told to speak IGMPv2 alone.
  { group: '239.84.0.2', street: 1, what: 'igmp2' },
  { group: 'ff15::84:3', street: 0, what: 'mld2' },
];

/**
 * Watches three groups, by IGMPv3, IGMPv2 and MLDv2, in networks where nobody asks who is there: on the wire membership must be reported
 * at the interval and never given up, a bridge that snoops must know of it all the time, and nothing may be missing of the streams.
 */
export async function refresh({ seconds, every }: RefreshOptions): Promise<void> {
  await onOwnGround(async (owner) => {
    const missing = needs('tcpdump');
    if (missing !== false) throw new Error(`This command ${missing}.`);
    const streets = [snoopingStreet(owner, 1, every), snoopingStreet(owner, 2, every)] as const;
    writeFileSync(`/proc/sys/net/ipv4/conf/${streets[1].interface}/force_igmp_version`, '2');
    for (const { group, street } of cases) await startSending(owner, streets[street], group);
    const captures = await Promise.all(streets.map((street) => captureMembership(street.netns, street.interface)));
    const weir = await startWeir(owner, { env: { WEIR_STREAMS_MEMBERSHIP_REFRESH: String(every) } });
    const start = now();
    const viewers = await Promise.all(cases.map((one) => watch(owner, weir.url, pathOf(one, streets))));
    for (const viewer of viewers) await viewer.received(100);
    const unknown = await lookAgainAndAgain(streets, start, seconds, captures);
    await Promise.all(captures.map((capture) => capture.stop()));
    return judge({ captures, viewers, unknown, options: { seconds, every } });
  });
}

function pathOf({ group, street }: Case, streets: readonly [Street, Street]): string {
  const address = group.includes(':') ? `[${group}]` : group;
  return `/rtp/${address}:${port}?ifname=${streets[street].interface}`;
}

/** A street whose far end is a port of a bridge that snoops, asks nobody, and forgets who is silent for two and a half intervals. */
function snoopingStreet(owner: Owner, number: number, every: number): Street {
  const street = buildStreet(number);
  owner.after(street.close);
  const inside = (...args: string[]) =>
    execFileSync('ip', ['-n', street.netns, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const memory = String(Math.round(every * 250));
  const settings = ['mcast_snooping', '1', 'mcast_querier', '0', 'mcast_membership_interval', memory];
  inside('link', 'add', 'bridge', 'type', 'bridge', ...settings);
  inside('addr', 'flush', 'dev', street.interface);
  inside('link', 'set', street.interface, 'master', 'bridge');
  for (const host of street.hosts) inside('addr', 'add', `${host}/24`, 'dev', 'bridge');
  inside('addr', 'add', `fd77:${number}::2/64`, 'dev', 'bridge', 'nodad');
  inside('link', 'set', 'bridge', 'up');
  inside('route', 'add', '224.0.0.0/4', 'dev', 'bridge');
  return street;
}

async function startSending(owner: Owner, { netns, hosts: [host] }: Street, address: string): Promise<void> {
  const through = address.includes(':') ? { interface: '::%bridge' } : { from: host, interface: host };
  await startSource(owner, { address, port, netns, ...through });
}

/** Looks every second what the bridges know until the time is over, and returns how often each group was unknown. */
async function lookAgainAndAgain(
  streets: readonly [Street, Street],
  start: bigint,
  seconds: number,
  captures: readonly Capture[],
): Promise<number[]> {
  const unknown = cases.map(() => 0);
  for (let at = 2; at < seconds; at += 1) {
    await reach(start + milliseconds(at * 1000));
    const known = streets.map((street) => groupsOf(street));
    for (const [index, { group, street }] of cases.entries()) {
      if (known[street]?.has(group) !== true) unknown[index] = (unknown[index] ?? 0) + 1;
    }
    if (at % 60 === 0) say(`${at} s · ${captures.flatMap((capture) => capture.words()).length} messages on the wire`);
  }
  await reach(start + milliseconds(seconds * 1000));
  return unknown;
}

/** Groups that a bridge forwards to its port. */
function groupsOf({ netns, interface: name }: Street): Set<string> {
  const table = execFileSync('ip', ['netns', 'exec', netns, 'bridge', 'mdb', 'show', 'dev', 'bridge'], {
    encoding: 'utf8',
  });
  const own = table.split('\n').filter((line) => line.includes(` port ${name} `));
  return new Set(own.map((line) => / grp (\S+)/.exec(line)?.[1] ?? ''));
}

type Result = {
  readonly captures: readonly Capture[];
  readonly viewers: readonly Viewer[];
  readonly unknown: readonly number[];
  readonly options: RefreshOptions;
};

function judge({ captures, viewers, unknown, options }: Result): Outcome {
  const faults = cases.flatMap((one, index) => [
    ...faultsOnWire(one, captures[one.street]?.words() ?? [], options),
    ...((unknown[index] ?? 0) > 0 ? [`${one.group} was unknown to the bridge ${unknown[index]} times`] : []),
    ...faultsOfStream(one, viewers[index]),
  ]);
  for (const fault of faults) say(`  ${fault}`);
  return faults.length === 0 ? 'passed' : 'failed';
}

function faultsOnWire({ group, what }: Case, all: readonly Word[], { seconds, every }: RefreshOptions): string[] {
  const words = all.filter((word) => word.group === group);
  const times = words.filter((word) => word.what === what).map(({ at }) => at);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const leaves = words.filter((word) => word.what === 'leave');
  say(`${group}: ${times.length} ${what} reports, ${spread(gaps, 2)} s apart; ${leaves.length} leaves`);
  return [
    ...leaves.map(({ line }) => `left: ${line}`),
    ...(times.length < Math.floor(seconds / every) - 1 ? [`${group} was reported too seldom`] : []),
    ...(gaps.some((gap) => gap > every + tolerance) ? [`${group} was not reported for too long`] : []),
  ];
}

function faultsOfStream({ group }: Case, viewer: Viewer | undefined): string[] {
  if (viewer === undefined) return [`${group} was not watched`];
  const { packets, missing, damaged, discontinuities } = viewer.ts;
  say(`${group}: ${packets} packets, ${missing.length} missing, ${discontinuities} continuity errors`);
  const whole = viewer.ended === null && missing.length + damaged + discontinuities === 0;
  return whole ? [] : [`${group} was not whole`];
}
