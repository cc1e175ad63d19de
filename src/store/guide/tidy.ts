import type { WriterOf } from '../writer.js';
import { firstTitle, type Keeping, type TitlePlace } from './prune-writes.js';
import type { GuideWrites } from './writes.js';

type GuideWriter = WriterOf<GuideWrites>;

/** Guide channels of a request to prune. */
const channelsAtOnce = 1000;

/** Takes back all that a snapshot staged, in chunks. */
export async function undo(writer: GuideWriter, snapshot: number): Promise<void> {
  while (await writer.call('undoSnapshot', snapshot));
}

/** Undoes a pass whole. */
export async function abandon(writer: GuideWriter, snapshot: number): Promise<void> {
  await undo(writer, snapshot);
  await writer.call('dropStagedSnapshot', snapshot);
  await sweepTitles(writer);
}

/** Drops titles that no programme has; none while a pass is under way. */
export async function sweepTitles(writer: GuideWriter): Promise<void> {
  for (let last: TitlePlace | null = firstTitle; last !== null; ) last = await writer.call('dropUnusedTitles', last);
}

/** Takes back what is half done, and drops what left service: what a pass begins with. */
export async function tidyGuide(writer: GuideWriter): Promise<void> {
  for (const snapshot of await writer.call('stagedSnapshots', null)) await abandon(writer, snapshot);
  while (await writer.call('dropRemoved', null));
}

/** After a start: what was under way is not any more. */
export async function recoverGuide(writer: GuideWriter): Promise<void> {
  await tidyGuide(writer);
  while (await writer.call('dropForgotten', null));
  await sweepTitles(writer);
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
  await sweepTitles(writer);
  while (await writer.call('pruneSnapshots', null));
  while (await writer.call('shrinkGuide', null));
  await writer.call('restGuide', null);
}

/** What is shown of a source goes at once, then all that it had. */
export async function forgetFeed(writer: GuideWriter, source: number): Promise<void> {
  await writer.call('forgetFeed', source);
  for (const snapshot of await writer.call('stagedSnapshots', source)) await abandon(writer, snapshot);
  while (await writer.call('dropForgotten', null));
  await sweepTitles(writer);
  while (await writer.call('pruneSnapshots', null));
}
