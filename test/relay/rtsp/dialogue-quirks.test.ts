import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepare } from '../../../src/relay/rtsp/dialogue.js';
import { type Quirk, quirks, waysOf } from '../../support/carrier/quirks.js';
import { startCarrier } from '../../support/carrier/server.js';
import { options, pairOf } from './dialogues.js';

for (const [quirk, what] of Object.entries(quirks) as [Quirk, string][]) {
  for (const way of waysOf(quirk)) {
    test(`by ${way} a session is set up, and ended, at a server that ${what} (${quirk})`, async (t) => {
      const carrier = await startCarrier(t, { quirks: [quirk], ways: [way] });
      const pair = pairOf(t);
      const prepared = await prepare(
        carrier.url('/PLTV/1.smil?a=b'),
        { ...options, transport: 'auto', nat: 'auto' },
        pair,
      );
      assert.equal(prepared.agreed.way, way);
      assert.equal(prepared.session, carrier.sessions.at(-1)?.id);
      assert.equal(carrier.sessions.length, 1);
      await prepared.leave();
      assert.equal(carrier.sessions[0]?.end, 'teardown');
      assert.equal(carrier.requests.at(-1)?.url, carrier.sessions[0]?.url);
    });
  }
}
