import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { entryFor, optionsFor, playAndLeave } from '../../support/carrier/play.js';
import { pairs, type Quirk } from '../../support/carrier/quirks.js';
import { startCarrier } from '../../support/carrier/server.js';
import { privateNetwork } from '../../support/private-network.js';
import { seeded } from '../../support/random.js';
import { type RtspHousehold, startRtspHousehold } from '../../support/rtsp-household.js';

const skip = privateNetwork();

/** One carrier that two quirks make, at a port of its own in this private network. */
type Case = {
  readonly quirks: readonly [Quirk, Quirk];
  readonly way: 'tcp' | 'udp';
  readonly name: string;
  readonly port: number;
};

/** How many pairs of each quirk are played at least; all there are when WEIR_TEST_PAIRS=all, which takes minutes. */
const { WEIR_TEST_PAIRS } = process.env;
const least = WEIR_TEST_PAIRS === 'all' ? Number.POSITIVE_INFINITY : 6;
const abreast = 16;

const all: readonly Case[] = pairs()
  .flatMap(({ pair, ways }) => ways.map((way) => ({ quirks: pair, way })))
  .map(({ quirks, way }, index) => ({ quirks, way, name: `${quirks.join('+')} ${way}`, port: 20_000 + index }));
const cases = sample();
const [withStun, others] = [cases.filter(hasStun), cases.filter((one) => !hasStun(one))];

/** The same ones each time: in an order of chance, those whose quirks were not seen often enough. */
function sample(): Case[] {
  const random = seeded(1);
  const seen = new Map<Quirk, number>();
  const inOrder = all.map((one) => ({ one, at: random() })).sort((one, other) => one.at - other.at);
  return inOrder.flatMap(({ one }) => {
    if (one.quirks.every((quirk) => (seen.get(quirk) ?? 0) >= least)) return [];
    for (const quirk of one.quirks) seen.set(quirk, (seen.get(quirk) ?? 0) + 1);
    return [one];
  });
}

function hasStun({ quirks }: Case): boolean {
  return quirks.includes('q36');
}

test(`each of ${others.length} pairs of quirks is played and told goodbye`, { skip, timeout: 1_800_000 }, async (t) => {
  await playAll(t, others, {});
});

test(`each of ${withStun.length} pairs with STUN is played and told goodbye`, { skip, timeout: 600_000 }, async (t) => {
  const stun = await startCarrier(t, { quirks: ['q36'] });
  await playAll(t, withStun, { nat: `stun:127.0.0.1:${stun.port}` });
  assert.ok(stun.datagrams.filter(({ socket }) => socket === 'stun').length >= withStun.length);
});

async function playAll(t: TestContext, some: readonly Case[], nat: object): Promise<void> {
  // Carriers that know one user agent alone are satisfied, and no other minds.
  const config = { rtsp: { user_agent: 'CTC RTSP 1.0', ...nat } };
  const entries = some.map(({ name, quirks, port }) => entryFor(name, quirks, port));
  const household = await startRtspHousehold(t, entries, { config });
  const failures: string[] = [];
  const left = [...some];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { name } = next;
      await playOne(household, next).catch((error) => failures.push(`${name}: ${String(error).split('\n')[0]}`));
    }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  assert.deepEqual(failures, []);
}

async function playOne(household: RtspHousehold, { quirks, way, name, port }: Case): Promise<void> {
  const undo: (() => void | Promise<void>)[] = [];
  const owner = { after: (step: () => void | Promise<void>) => undo.push(step) };
  try {
    const carrier = await startCarrier(owner, optionsFor(quirks, way, port));
    await playAndLeave(owner, { household, carrier, name, quirks });
  } finally {
    for (const step of undo.reverse()) await step();
  }
}
