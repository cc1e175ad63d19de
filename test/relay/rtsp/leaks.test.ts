import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Fault } from '../../support/carrier/faults.js';
import { type Carrier, startCarrier } from '../../support/carrier/server.js';
import { Viewer } from '../../support/http.js';
import { processes } from '../../support/proc.js';
import { makeTempDir } from '../../support/temp.js';
import { until } from '../../support/until.js';
import { pathOf, startFront } from './front.js';

/** How often each fault is met; WEIR_TEST_FAULTS says another number. */
const times = Number(process.env['WEIR_TEST_FAULTS'] ?? 40);
const atOnce = 20;
/** Milliseconds in which whoever asked has an answer. */
const patience = 9000;

type Row = {
  readonly what: string;
  readonly fault?: Fault;
  readonly account?: 'wrong';
  readonly status: number;
  readonly says: RegExp;
};

const rows: readonly Row[] = [
  { what: 'a wrong password', account: 'wrong', status: 502, says: /refuses the user or password \(401\)/ },
  { what: 'a server that takes no transport', fault: 'no-transport', status: 502, says: /takes no transport/ },
  { what: 'a description that is garbage', fault: 'garbage-sdp', status: 502, says: /descri/ },
  { what: 'redirects without end', fault: 'redirects', status: 502, says: /redirects/ },
  { what: 'a header of 64 KB', fault: 'long-header', status: 502, says: /head of more than/ },
  { what: 'an address that is not known', fault: 'unknown', status: 502, says: /404/ },
  { what: 'a server without a session left', fault: 'busy', status: 503, says: /allows no more sessions/ },
  { what: 'a server that never answers', fault: 'mute', status: 504, says: /does not answer/ },
  { what: 'a channel that was never set up', fault: 'other-channel', status: 503, says: /sent no media/ },
  { what: 'a connection that is cut in mid-frame', fault: 'cut', status: 200, says: /^$/ },
];

for (const { what, fault, account, status, says } of rows) {
  test(`${what} is told in time, ${times} times, and leaves nothing behind`, { timeout: 600_000 }, async (t) => {
    const home = makeTempDir();
    t.after(home.remove);
    const front = await startFront(t, { dir: home.path });
    const secret = account === undefined ? {} : { account: { user: 'viewer', password: 'right' } };
    const options = { ...(fault === undefined ? {} : { fault }), ...secret };
    const carriers = await Promise.all(Array.from({ length: atOnce }, () => startCarrier(t, options)));
    const urls = carriers.map(({ url }) => url('/1').replace(':right@', ':wrong@'));
    const rest = () => atRest(front.relay, carriers, home.path);
    await met(urls, front.url, atOnce, { status, says });
    const before = await rest();
    await met(urls, front.url, times, { status, says });
    const after = await rest();
    assert.deepEqual(after.open, before.open);
    // What the allocator keeps grows with the first few, not with each: a kilobyte for each would be a leak.
    assert.ok(after.memory - before.memory < 24 * 2 ** 20 + times * 1024, `${before.memory} → ${after.memory} bytes`);
  });
}

test('a host that is not there is told at once', async (t) => {
  const front = await startFront(t);
  const carrier = await startCarrier(t);
  const url = carrier.url('/1');
  await carrier.close();
  await met([url], front.url, 1, { status: 502, says: /refuses the connection/ });
});

/** Asks so often, of each address once at one time, and sees what is answered. */
async function met(
  urls: readonly string[],
  base: string,
  count: number,
  wanted: { readonly status: number; readonly says: RegExp },
): Promise<void> {
  for (let done = 0; done < count; done += urls.length) {
    await Promise.all(
      urls.map(async (url) => {
        const viewer = new Viewer(base, pathOf(url));
        await viewer.answered(patience);
        await viewer.closed(20_000);
        const { status, body } = viewer;
        assert.ok(status === wanted.status && wanted.says.test(body), `${status} ${body}`);
      }),
    );
  }
}

type Streams = { streams(): Promise<readonly unknown[]> };

/** What is open once all is over: descriptors here and of the pump, and sessions and connections of the server. */
async function atRest(relay: Streams, carriers: readonly Carrier[], dir: string) {
  await until(
    'all to be over',
    async () => (await relay.streams()).length === 0 && carriers.every(({ connections }) => connections === 0),
    { within: 20_000 },
  );
  const [pump = 0] = processes('weir-pump', dir);
  const descriptors = (pid: number | 'self') => readdirSync(`/proc/${pid}/fd`).length;
  const sessions = carriers.flatMap((carrier) => carrier.sessions).filter(({ end }) => end === null).length;
  const open = await until('descriptors to be closed', () => {
    const now = { own: descriptors('self'), pump: descriptors(pump), sessions };
    return now.own < 90 && now.pump < 30 ? now : undefined;
  });
  return { open, memory: process.memoryUsage().rss };
}
