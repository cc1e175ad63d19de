import { test } from 'node:test';
import { entryFor, optionsFor, playAndLeave } from '../../support/carrier/play.js';
import { type Quirk, quirks, waysOf } from '../../support/carrier/quirks.js';
import { startCarrier } from '../../support/carrier/server.js';
import { privateNetwork } from '../../support/private-network.js';
import { startRtspHousehold } from '../../support/rtsp-household.js';
import { until } from '../../support/until.js';

const skip = privateNetwork();

/** One carrier, at a port of its own in this private network. */
type Case = {
  readonly quirk: Quirk;
  readonly what: string;
  readonly way: 'tcp' | 'udp';
  readonly name: string;
  readonly port: number;
};

const cases: readonly Case[] = (Object.entries(quirks) as [Quirk, string][])
  .flatMap(([quirk, what]) => waysOf(quirk).map((way) => ({ quirk, what, way })))
  .map((one, index) => ({ ...one, name: `${one.quirk} ${one.way}`, port: 20_000 + index }));
const [withStun, withAgent] = [
  cases.filter(({ quirk }) => quirk === 'q36'),
  cases.filter(({ quirk }) => quirk === 'q04'),
];
const others = cases.filter((one) => !withStun.includes(one) && !withAgent.includes(one));

playAll('carriers of one quirk', others, {});
playAll('carriers that know one user agent', withAgent, { user_agent: 'CTC RTSP 1.0' });
playAll('carriers that speak STUN', withStun, { nat: `stun:127.0.0.1:${withStun[0]?.port}` });

/** One household plays them all, a few at a time. */
function playAll(title: string, some: readonly Case[], rtsp: object): void {
  test(title, { skip, timeout: 300_000, concurrency: 8 }, async (t) => {
    const entries = some.map(({ name, quirk, port }) => entryFor(name, [quirk], port));
    const household = await startRtspHousehold(t, entries, { config: { rtsp } });
    const played = some.map(async ({ quirk, what, way, name, port }) => {
      const is = `a carrier that ${what}, by ${way.toUpperCase()}, is played and told goodbye (${quirk})`;
      await t.test(is, { timeout: 60_000 }, async (t) => {
        const carrier = await startCarrier(t, optionsFor([quirk], way, port));
        await playAndLeave(t, { household, carrier, name, quirks: [quirk] });
        if (quirk !== 'q36') return;
        await until('a question of STUN', () => carrier.datagrams.some(({ socket }) => socket === 'stun'));
      });
    });
    await Promise.all(played);
  });
}
