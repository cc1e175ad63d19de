import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ask, watch } from '../support/http.js';
import { buildStreet } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
const group = '239.1.8.1';

const refused: { title: string; path: string; status: number; says: RegExp }[] = [
  { title: 'an interface that is missing', path: `/rtp/${group}:5001?ifname=nope0`, status: 503, says: /nope0/ },
  { title: 'an address that is none', path: '/rtp/239.1.8.256:5000', status: 400, says: /239\.1\.8\.256/ },
  { title: 'a host name', path: '/udp/example.org:5000', status: 400, says: /example\.org/ },
  { title: 'a port out of range', path: `/rtp/${group}:65536`, status: 400, says: /65536/ },
  { title: 'port 0', path: `/rtp/${group}:0`, status: 400, says: /1 to 65535/ },
  { title: 'a source that is a group', path: `/rtp/239.2.2.2@${group}:5000`, status: 400, says: /239\.2\.2\.2/ },
  { title: 'an IPv6 group without brackets', path: '/rtp/ff15::1:5000', status: 400, says: /brackets/ },
  { title: 'a unicast address of another machine', path: '/udp/203.0.113.9:5000', status: 503, says: /203\.0\.113\.9/ },
];

test('what cannot be received is refused at once in one line, and the stream beside it goes on', {
  skip,
}, async (t) => {
  await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t);
  const neighbour = await (await watch(t, weir.url, `/rtp/${group}:5000`)).received(100);
  for (const { title, path, status, says } of refused) {
    await t.test(title, async () => {
      const began = performance.now();
      const answer = await ask(weir.url, path);
      assert.deepEqual({ status: answer.status, body: answer.body }, { status, body: answer.body });
      assert.match(answer.body, says);
      assert.match(answer.body, /^[^\n]+\n$/);
      assert.ok(performance.now() - began < 1000);
    });
  }
  await neighbour.received(500);
  assert.deepEqual([neighbour.ended, neighbour.ts.missing], [null, []]);
  assert.equal((await weir.streams()).length, 1);
});

test('a full house is answered 503 with Retry-After until somebody leaves', { skip }, async (t) => {
  await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t, { env: { WEIR_VIEWERS: '2' } });
  const [first] = await Promise.all([1, 2].map(() => watch(t, weir.url, `/rtp/${group}:5000`)));
  const refused = await ask(weir.url, `/rtp/${group}:5000`);
  assert.equal(refused.status, 503);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  first?.close();
  await until('a place', async () => (await weir.viewers()).length === 1);
  assert.equal((await watch(t, weir.url, `/rtp/${group}:5000`)).status, 200);
});

test('of many who ask at once no more are let in than there are places', { skip }, async (t) => {
  await startSource(t, { address: group, port: 5000 });
  const weir = await startWeir(t, { env: { WEIR_VIEWERS: '2' } });
  const asked = await Promise.all(Array.from({ length: 8 }, () => watch(t, weir.url, `/rtp/${group}:5000`)));
  const statuses = asked.map((viewer) => viewer.status).sort();
  assert.deepEqual(statuses, [200, 200, 503, 503, 503, 503, 503, 503]);
});

test('an interface that goes away in mid-stream ends its streams and no other', { skip }, async (t) => {
  const street = buildStreet(1);
  t.after(street.close);
  const through = { netns: street.netns, from: street.hosts[0], interface: street.hosts[0] };
  await startSource(t, { address: group, port: 5000 });
  await startSource(t, { address: '239.1.8.2', port: 5000, ...through });
  const weir = await startWeir(t, { env: { WEIR_STREAMS_NO_SIGNAL: '1.5', WEIR_STREAMS_REJOIN: '0.5' } });
  const neighbour = await (await watch(t, weir.url, `/rtp/${group}:5000`)).received(100);
  const path = `/rtp/239.1.8.2:5000?ifname=${street.interface}`;
  const viewer = await (await watch(t, weir.url, path)).received(100);
  street.close();
  await viewer.closed();
  const answer = await ask(weir.url, path);
  assert.equal(answer.status, 503);
  assert.match(answer.body, new RegExp(street.interface));
  await neighbour.received(100);
  assert.deepEqual([neighbour.ended, neighbour.ts.missing], [null, []]);
});

test('an interface that comes up after the start is received on from then on', { skip }, async (t) => {
  const weir = await startWeir(t, { args: ['--interface', 'lan2'] });
  const path = '/rtp/239.1.8.3:5000';
  assert.equal((await ask(weir.url, path)).status, 503);
  const street = buildStreet(2);
  t.after(street.close);
  const [from] = street.hosts;
  await startSource(t, { address: '239.1.8.3', port: 5000, netns: street.netns, from, interface: from });
  const viewer = await (await watch(t, weir.url, path)).received(100);
  assert.equal(viewer.status, 200);
});

for (const who of ['the pump', 'weir'] as const) {
  test(`${who} out of file descriptors: new viewers are refused and it is logged, those that watch go on`, {
    skip,
  }, async (t) => {
    await startSource(t, { address: group, port: 5000 });
    const weir = await startWeir(t);
    const first = await (await watch(t, weir.url, `/rtp/${group}:5000`)).received(100);
    const pid = who === 'weir' ? weir.pid : await weir.pump();
    limitDescriptors(pid, openDescriptors(pid) + 10);
    const attempts = await Promise.all(Array.from({ length: 50 }, () => watch(t, weir.url, `/rtp/${group}:5000`)));
    const welcome = attempts.filter(({ status }) => status === 200);
    // A weir without a descriptor for the connection cannot answer it: it is closed at once.
    const unanswered = who === 'weir' ? attempts.filter(({ status, ended }) => status === 0 && ended !== null) : [];
    const refused = [...attempts.filter(({ status }) => status === 503), ...unanswered];
    assert.ok(refused.length > 0, 'none was refused: the limit was not reached');
    assert.equal(welcome.length + refused.length, attempts.length);
    await weir.logged(/descriptors/);
    limitDescriptors(pid, 4096);
    for (const viewer of attempts) viewer.close();
    await (await watch(t, weir.url, `/rtp/${group}:5000`)).received(100);
    await first.received(500);
    assert.deepEqual([first.ended, first.ts.missing], [null, []]);
  });
}

function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function limitDescriptors(pid: number, limit: number): void {
  execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:4096`]);
}
