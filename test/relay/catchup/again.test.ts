import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utc } from '../../../src/lib/zone-clock.js';
import type { ChannelCatchup } from '../../../src/model/archive.js';
import { createPlanAgain } from '../../../src/relay/catchup/again.js';

const held: ChannelCatchup = {
  ...{ channel: 1, mode: 'append', template: '?a={utc}&b={utcend}', days: 7, correction: 0, zone: null },
  ...{ formatted: 'utc', nearLive: 0, sessions: null, urls: ['rtsp://h/1'], headers: {}, interface: null },
  said: { mode: 'entry', days: 'entry', correction: 'default', zone: 'default' },
};
const archive = { channel: 1, start: 1_704_110_400, end: 1_704_114_000 };

function planner(of: ChannelCatchup | null) {
  return createPlanAgain({ catchups: { of: () => Promise.resolve(of) }, household: utc });
}

test('an archive of a process before goes on so many seconds behind its start, to the same end', async () => {
  const plan = await planner(held)(archive);
  assert.equal(plan?.from(0).url, 'rtsp://h/1?a=1704110400&b=1704114000');
  assert.deepEqual(plan?.from(90).url, 'rtsp://h/1?a=1704110490&b=1704114000');
});

test('one of a channel that has no archive any more, or cannot be asked for, and one of an address alone are not planned', async () => {
  assert.equal(await planner(null)(archive), null);
  assert.equal(await planner({ ...held, urls: [] })(archive), null);
  assert.equal(await planner(held)({ ...archive, channel: null }), null);
});
