import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { watch } from '../support/http.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork() || needs('ss');
const path = '/rtp/239.1.17.1:5000';

const controls = (which: string) =>
  readFileSync(`/proc/sys/net/ipv4/tcp_${which}congestion_control`, 'utf8').trim().split(' ');
/** One that nobody gets who does not ask for it. */
const unusual = () => controls('available_').find((name) => !controls('').includes(name)) ?? '';

/** What the kernel says of the connections that a server on this address has. */
function connectionsOf(url: string): string {
  const { port } = new URL(url);
  return execFileSync('ss', ['-Htin', 'state', 'established', `( sport = :${port} )`], { encoding: 'utf8' });
}

/** Bytes that the kernel has taken for the one viewer and not sent yet. */
const unsent = (url: string) => Number(/ notsent:(\d+)/.exec(connectionsOf(url))?.[1] ?? 0);

test('viewers get the congestion control that is configured, and what is unsent stays in Weir', {
  skip,
}, async (t) => {
  await startSource(t, { address: '239.1.17.1', port: 5000, mbit: 40 });
  const env = { WEIR_VIEWER_TCP_CONGESTION: unusual(), WEIR_VIEWER_TCP_UNSENT_KB: '16' };
  const asked = await startWeir(t, { env });
  const usual = await startWeir(t);
  const viewers = await Promise.all([asked, usual].map(({ url }) => watch(t, url, path)));
  for (const viewer of viewers) await viewer.received(500);
  assert.notEqual(unusual(), '');
  assert.match(connectionsOf(asked.url), new RegExp(`\\s${unusual()}\\s`));
  assert.doesNotMatch(connectionsOf(usual.url), new RegExp(`\\s${unusual()}\\s`));

  for (const viewer of viewers) viewer.pause();
  for (const weir of [asked, usual]) {
    await until('the viewer to fall behind', async () => ((await weir.viewers())[0]?.lag ?? 0) > 1_000_000);
  }
  const [few, many] = [unsent(asked.url), unsent(usual.url)];
  assert.ok(few < 128 * 1024 && many > 2 * few, `${few} bytes unsent, ${many} without the mark`);
  for (const viewer of viewers) {
    viewer.resume();
    await viewer.received(500);
    assert.deepEqual([viewer.ended, viewer.ts.damaged], [null, 0]);
  }
});
