import assert from 'node:assert/strict';
import { test } from 'node:test';
import { punchesOf } from '../../../src/relay/rtsp/nat.js';

const known = {
  local: { address: '192.168.1.2', port: 40_000 },
  peer: { address: '10.0.0.1', port: 554 },
  client: { address: '192.168.1.2', port: 10_002 },
};

test("behind a NAT of IPv4 ZTE's 84 bytes go to the port of media, and an empty report to the one beside", () => {
  const [media, control] = punchesOf({ way: 'udp', server: '10.0.0.2', rtp: 6970, rtcp: 6971 }, known);
  assert.deepEqual([media?.socket, media?.to], ['rtp', { address: '10.0.0.2', port: 6970 }]);
  assert.equal(media?.data.toString('hex'), `5a585631305354427fffffffc0a8010227129c40${'00'.repeat(64)}`);
  assert.deepEqual([control?.socket, control?.to], ['rtcp', { address: '10.0.0.2', port: 6971 }]);
  assert.equal(control?.data.toString('hex'), '80c9000100000000');
});

test('by IPv6 a bare head of RTP is sent', () => {
  const sixth = {
    local: { address: 'fd00::2', port: 1 },
    peer: { address: 'fd00::1', port: 554 },
    client: { address: 'fd00::2', port: 2 },
  };
  const [media] = punchesOf({ way: 'udp', server: null, rtp: 6970, rtcp: null }, sixth);
  assert.deepEqual(media?.to, { address: 'fd00::1', port: 6970 });
  assert.equal(media?.data.toString('hex'), '80'.padEnd(24, '0'));
});

test('by TCP, or where the port of the server is not known, nothing is sent', () => {
  assert.deepEqual(punchesOf({ way: 'tcp', media: 0, control: 1 }, known), []);
  assert.deepEqual(punchesOf({ way: 'udp', server: null, rtp: null, rtcp: null }, known), []);
});
