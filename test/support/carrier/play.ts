import assert from 'node:assert/strict';
import type { Viewer } from '../http.js';
import type { RtspEntry, RtspHousehold } from '../rtsp-household.js';
import { until } from '../until.js';
import { proofs } from './proof.js';
import type { Quirk } from './quirks.js';
import type { Carrier, CarrierOptions } from './server.js';

type Owner = { after(undo: () => void | Promise<void>): void };

/** Packets of media that a viewer has to get. */
export const enough = 200;
/** What ends or stops the media of the first session. */
const endings: readonly Quirk[] = ['q37', 'q46', 'q48'];

/** Those that ask for an account. */
const asking: readonly Quirk[] = ['q22', 'q23', 'q24', 'q25'];

/** The path that a carrier of these quirks is asked for. */
export function pathFor(quirks: readonly Quirk[]): string {
  return `/PLTV/1.smil${quirks.includes('q09') ? '?AuthInfo=a%2Fb&zone=1' : ''}`;
}

/** How a carrier of these quirks is started. */
export function optionsFor(quirks: readonly Quirk[], way: 'tcp' | 'udp', port: number): CarrierOptions {
  // Those with quirks that refuse a way choose for themselves.
  const ways = quirks.includes('q13') || quirks.includes('q14') ? {} : { ways: [way] };
  return { quirks, port, ...ways, rate: 2000 };
}

/** The entry of a list for a carrier of these quirks at this port, as the carrier would name it once it is there. */
export function entryFor(name: string, quirks: readonly Quirk[], port: number): RtspEntry {
  const host = quirks.includes('q50') ? '[::1]' : '127.0.0.1';
  const account = quirks.some((quirk) => asking.includes(quirk)) ? 'viewer:s3cret@' : '';
  return { name, url: `rtsp://${account}${host}:${port}${pathFor(quirks)}` };
}

/** Plays a channel of a carrier through Weir, leaves, and looks at what the carrier saw. */
export async function playAndLeave(
  owner: Owner,
  {
    household,
    carrier,
    name,
    quirks,
  }: { household: RtspHousehold; carrier: Carrier; name: string; quirks: readonly Quirk[] },
): Promise<void> {
  const viewer = await household.watch(owner, name);
  assert.equal(viewer.status, 200, `${name}: ${viewer.body}`);
  await viewer.received(enough);
  assertWhole(viewer, name);
  if (quirks.some((quirk) => endings.includes(quirk))) {
    await until(`the second session of ${name}`, () => viewer.ts.tags.size > 1, { within: 12_000 });
  }
  for (const quirk of quirks) {
    const proof = proofs[quirk];
    if (proof !== undefined) await until(`${name}: proof of ${quirk}`, () => proof(carrier));
  }
  viewer.close();
  await carrier.seen(`${name}: TEARDOWN`, ({ sessions }) => {
    return sessions.length > 0 && sessions.every(({ end }) => end === 'teardown') ? true : undefined;
  });
}

function assertWhole({ ts, ended }: Viewer, name: string): void {
  const { damaged, missing, backwards, discontinuities } = ts;
  assert.deepEqual(
    { ended, damaged, missing, backwards, discontinuities },
    { ended: null, damaged: 0, missing: [], backwards: 0, discontinuities: 0 },
    name,
  );
}
