import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { watch } from '../support/http.js';
import { needs } from '../support/needs.js';
import { privateNetwork } from '../support/private-network.js';
import { startPump } from '../support/pump.js';
import { startSource } from '../support/rtp-source.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const skip = privateNetwork() || needs('compiler');
const native = fileURLToPath(new URL('../../../native', import.meta.url));

test('a pump of another protocol drains its viewers while a new pump takes new requests', {
  skip,
  timeout: 240_000,
}, async (t) => {
  const home = tempDir(t);
  const build = join(home, 'build');
  execFileSync('make', ['-s', '-j2', '-C', native, `BUILD=${build}`, 'PROTOCOL=99', 'pump'], { stdio: 'inherit' });
  const data = join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  for (const address of ['239.1.13.1', '239.1.13.2']) await startSource(t, { address, port: 5000 });
  const other = await startPump(t, { program: join(build, 'weir-pump'), version: 99, dir: data });
  const control = await other.control();
  await other.open(control, 'old', '239.1.13.1', 5000);
  const staying = await (await watch(t, other.url, '/old')).received(200);
  control.close();

  const weir = await startWeir(t, { data });
  assert.equal(weir.pumps().length, 2);
  const fresh = await (await watch(t, weir.url, '/rtp/239.1.13.2:5000')).received(200);
  await staying.received(200);
  assert.deepEqual([staying.ended, staying.ts.missing, fresh.ts.missing], [null, [], []]);
  assert.equal((await weir.viewers()).length, 2);

  staying.close();
  await until('the other pump to end', () => other.exitCode !== null);
  assert.equal(other.exitCode, 0);
  await fresh.received(200);
  assert.deepEqual([fresh.ended, fresh.ts.missing], [null, []]);
});
