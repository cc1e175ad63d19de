import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsOfStayed, faultsOfVisits } from '../../bench/endurance/soak-faults.js';
import type { SoakRecord } from '../../bench/endurance/soak-record.js';
import type { Report, Visit } from '../../bench/endurance/visits.js';
import { stream } from '../api/stub-relay.js';

const start = 1_000_000_000n;
const second = 1_000_000_000n;
const good: Report = {
  status: 200,
  connected: 1,
  first: 2,
  picture: 3,
  bytes: 188_000,
  marked: 1000,
  continuityErrors: 0,
  syncErrors: 0,
  closed: false,
};
const visit = (report: Partial<Report> | null, at = 10n): Visit => ({
  group: 0,
  from: start + at * second,
  to: start + (at + 5n) * second,
  report: report === null ? null : { ...good, ...report },
  failure: report === null ? 'connect: Connection refused' : null,
});

/** Group 1 of 100 s; it lost something between the looks at 40 and 50 s. */
function recordOf(visits: readonly Visit[], stayed: readonly Visit[] = []): SoakRecord {
  const samples = Array.from({ length: 10 }, (_, index) => {
    const losses = { lost: index < 5 ? 0 : 3, kernelDrops: 0, jumps: 0 };
    return {
      at: index * 10,
      pump: null,
      waited: 0,
      node: null,
      streams: [{ ...stream, ...losses, upstream: { ...stream.upstream, address: '239.81.0.1' } }],
    };
  });
  const absences = [{ from: start + 30n * second, to: start + 31n * second, code: 0 }];
  const options = { seconds: 100, restartEvery: 30, groups: 1, mbps: 5, guests: 1, seed: 1 };
  const sent = { first: 0, datagrams: 0, marked: [1000], lateMs: 0 };
  return { start, visits, gone: [], absences, samples, pumps: new Set([1]), sent, stayed, options, backlogDrops: 0 };
}

const count = ({ own, machine, turnedAway }: ReturnType<typeof faultsOfVisits>) => [
  own.length,
  machine.length,
  turnedAway,
];

const visits: { title: string; visit: Visit; counts: [own: number, machine: number, turnedAway: number] }[] = [
  { title: 'a visit with nothing wrong', visit: visit({}), counts: [0, 0, 0] },
  { title: 'a continuity error while nothing was lost', visit: visit({ continuityErrors: 1 }), counts: [1, 0, 0] },
  {
    title: 'a continuity error when datagrams were lost',
    visit: visit({ continuityErrors: 1 }, 42n),
    counts: [0, 1, 0],
  },
  { title: 'a sync error when datagrams were lost', visit: visit({ syncErrors: 1 }, 42n), counts: [1, 0, 0] },
  { title: 'a connection that the server ended', visit: visit({ closed: true }), counts: [1, 0, 0] },
  { title: 'an answer without a byte', visit: visit({ first: 0 }), counts: [1, 0, 0] },
  { title: 'a refusal', visit: visit({ status: 503 }), counts: [1, 0, 0] },
  { title: 'no connection while Node was away', visit: visit(null, 30n), counts: [0, 0, 1] },
  { title: 'no connection at any other time', visit: visit(null), counts: [1, 0, 0] },
];

for (const { title, visit: one, counts } of visits) {
  test(`${title}: faults of Weir's own, of the machine and of restarts are told apart`, () => {
    assert.deepEqual(count(faultsOfVisits(recordOf([one]))), counts);
  });
}

test('a viewer that stayed and has not had every packet is a fault, of the machine where its stream lost some', () => {
  const fewer = visit({ marked: 999 });
  assert.deepEqual(count(faultsOfStayed(recordOf([], [visit({})]))), [0, 0, 0]);
  assert.deepEqual(count(faultsOfStayed(recordOf([], [fewer]))), [0, 1, 0]);
  const lossless = { ...recordOf([], [fewer]), samples: recordOf([]).samples.slice(0, 5) };
  assert.deepEqual(count(faultsOfStayed(lossless)), [1, 0, 0]);
});
