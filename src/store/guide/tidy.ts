import type { WriterOf } from '../writer.js';
import type { Keeping } from './prune-writes.js';
import type { GuideWrites } from './writes.js';

type GuideWriter = WriterOf<GuideWrites>;

/** Guide channels of a request to prune. */
const channelsAtOnce = 1000;

/** Takes back all that a snapshot staged, in chunks. */
export async function undo(writer: GuideWriter, snapshot: number): Promise<void> {
  while (await writer.call('undoSnapshot', snapshot));
}

/** Takes back what is half done, and drops what left service: what a pass begins with. */
export async function tidyGuide(writer: GuideWriter): Promise<void> {
  for (const snapshot of await writer.call('stagedSnapshots', null)) {
    await undo(writer, snapshot);
    await writer.call('dropStagedSnapshot', snapshot);
  }
  while (await writer.call('dropRemoved', null));
}

/** After a start: what was under way is not any more. */
export async function recoverGuide(writer: GuideWriter): Promise<void> {
  await tidyGuide(writer);
  while (await writer.call('dropForgotten', null));
  await writer.call('settleFeeds', null);
}

/** Removes what nobody asks for any more, in chunks; stops where a pass begins. */
export async function pruneGuide(writer: GuideWriter, keeping: readonly Keeping[]): Promise<void> {
  while (await writer.call('dropRemoved', null));
  for (let at = 0; at < keeping.length; ) {
    const done = await writer.call('pruneChannels', keeping.slice(at, at + channelsAtOnce));
    if (done === null) return;
    at += done;
  }
  while (await writer.call('pruneSnapshots', null));
  while (await writer.call('shrinkGuide', null));
  await writer.call('restGuide', null);
}

/** What is shown of a source goes at once, then all that it had. */
export async function forgetFeed(writer: GuideWriter, source: number): Promise<void> {
  await writer.call('forgetFeed', source);
  for (const snapshot of await writer.call('stagedSnapshots', source)) {
    await undo(writer, snapshot);
    await writer.call('dropStagedSnapshot', snapshot);
  }
  while (await writer.call('dropForgotten', null));
  while (await writer.call('pruneSnapshots', null));
}
