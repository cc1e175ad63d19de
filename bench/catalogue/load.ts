import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadReport } from './load-process.js';

export type Load = {
  /** Lets what was sent be answered, and ends it. @throws when the process has failed. */
  end(): Promise<LoadReport>;
  /** Ends the process at once, if it still runs. */
  kill(): void;
};

/** Begins to ask at a fixed rate, from a process of its own. */
export function startLoad(order: LoadOrder): Load {
  const child = fork(fileURLToPath(new URL('./load-process.js', import.meta.url)), [], { stdio: 'inherit' });
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`The process that asks ended with ${String(code)} before it was told to.`);
  });
  ended.catch(() => undefined);
  child.send(order);
  return {
    async end() {
      const reported = once(child, 'message');
      child.send('end');
      const [report] = (await Promise.race([reported, ended])) as [LoadReport];
      return report;
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
