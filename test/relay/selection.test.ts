import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watch } from '../support/http.js';
import { buildStreet } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { joins } from '../support/proc.js';
import { startSource } from '../support/rtp-source.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.4.1';
const port = 5000;

test('two sources of one group never mix: each viewer gets the one it named', { skip }, async (t) => {
  const street = buildStreet(1);
  t.after(() => street.close());
  const [left, right] = street.hosts;
  for (const [index, from] of street.hosts.entries()) {
    await startSource(t, { address: group, port, netns: street.netns, from, interface: from, tag: index + 1 });
  }
  const weir = await startWeir(t, { args: ['--interface', street.interface] });
  const viewers = await Promise.all([left, right].map((from) => watch(t, weir.url, `/rtp/${from}@${group}:${port}`)));
  for (const [index, viewer] of viewers.entries()) {
    await viewer.received(1000);
    assert.deepEqual([...viewer.ts.tags], [index + 1]);
    assert.deepEqual([viewer.ts.missing, viewer.ts.discontinuities], [[], 0]);
  }
  assert.equal((await weir.streams()).length, 2);
});

test('one group on two interfaces never mixes: each viewer gets the one it named', { skip }, async (t) => {
  const streets = [buildStreet(2), buildStreet(3)];
  for (const [index, { netns, hosts, close }] of streets.entries()) {
    t.after(close);
    await startSource(t, { address: group, port, netns, from: hosts[0], interface: hosts[0], tag: index + 1 });
  }
  const weir = await startWeir(t);
  const paths = streets.map((street) => `/rtp/${group}:${port}?ifname=${street.interface}`);
  const viewers = await Promise.all(paths.map((path) => watch(t, weir.url, path)));
  for (const [index, viewer] of viewers.entries()) {
    await viewer.received(1000);
    assert.deepEqual([...viewer.ts.tags], [index + 1]);
    assert.deepEqual([viewer.ts.missing, viewer.ts.discontinuities], [[], 0]);
  }
  assert.equal(joins(group), 2);
});

test('an IPv6 group is joined on the interface asked for and left after the linger', { skip }, async (t) => {
  const street = buildStreet(4);
  t.after(() => street.close());
  const address = 'ff15::1:2';
  const from = 'fd77:4::2';
  await startSource(t, { address, port, netns: street.netns, from, interface: `::%${street.interface}` });
  const weir = await startWeir(t, { args: ['--interface', street.interface] });
  const any = await (await watch(t, weir.url, `/rtp/[${address}]:${port}`)).received(500);
  const escaped = await (await watch(t, weir.url, `/udp/%5B${address}%5D:${port}`)).received(500);
  const named = await (await watch(t, weir.url, `/rtp/[${from}]@[${address}]:${port}`)).received(500);
  for (const viewer of [any, escaped, named]) assert.deepEqual([viewer.ts.missing, viewer.ts.damaged], [[], 0]);
  assert.ok(joins(address) > 0);
});
