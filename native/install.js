// Runs when npm installs the package: builds the pump and the hand-over addon. Plain JavaScript: nothing is built yet.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const native = fileURLToPath(new URL('.', import.meta.url));

const missing = ['make', 'g++'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) {
  fail(`${missing.join(' and ')} missing: install a C++ compiler and make (Debian: apt-get install make g++ python3).`);
}
const build = spawnSync('make', ['-s', '-j2', '-C', native], { stdio: 'inherit' });
if (build.status !== 0) fail('the native part could not be built; the lines above say why.');

function fail(reason) {
  console.error(`weir: ${reason}`);
  process.exit(1);
}
