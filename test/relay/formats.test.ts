import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { type SourceOptions, startSource } from '../support/rtp-source.js';
import { pids } from '../support/ts.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.3.1';
const source: SourceOptions = { address: group, port: 5000, mbit: 4 };

const wholeStreams: { title: string; options: Partial<SourceOptions>; format: string; strays?: boolean | null }[] = [
  { title: 'RTP with TS', options: {}, format: 'rtp-ts' },
  { title: 'bare TS', options: { framing: 'bare' }, format: 'ts' },
  // The end of a packet that began before the join is a stray.
  {
    title: 'TS broken anywhere by datagrams of 1,472 bytes',
    options: { framing: 'chopped' },
    format: 'ts',
    strays: null,
  },
  {
    title: 'bare TS with stray datagrams of 84 bytes in between (H05)',
    options: { framing: 'bare', impair: { stray: 0.1, strayBytes: 84 } },
    format: 'ts',
    strays: true,
  },
  {
    title: 'RTP with stray datagrams in between',
    options: { impair: { stray: 0.1, strayBytes: 84 } },
    format: 'rtp-ts',
    strays: true,
  },
  {
    title: 'RTP with CSRCs, extensions, padding and fewer packets',
    options: { impair: { csrc: 0.3, extension: 0.3, padding: 0.3, short: 0.3 } },
    format: 'rtp-ts',
  },
  {
    title: 'bare TS with fewer packets a datagram',
    options: { framing: 'bare', impair: { short: 0.5 } },
    format: 'ts',
  },
];

for (const { title, options, format, strays = false } of wholeStreams) {
  test(`${title} comes out whole and aligned`, { skip }, async (t) => {
    await startSource(t, { ...source, ...options });
    const weir = await startWeir(t);
    const viewer = await (await watch(t, weir.url, `/udp/${group}:5000`)).received(4000);
    const { missing, damaged, discontinuities, backwards, firstPids } = viewer.ts;
    assert.deepEqual(
      { missing, damaged, discontinuities, backwards },
      { missing: [], damaged: 0, discontinuities: 0, backwards: 0 },
    );
    assert.deepEqual(firstPids.slice(0, 2), [pids.pat, pids.pmt]);
    const status = await weir.stream();
    assert.equal(status.format, format);
    if (strays !== null) assert.equal(status.strays > 0, strays, `${status.strays} strays`);
    assert.equal(status.continuityErrors, 0);
  });
}

test('RTP whose payload is no TS is passed as it is, without its headers', { skip }, async (t) => {
  await startSource(t, { ...source, framing: 'rtp-other' });
  const weir = await startWeir(t);
  const viewer = await watch(t, weir.url, `/rtp/${group}:5000`);
  assert.equal(viewer.status, 200);
  assert.ok(viewer.firstBytes.length > 0);
  assert.ok(viewer.firstBytes.every((byte) => byte === 0x11));
  assert.equal((await weir.stream()).format, 'rtp');
});

test('unicast UDP is received on the address asked for', { skip }, async (t) => {
  await startSource(t, { ...source, address: '127.0.0.1' });
  const weir = await startWeir(t);
  const viewer = await (await watch(t, weir.url, '/udp/127.0.0.1:5000')).received(1000);
  assert.deepEqual([viewer.ts.missing, viewer.ts.damaged], [[], 0]);
});
