import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { watch } from '../support/http.js';
import { privateNetwork } from '../support/private-network.js';
import { startSource } from '../support/rtp-source.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork();
// One of them waits for half a minute: the other is done meanwhile.
describe('slow viewers', { skip, concurrency: true }, () => {
  test('viewers that stall 0.5, 1.5, 3 and 7 s at 40 Mbit/s: nothing lost at 0.5 s, then whole-packet jumps forward, the neighbour untouched', async (t) => {
    await startSource(t, { address: '239.1.6.1', port: 5000, mbit: 40 });
    const weir = await startWeir(t);
    const neighbour = await (await watch(t, weir.url, '/rtp/239.1.6.1:5000')).received(1000);
    const stalls = [500, 1500, 3000, 7000];
    const viewers = await Promise.all(
      stalls.map(async (milliseconds) => {
        const viewer = await (await watch(t, weir.url, '/rtp/239.1.6.1:5000')).received(1000);
        await viewer.stall(milliseconds);
        await until('the live edge', () => viewer.ts.last > neighbour.ts.last - 2000, { within: 15_000 });
        return viewer;
      }),
    );
    await neighbour.received(1000);
    const [half, , , long] = viewers;
    assert.deepEqual([half?.ts.missing, half?.ts.discontinuities], [[], 0], 'lost at 0.5 s');
    for (const viewer of viewers)
      assert.deepEqual([viewer.ts.damaged, viewer.ts.backwards], [0, 0], 'not aligned, or back');
    assert.ok((long?.ts.missing.length ?? 0) > 0, 'a stall of 7 s, 35 MB, cannot fit');
    const { missing, damaged, backwards, discontinuities } = neighbour.ts;
    assert.deepEqual(
      { missing, damaged, backwards, discontinuities },
      { missing: [], damaged: 0, backwards: 0, discontinuities: 0 },
    );
    const jumped = (await weir.viewers()).filter((viewer) => viewer.jumps > 0);
    assert.ok(jumped.length > 0 && jumped.every((viewer) => viewer.lostBytes > 0), 'jumps and lost bytes are counted');
    assert.equal((await weir.stream()).kernelDrops, 0);
  });

  test('a viewer that accepts nothing for 30 s is closed and nobody else', { timeout: 60_000 }, async (t) => {
    await startSource(t, { address: '239.1.6.2', port: 5000, mbit: 20 });
    const weir = await startWeir(t);
    const neighbour = await (await watch(t, weir.url, '/rtp/239.1.6.2:5000')).received(500);
    const dead = await (await watch(t, weir.url, '/rtp/239.1.6.2:5000')).received(500);
    dead.pause();
    await until('the dead viewer to be closed', async () => (await weir.viewers()).length === 1, { within: 45_000 });
    await neighbour.received(500);
    assert.deepEqual([neighbour.ts.missing, neighbour.ended], [[], null]);
    await weir.logged(/stalled/);
  });
});
