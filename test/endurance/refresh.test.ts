import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runBench } from '../support/bench.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';

const skip = privateNetwork() || needs('root', 'ip', 'tcpdump');

test('IGMPv3, IGMPv2 and MLDv2 membership is reported at the interval and never left, and a bridge that snoops knows of it', {
  skip,
}, () => {
  const { code, out, err } = runBench('refresh', '--seconds', '12', '--every', '1.5');
  assert.equal(code, 0, out + err);
  const reports = [...out.matchAll(/^\S+: [1-9]\d* (igmp3|igmp2|mld2) reports, .*; 0 leaves$/gm)].map(
    ([, what]) => what,
  );
  assert.deepEqual(reports, ['igmp3', 'igmp2', 'mld2']);
});
