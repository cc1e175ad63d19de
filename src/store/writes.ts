import type { ErrorCode } from '../lib/errors.js';
import { accessWrites } from './access-writes.js';
import { channelEditWrites } from './channel-edit-writes.js';
import type { Connection } from './connection.js';
import { guideLinkEdits } from './guide-link-edits.js';
import { guideLinkWrites } from './guide-link-writes.js';
import { guideReviewWrites } from './guide-review-writes.js';
import { guideSourceEdits } from './guide-source-edits.js';
import { guideSourceWrites } from './guide-source-writes.js';
import { jobWrites } from './job-writes.js';
import { lineupWrites } from './lineup-writes.js';
import { logoWrites } from './logo-writes.js';
import { mergeWrites } from './merge-writes.js';
import { numberWrites } from './number-writes.js';
import { ruleWrites } from './rule-writes.js';
import { snapshotWrites } from './snapshot-writes.js';
import { sourceEditWrites } from './source-edit-writes.js';
import { sourceWrites } from './source-writes.js';
import { suggestionFindWrites } from './suggestion-finds.js';
import { suggestionWrites } from './suggestion-writes.js';
import { undoWrites } from './undo-writes.js';

const editWrites = {
  ...channelEditWrites,
  ...mergeWrites,
  ...ruleWrites,
  ...lineupWrites,
  ...suggestionWrites,
  ...sourceEditWrites,
  ...undoWrites,
};

const guideWrites = {
  ...guideSourceWrites,
  ...guideSourceEdits,
  ...guideLinkWrites,
  ...guideLinkEdits,
  ...guideReviewWrites,
};

const importWrites = { ...snapshotWrites, ...numberWrites, ...suggestionFindWrites };

/** Everything that can be written. Runs in the writer thread only, one at a time. */
export const writes = {
  ...accessWrites,
  ...sourceWrites,
  ...importWrites,
  ...editWrites,
  ...guideWrites,
  ...jobWrites,
  ...logoWrites,
  flush,
};

/** Writes nothing: its answer says that everything asked before through the same port is written. */
function flush(_connection: Connection, _input: null): true {
  return true;
}

export type Method = keyof typeof writes;
type Inputs = { [M in Method]: Parameters<(typeof writes)[M]>[1] };
type Outputs = { [M in Method]: Awaited<ReturnType<(typeof writes)[M]>> };
export type Input<M extends Method> = Inputs[M];
export type Output<M extends Method> = Outputs[M];

/** An error as it crosses between threads. */
export type Failure = { readonly code: ErrorCode; readonly message: string };

/** Carries out a request of a `Writer`, which checked the types. */
export async function perform(
  connection: Connection,
  { method, input }: { readonly method: PropertyKey; readonly input: unknown },
): Promise<unknown> {
  const write = writes[method as Method] as (connection: Connection, input: unknown) => unknown;
  return await write(connection, input);
}
