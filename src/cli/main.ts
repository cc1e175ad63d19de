#!/usr/bin/env node
import { CommanderError } from 'commander';
import { messageOf } from '../lib/errors.js';
import { createProgram } from './program.js';

/** Exit codes of every command: 0 done · 1 bad input, or it cannot be done · 2 wrong usage. */
const failed = 1;
const misused = 2;

// Whoever reads the output may have seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? (process.exitCode ?? 0) : report(error));
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

/** One line on standard error, and the exit code. Commander has said its own line already. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
  process.stderr.write(`weir: ${messageOf(error).replaceAll(/\s*\n\s*/g, ' ')}\n`);
  return failed;
}
