import { spawnSync } from 'node:child_process';
import { needs, userFlags } from './needs.js';

const mark = 'WEIR_TEST_PRIVATE';
/** A tmpfs on /run keeps the names of further namespaces ours; multicast without an interface goes over loopback. */
const prepare = [
  'mount -t tmpfs run /run',
  'mkdir /run/netns',
  // What /sys/class/net shows belongs to the network in which it was mounted.
  'mount -t sysfs sys /sys',
  'ip link set lo up multicast on',
  'ip route add 224.0.0.0/4 dev lo',
].join(' && ');

/**
 * Moves the whole test file into network, mount and process namespaces of its own, by starting it there again: its
 * loopback carries multicast, no other program is on its ports, and whatever it started ends with it, however it ends.
 * Call it first in the file. Returns the `skip` option for the file's tests.
 */
export function privateNetwork(): string | false {
  if (process.env[mark] !== undefined) return false;
  const skip = needs('namespaces', 'ip', 'setpriv');
  if (skip !== false) return skip;
  // A shell as the first process of the namespace collects orphans, as init does.
  const script = `${prepare} && "$@"; exit $?`;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const unshare = ['unshare', ...userFlags(), '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  const { status } = spawnSync('setpriv', ['--pdeathsig', 'KILL', ...unshare, 'sh', '-c', script, 'sh', ...command], {
    stdio: 'inherit',
    env: { ...process.env, [mark]: '1' },
  });
  return process.exit(status ?? 1);
}
