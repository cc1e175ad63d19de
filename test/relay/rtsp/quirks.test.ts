import { test } from 'node:test';
import { optionsFor, pathFor, playAndLeave } from '../../support/carrier/play.js';
import { type Quirk, quirks, waysOf } from '../../support/carrier/quirks.js';
import { startCarrier } from '../../support/carrier/server.js';
import { privateNetwork } from '../../support/private-network.js';
import { startRtspHousehold } from '../../support/rtsp-household.js';
import { until } from '../../support/until.js';

const skip = privateNetwork();

for (const [quirk, what] of Object.entries(quirks) as [Quirk, string][]) {
  for (const way of waysOf(quirk)) {
    test(`a carrier that ${what}, by ${way.toUpperCase()}, is played and told goodbye (${quirk})`, {
      skip,
      timeout: 40_000,
    }, async (t) => {
      const carrier = await startCarrier(t, optionsFor([quirk], way, 0));
      const nat = quirk === 'q36' ? { nat: `stun:127.0.0.1:${carrier.port}` } : {};
      const config = { rtsp: { user_agent: quirk === 'q04' ? 'CTC RTSP 1.0' : null, ...nat } };
      const entry = { name: quirk, url: carrier.url(pathFor([quirk])) };
      const household = await startRtspHousehold(t, [entry], { config });
      await playAndLeave(t, { household, carrier, name: quirk, quirks: [quirk] });
      if (quirk !== 'q36') return;
      await until('a question of STUN', () => carrier.datagrams.some(({ socket }) => socket === 'stun'));
    });
  }
}

/** Of these the answer comes only after a while: how a session is kept up. */
const keepalives: readonly {
  quirks: readonly Quirk[];
  title: string;
  kept: (methods: readonly string[]) => boolean;
}[] = [
  { quirks: ['q02', 'q03'], title: 'GET_PARAMETER', kept: (methods) => methods.includes('GET_PARAMETER') },
  { quirks: ['q02', 'q03', 'q29'], title: 'OPTIONS where it lists no GET_PARAMETER', kept: isByOptions },
  { quirks: ['q02', 'q03', 'q30'], title: 'OPTIONS where it refuses GET_PARAMETER', kept: isByOptions },
  { quirks: ['q02', 'q03', 'q25'], title: 'another nonce where the one before is stale', kept: () => true },
  { quirks: ['q02', 'q03', 'q24'], title: 'Digest with a count that never comes twice', kept: () => true },
  { quirks: ['q02', 'q03', 'q43'], title: 'GET_PARAMETER where answers have no CSeq', kept: () => true },
];

for (const { quirks: some, title, kept } of keepalives) {
  for (const way of ['tcp', 'udp'] as const) {
    test(`a session of 6 s lasts 15 s by ${way.toUpperCase()}: it is kept up by ${title}`, {
      skip,
      timeout: 60_000,
    }, async (t) => {
      const carrier = await startCarrier(t, { ...optionsFor(some, way, 0), rate: 500 });
      const household = await startRtspHousehold(t, [{ name: 'kept', url: carrier.url('/live') }]);
      const viewer = await household.watch(t, 'kept');
      await viewer.received(7_500, 30_000);
      const [session, ...more] = carrier.sessions;
      const methods = carrier.requests.slice(4).map(({ method }) => method);
      const { missing, discontinuities } = viewer.ts;
      const seen = { end: session?.end, more: more.length, missing, discontinuities, kept: kept(methods) };
      const expected = { end: null, more: 0, missing: [], discontinuities: 0, kept: true };
      if (JSON.stringify(seen) !== JSON.stringify(expected)) throw new Error(`${JSON.stringify(seen)}: ${methods}`);
    });
  }
}

function isByOptions(methods: readonly string[]): boolean {
  return methods.filter((method) => method === 'OPTIONS').length >= 3;
}
