import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextStep, type Stopped } from '../../../src/relay/rtsp/reopen.js';

const live: Stopped = {
  ...{ why: 'eof', hasMedia: true, viewers: 1, way: 'tcp', mayTryTcp: false, sinceReopened: null, archive: null },
};
const archive = { played: 1000, end: 5000 };

for (const { title, stopped, next } of [
  { title: 'live that is cut', stopped: {}, next: 'again' },
  { title: 'live that is silent', stopped: { why: 'silent' }, next: 'again' },
  { title: 'live that is cut 59 s after it was opened again', stopped: { sinceReopened: 59 }, next: 'give-up' },
  { title: 'live that is cut 60 s after it was opened again', stopped: { sinceReopened: 60 }, next: 'again' },
  { title: 'live that is silent twice in a minute', stopped: { why: 'silent', sinceReopened: 20 }, next: 'wait' },
  { title: 'live that nobody watches', stopped: { viewers: 0 }, next: 'give-up' },
  { title: 'nothing by UDP', stopped: { why: 'silent', hasMedia: false, way: 'udp', mayTryTcp: true }, next: 'by-tcp' },
  { title: 'nothing by TCP', stopped: { why: 'silent', hasMedia: false, mayTryTcp: true }, next: 'wait' },
  { title: 'an end before any media', stopped: { hasMedia: false }, next: 'refuse' },
  { title: 'an archive that is cut in the midst', stopped: { archive }, next: 'again' },
  { title: 'an archive that nobody watches', stopped: { archive, viewers: 0 }, next: 'rest' },
  { title: 'an archive that ends 5 s early', stopped: { archive: { played: 4995, end: 5000 } }, next: 'finish' },
  {
    title: 'an archive that is reset 5 s early',
    stopped: { why: 'reset', archive: { played: 4995, end: 5000 } },
    next: 'again',
  },
  { title: 'an archive whose end is announced', stopped: { why: 'end', archive }, next: 'finish' },
  {
    title: 'an open archive that says BYE',
    stopped: { why: 'bye', archive: { played: 1000, end: null } },
    next: 'finish',
  },
] as const satisfies readonly { title: string; stopped: Partial<Stopped>; next: string }[]) {
  test(`what comes after ${title}: ${next}`, () => {
    assert.equal(nextStep({ ...live, ...stopped }), next);
  });
}
