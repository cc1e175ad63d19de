import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryFor, optionsFor } from '../../support/carrier/play.js';
import type { Quirk } from '../../support/carrier/quirks.js';
import { startCarrier } from '../../support/carrier/server.js';
import { privateNetwork } from '../../support/private-network.js';
import { startRtspHousehold } from '../../support/rtsp-household.js';

const skip = privateNetwork();

type Case = {
  readonly quirk: Quirk | null;
  readonly title: string;
  /** Whether the methods that were asked for after PLAY are what the title says. */
  readonly isSo: (methods: readonly string[]) => boolean;
};

const cases: readonly Case[] = [
  { quirk: null, title: 'GET_PARAMETER', isSo: isByGetParameter },
  { quirk: 'q29', title: 'OPTIONS where it lists no GET_PARAMETER', isSo: isByOptions },
  { quirk: 'q30', title: 'OPTIONS where it refuses GET_PARAMETER', isSo: isByOptions },
  { quirk: 'q25', title: 'another nonce where the one before is stale', isSo: isByGetParameter },
  { quirk: 'q24', title: 'Digest with a count that never comes twice', isSo: isByGetParameter },
  { quirk: 'q43', title: 'GET_PARAMETER where answers have no CSeq', isSo: isByGetParameter },
];
const all = cases
  .flatMap((one) => (['tcp', 'udp'] as const).map((way) => ({ ...one, way })))
  .map((one, index) => {
    const quirks: Quirk[] = ['q02', 'q03', ...(one.quirk === null ? [] : [one.quirk])];
    return { ...one, quirks, name: `${quirks.join('+')} ${one.way}`, port: 20_000 + index };
  });

test('sessions of 6 s', { skip, timeout: 120_000, concurrency: all.length }, async (t) => {
  const entries = all.map(({ name, quirks, port }) => entryFor(name, quirks, port));
  const household = await startRtspHousehold(t, entries);
  const kept = all.map(async ({ quirks, title, isSo, way, name, port }) => {
    await t.test(
      `one lasts 15 s by ${way.toUpperCase()}: it is kept up by ${title}`,
      { timeout: 60_000 },
      async (t) => {
        const carrier = await startCarrier(t, { ...optionsFor(quirks, way, port), rate: 500 });
        const viewer = await household.watch(t, name);
        assert.equal(viewer.status, 200, viewer.body);
        await viewer.received(7_500, 30_000);
        const { missing, discontinuities } = viewer.ts;
        assert.deepEqual({ missing, discontinuities }, { missing: [], discontinuities: 0 });
        assert.deepEqual(
          carrier.sessions.map(({ end }) => end),
          [null],
        );
        const methods = carrier.requests.map(({ method }) => method);
        const afterPlay = methods.slice(methods.lastIndexOf('PLAY') + 1);
        assert.ok(isSo(afterPlay), afterPlay.join(' '));
      },
    );
  });
  await Promise.all(kept);
});

function isByGetParameter(methods: readonly string[]): boolean {
  return methods.filter((method) => method === 'GET_PARAMETER').length >= 3;
}

function isByOptions(methods: readonly string[]): boolean {
  return methods.filter((method) => method === 'OPTIONS').length >= 3;
}
