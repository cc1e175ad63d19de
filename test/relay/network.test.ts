import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { watch } from '../support/http.js';
import { needs } from '../support/needs.js';
import { buildStreet, type Street } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.11.1';
const port = 5000;
const path = `/rtp/${group}:${port}`;

const through = ({ netns, hosts: [from] }: Street) => ({ address: group, port, netns, from, interface: from });

test('an interface that is made anew under a running stream: media flows on within 1 s, without a new request', {
  skip,
}, async (t) => {
  const street = buildStreet(1);
  t.after(street.close);
  const source = await startSource(t, through(street));
  const weir = await startWeir(t, { args: ['--interface', street.interface] });
  const viewer = await (await watch(t, weir.url, path)).received(300);
  await source.finish();
  street.cut();
  street.mend();
  const again = startSource(t, through(street));
  await again;
  const since = performance.now();
  await viewer.received(300);
  assert.ok(performance.now() - since < 1500, `${performance.now() - since} ms`);
  assert.equal(viewer.ended, null);
  assert.equal((await weir.streams()).length, 1);
});

test('of two interfaces the one that brings the group is found', { skip }, async (t) => {
  const streets = [buildStreet(2), buildStreet(3)] as const;
  for (const street of streets) t.after(street.close);
  await startSource(t, through(streets[1]));
  const names = streets.map((street) => street.interface).join(',');
  const weir = await startWeir(t, { args: ['--interface', names], env: { WEIR_STREAMS_REJOIN: '0.5' } });
  const viewer = await (await watch(t, weir.url, path)).received(100);
  assert.deepEqual([viewer.status, viewer.ts.missing], [200, []]);
});

test('membership is reported unasked, and the group is never left while it is watched', {
  skip: skip || needs('tcpdump'),
}, async (t) => {
  const street = buildStreet(4);
  t.after(street.close);
  await startSource(t, through(street));
  const capture = ['netns', 'exec', street.netns, 'tcpdump', '-l', '-n', '-v', '-i', street.interface, 'igmp'];
  const tcpdump = spawn('ip', capture, { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => tcpdump.kill());
  let seen = '';
  tcpdump.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  const weir = await startWeir(t, {
    args: ['--interface', street.interface],
    env: { WEIR_STREAMS_MEMBERSHIP_REFRESH: '0.2' },
  });
  const viewer = await (await watch(t, weir.url, path)).received(100);
  const reports = () => [...seen.matchAll(new RegExp(`igmp v2 report ${group}`, 'g'))].length;
  await until('five reports', () => reports() >= 5);
  assert.match(seen, new RegExp(`igmp v3 report.*gaddr ${group} is_ex`));
  assert.doesNotMatch(seen, /igmp leave|to_in/);
  assert.deepEqual([viewer.ended, viewer.ts.missing, viewer.ts.discontinuities], [null, [], 0]);
});
