import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Fault } from '../../support/carrier/faults.js';
import { type Carrier, startCarrier } from '../../support/carrier/server.js';
import { Viewer } from '../../support/http.js';
import { processes } from '../../support/proc.js';
import { makeTempDir } from '../../support/temp.js';
import { until } from '../../support/until.js';
import { type Front, pathOf, startFront } from './front.js';

/** How often each fault is met; WEIR_TEST_FAULTS says another number. */
const { WEIR_TEST_FAULTS: asked = '40' } = process.env;
const times = Number(asked);
const atOnce = 20;
/** Bytes that heaps may differ by, for whatever reason. */
const slack = 4 * 2 ** 20;
/** Milliseconds in which whoever asked has an answer. */
const patience = 9000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

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
    const rest = () => atRest(front, carriers, home.path);
    await met(urls, front.url, atOnce, { status, says });
    const before = await rest();
    await met(urls, front.url, times, { status, says });
    const after = await rest();
    assert.deepEqual(after.open, before.open);
    const grown = { heap: after.heap - before.heap, pump: after.pump - before.pump };
    assert.ok(grown.heap < slack + times * 512 && grown.pump < slack, JSON.stringify(grown));
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

/** What is there once all is over: descriptors here and of the pump, sessions of the servers, and memory. */
async function atRest({ relay, log }: Front, carriers: readonly Carrier[], dir: string) {
  const isOver = async () =>
    (await relay.streams()).length === 0 && carriers.every(({ connections }) => connections === 0);
  await until('all to be over', isOver, { within: 20_000 });
  const [pump = 0] = processes('weir-pump', dir);
  const descriptors = (pid: number | 'self') => readdirSync(`/proc/${pid}/fd`).length;
  const sessions = carriers.flatMap((carrier) => carrier.sessions).filter(({ end }) => end === null).length;
  const open = await until('descriptors to be closed', () => {
    const now = { own: descriptors('self'), pump: descriptors(pump), sessions };
    return now.own < 90 && now.pump < 30 ? now : undefined;
  });
  // What the test itself keeps of them is no leak.
  log.length = 0;
  for (const { requests } of carriers) (requests as unknown[]).length = 0;
  collect();
  const [, resident = ''] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pump}/status`, 'utf8')) ?? [];
  return { open, heap: process.memoryUsage().heapUsed, pump: Number(resident) * 1024 };
}
