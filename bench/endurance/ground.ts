import { type ChildProcess, spawn } from 'node:child_process';
import { UndoStack } from '../../src/lib/undo.js';
import { privateNetwork } from '../../test/support/private-network.js';

/** What is started for a run and ends with it. */
export type Owner = { after(undo: () => void | Promise<void>): void };

/** `not judged`: the machine itself lost datagrams, so that errors at viewers say nothing of Weir. */
export type Outcome = 'passed' | 'failed' | 'not judged';

const exitCodes: Record<Outcome, number> = { passed: 0, failed: 1, 'not judged': 2 };
const children = new Set<ChildProcess>();

/**
 * Runs `work` in network, mount and process namespaces of its own, with temporary files in memory: nothing outlives it, after a
 * signal neither. The outcome becomes the exit code: 0 passed, 1 failed, 2 not judged.
 * @throws when the namespaces cannot be made, and what `work` throws.
 */
export async function onOwnGround(work: (owner: Owner) => Promise<Outcome>): Promise<void> {
  const missing = privateNetwork();
  if (missing !== false) throw new Error(`This command makes network namespaces: it ${missing}.`);
  Object.assign(process.env, { TMPDIR: '/run' });
  const undo = new UndoStack();
  try {
    const outcome = await work({ after: (step) => undo.push(step) });
    process.exitCode = exitCodes[outcome];
    process.stdout.write(`\nResult: ${outcome}\n`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await undo.run();
  }
}

/**
 * Starts a command that ends by itself, or with the run, and settles with what it printed.
 * @throws when it fails or complains, with what it wrote to standard error.
 */
export function output(command: readonly string[], input?: Buffer): Promise<string> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    children.add(child);
    const said: string[] = [];
    const errors: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
    // It may end without having read everything.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', reject);
    child.on('close', (code) => {
      children.delete(child);
      if (code === 0 && errors.length === 0) resolve(said.join(''));
      else reject(new Error(`${file} failed: ${errors.join('').trim() || `it ended with ${code}`}`));
    });
  });
}

/** Keeps a process that is asked to go on until the run ends. */
export function keep(child: ChildProcess): void {
  children.add(child);
  child.once('exit', () => children.delete(child));
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
