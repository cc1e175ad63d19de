import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWords } from '../../bench/endurance/membership.js';

const ip = 'IP (tos 0xc0, ttl 1, id 0, offset 0, flags [DF], proto IGMP (2), length 40, options (RA))\n    10.77.1.1 >';
const ip6 = 'IP6 (hlim 1, next-header Options (0) payload length: 36) fe80::1 > ff02::16: HBH (rtalert: 0x0000) (padn)';

const cases: { title: string; text: string; words: [string, string][] }[] = [
  { title: 'an IGMPv2 report', text: `${ip} 239.1.1.1: igmp v2 report 239.1.1.1`, words: [['igmp2', '239.1.1.1']] },
  { title: 'an IGMPv2 leave', text: `${ip} 224.0.0.2: igmp leave 239.1.1.1`, words: [['leave', '239.1.1.1']] },
  {
    title: 'an IGMPv3 report of two groups, one of them left',
    text: `${ip} 224.0.0.22: igmp v3 report, 2 group record(s) [gaddr 239.1.1.1 is_ex, 0 source(s)] [gaddr 239.1.1.2 to_in, 0 source(s)]`,
    words: [
      ['igmp3', '239.1.1.1'],
      ['leave', '239.1.1.2'],
    ],
  },
  {
    title: 'an IGMPv3 report of a source alone',
    text: `${ip} 224.0.0.22: igmp v3 report, 1 group record(s) [gaddr 239.1.1.1 is_in { 10.0.0.1 }]`,
    words: [['igmp3', '239.1.1.1']],
  },
  {
    title: 'an IGMPv3 report that a source is no longer wanted',
    text: `${ip} 224.0.0.22: igmp v3 report, 1 group record(s) [gaddr 239.1.1.1 block { 10.0.0.1 }]`,
    words: [['leave', '239.1.1.1']],
  },
  {
    title: 'an MLDv2 report',
    text: `${ip6} [icmp6 sum ok] ICMP6, multicast listener report v2, 1 group record(s) [gaddr ff15::1 is_ex, 0 source(s)]`,
    words: [['mld2', 'ff15::1']],
  },
  {
    title: 'an MLDv2 report of a group that is left',
    text: `${ip6} [icmp6 sum ok] ICMP6, multicast listener report v2, 1 group record(s) [gaddr ff15::1 to_in, 0 source(s)]`,
    words: [['leave', 'ff15::1']],
  },
];

for (const { title, text, words } of cases) {
  test(`${title} is read as what it is`, () => {
    const found = readWords(`1796046150.909911 ${text}\n1796046151.5 ARP, Request who-has 10.77.1.2\n`);
    assert.deepEqual(
      found.map(({ what, group, at }) => [what, group, at]),
      words.map((word) => [...word, 1796046150.909911]),
    );
  });
}
