import assert from 'node:assert/strict';
import { test } from 'node:test';
import { download } from '../../src/lib/download.js';
import { startNameServer } from '../support/dns-server.js';
import { startHttpProxy } from '../support/http-proxy.js';
import { addLoopbackAddress } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { serve } from '../support/server.js';
import { startSocksProxy } from '../support/socks-proxy.js';

const skip = privateNetwork();
/** A server of the household, and one of everybody's. */
const household = '10.9.0.1';
const world = '203.0.113.1';
const metadata = '169.254.169.254';
const port = 8080;
const refusal = {
  code: 'upstream-refused',
  message: 'It leads to an address of this machine or its links, which is refused.',
};
const textOf = (answer: Awaited<ReturnType<typeof download>>) => answer && Buffer.from(answer.body).toString();
if (skip === false)
  for (const address of [household, world, metadata, 'fe80::7', 'fd00:ec2::254']) addLoopbackAddress(address);

test('a strict address of this machine or its links is refused in every spelling, and never reached', {
  skip,
}, async (t) => {
  const reached: string[] = [];
  for (const address of ['127.0.0.1', '127.8.9.1', '::1', metadata, 'fd00:ec2::254'])
    await serve(t, ({ headers }, response) => reached.push(`${headers.host}`) && response.end(), { address, port });
  for (const host of [
    ...[
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '0x7f.1',
      '127.8.9.1',
      '0',
      '0.0.0.0',
    ],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
    ],
    ...[metadata, '2852039166', '[::ffff:a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[fd00:ec2::254]', '[fe80::7]'],
    ...['100.100.100.200', '168.63.129.16', '255.255.255.255', '１２７.0.0.1', 'localhost'],
  ]) {
    await assert.rejects(download(`http://${host}:${port}/`, { strict: true }), refusal, host);
  }
  assert.deepEqual(reached, []);
});

test('a strict address of the household, or of anybody else, is reached', { skip }, async (t) => {
  for (const address of [household, world]) {
    const url = await serve(t, (_, response) => response.end(address), { address });
    assert.equal(textOf(await download(url, { strict: true })), address);
  }
});

test('our own port is refused at each address of this machine, another port is not', { skip }, async (t) => {
  let reached = 0;
  const url = await serve(t, (_, response) => response.end(String(++reached)), { address: household });
  const own = Number(new URL(url).port);
  await assert.rejects(download(url, { strict: true, ownPorts: [1, own] }), refusal);
  const mapped = url.replace(household, `[::ffff:${household}]`);
  await assert.rejects(download(mapped, { strict: true, ownPorts: [1, own] }), refusal);
  assert.equal(reached, 0);
  assert.equal(textOf(await download(url, { strict: true, ownPorts: [own + 1] })), '1');
  // The owner may mean it; a redirect may not.
  assert.equal(textOf(await download(url, { ownPorts: [own] })), '2');
  const leading = await serve(t, (_, response) => response.writeHead(302, { location: url }).end(), {
    address: household,
  });
  await assert.rejects(download(leading, { ownPorts: [own] }), refusal);
});

test('a redirect to this machine or a metadata service is refused, also from the host itself when it is strict', {
  skip,
}, async (t) => {
  const reached: string[] = [];
  await serve(t, ({ headers }, response) => reached.push(`${headers.host}`) && response.end(), {
    address: metadata,
    port: 80,
  });
  await serve(t, ({ headers }, response) => reached.push(`${headers.host}`) && response.end(), { port });
  let location = '';
  const url = await serve(t, (_, response) => response.writeHead(307, { location }).end(), { address: world });
  for (location of [`http://${metadata}/latest/meta-data/`, `http://127.1:${port}/`, `//localhost:${port}/`]) {
    await assert.rejects(download(url), refusal);
    await assert.rejects(download(url, { strict: true }), refusal);
  }
  assert.deepEqual(reached, []);
});

test('a name is reached at the address that was checked, however it is looked up later', { skip }, async (t) => {
  const asked = await startNameServer(t, {
    'changes.test': [[world], ['127.0.0.1']],
    'inner.test': [['127.0.0.1']],
    'both.test': [['127.0.0.1', world, metadata]],
    'late.test': [[metadata], [world]],
  });
  const reached: string[] = [];
  const answer = (address: string) =>
    serve(t, ({ headers }, response) => reached.push(`${address} ${headers.host}`) && response.end(address), {
      address,
      port,
    });
  for (const address of ['127.0.0.1', metadata, world]) await answer(address);
  const get = async (name: string) => textOf(await download(`http://${name}:${port}/`, { strict: true }));

  assert.equal(await get('changes.test'), world);
  assert.equal(asked.get('changes.test'), 1);
  await assert.rejects(get('changes.test'), refusal);
  await assert.rejects(get('inner.test'), refusal);
  assert.equal(await get('both.test'), world);
  await assert.rejects(get('late.test'), refusal);
  await assert.rejects(get('nobody.test'), { message: /the name of the server cannot be looked up \(ENOTFOUND\)\.$/ });
  assert.deepEqual(reached, [`${world} changes.test:${port}`, `${world} both.test:${port}`]);

  const socks = await startSocksProxy(t, { names: { 'both.test': '127.0.0.1', 'inner.test': world } });
  const http = await startHttpProxy(t, { names: { 'both.test': '127.0.0.1', 'inner.test': world } });
  for (const proxy of [`socks5://${socks.host}`, `http://${http.host}`]) {
    reached.length = 0;
    const through = { proxy, strict: true };
    assert.equal(textOf(await download(`http://both.test:${port}/`, through)), world);
    await assert.rejects(download(`http://inner.test:${port}/`, through), refusal);
    await assert.rejects(download(`http://localhost:${port}/`, through), refusal);
    assert.deepEqual(reached, [`${world} both.test:${port}`]);
  }
  assert.deepEqual([...socks.asked, ...http.asked], [`${world}:${port}`, `CONNECT ${world}:${port}`]);
});
