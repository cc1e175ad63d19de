import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTransport, transports } from '../../../src/relay/rtsp/transport.js';

const tcp = 'MP2T/RTP/TCP;unicast;interleaved=0-1,MP2T/TCP;unicast;interleaved=0-1,RTP/AVP/TCP;unicast;interleaved=0-1';
const udp = (how: string) => `MP2T/RTP/UDP;unicast;${how},MP2T/UDP;unicast;${how},RTP/AVP;unicast;${how}`;
const pair = { rtp: 10_000, rtcp: 10_001, address: null };

test('both ways are offered in the order that carriers know, then UDP alone, then each in its plainest words', () => {
  const ports = 'client_port=10000-10001';
  const plain = [`RTP/AVP;unicast;${ports}`, 'RTP/AVP/TCP;unicast;interleaved=0-1'];
  assert.deepEqual(transports({ tcp: true, pair }), [`${tcp},${udp(ports)}`, udp(ports), ...plain]);
  assert.deepEqual(transports({ tcp: true, pair: null }), [tcp, plain[1]]);
  assert.deepEqual(transports({ tcp: false, pair }), [udp(ports), plain[0]]);
  const told = 'client_address=10.0.0.9;client_port=10000-10001;mode=PLAY';
  assert.deepEqual(transports({ tcp: false, pair: { ...pair, address: '10.0.0.9' } }), [udp(told), plain[0]]);
});

const all = transports({ tcp: true, pair })[0] ?? '';
const onlyTcp = 'RTP/AVP/TCP;unicast;interleaved=0-1';
const onlyUdp = 'RTP/AVP;unicast;client_port=10000-10001';

test('the way is told by the answer, whatever label it has', () => {
  for (const [answer, asked, expected] of [
    ['MP2T/TCP;unicast;interleaved=0-1', all, { way: 'tcp', media: 0, control: 1 }],
    ['RTP/AVP;unicast;Interleaved = 4-5;ssrc=1', all, { way: 'tcp', media: 4, control: 5 }],
    ['RTP/AVP/TCP;interleaved=2', all, { way: 'tcp', media: 2, control: 3 }],
    ['rtp/avp/tcp', all, { way: 'tcp', media: 0, control: 1 }],
    [null, onlyTcp, { way: 'tcp', media: 0, control: 1 }],
    [
      'RTP/AVP;unicast;client_port=10000-10001;server_port=6970-6971;source="10.0.0.1"',
      all,
      { way: 'udp', server: '10.0.0.1', rtp: 6970, rtcp: 6971 },
    ],
    ['MP2T/RTP/UDP;unicast;server_port=6970;source=', all, { way: 'udp', server: null, rtp: 6970, rtcp: 6971 }],
    ['RTP/AVP/UDP;unicast;server_port=99999-7', all, { way: 'udp', server: null, rtp: null, rtcp: null }],
    [null, onlyUdp, { way: 'udp', server: null, rtp: null, rtcp: null }],
  ] as const) {
    assert.deepEqual(readTransport(answer, asked, 'h'), expected, String(answer));
  }
});

test('an answer with what was not offered is refused', () => {
  for (const [answer, asked, reason] of [
    [null, all, /^RtspFault: h does not say by which transport it sends\.$/],
    ['RTP/AVP;unicast;server_port=1-2', onlyTcp, /^RtspFault: h wants to send by UDP, which was not asked for\.$/],
    [
      'RTP/AVP;multicast;destination=239.1.1.1',
      all,
      /^RtspFault: h wants to send by multicast, which was not asked for\.$/,
    ],
    ['RTP/AVP/TCP;interleaved=256-257', all, /^RtspFault: h names channels that there are not: "256-257"\.$/],
  ] as const) {
    assert.throws(() => readTransport(answer, asked, 'h'), reason);
  }
});
