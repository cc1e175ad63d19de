import type { WriterOf } from '../writer.js';
import type { GuideStage } from './contract.js';
import { airingParts, textParts } from './packed.js';
import { abandon, sweepTitles, tidyGuide, undo } from './tidy.js';
import type { GuideWrites } from './writes.js';

/** Rows of a transaction: few enough that it takes some milliseconds. */
const airingsAtOnce = 2000;
const textsAtOnce = 1000;
const channelsAtOnce = 500;

export function createStage(writer: WriterOf<GuideWrites>): GuideStage {
  return {
    async begin(input) {
      await tidyGuide(writer);
      return await writer.call('beginSnapshot', input);
    },
    async channelIds(source, channels) {
      const ids: number[] = [];
      for (const part of parts(channels, channelsAtOnce))
        for (const id of await writer.call('numberGuideChannels', { source, channels: part })) ids.push(id);
      return ids;
    },
    async listChannels(snapshot, rows) {
      for (const part of parts(rows, channelsAtOnce)) await writer.call('listGuideChannels', { snapshot, rows: part });
    },
    async texts(snapshot, texts) {
      for (const part of textParts(texts, textsAtOnce)) {
        const given = [part.ids.buffer, part.bodies.buffer, part.ends.buffer];
        const isMuch = await writer.call('stageTexts', { snapshot, texts: part }, given);
        if (isMuch) await indexTitles(writer, snapshot);
      }
    },
    async airings(snapshot, rows) {
      for (const part of airingParts(rows, airingsAtOnce)) await writer.call('stageAirings', { snapshot, rows: part });
    },
    async removals(snapshot, rows) {
      for (const part of airingParts(rows, airingsAtOnce)) await writer.call('stageRemovals', { snapshot, rows: part });
    },
    async dropTexts(snapshot, texts) {
      for (const part of parts(texts, textsAtOnce)) await writer.call('dropStagedTexts', { snapshot, texts: part });
    },
    async publish(input) {
      await indexTitles(writer, input.snapshot);
      await writer.call('publishGuide', input);
    },
    async quarantine(input) {
      await undo(writer, input.snapshot);
      await writer.call('quarantineGuide', input);
      await sweepTitles(writer);
    },
    abandon: (snapshot) => abandon(writer, snapshot),
  };
}

async function indexTitles(writer: WriterOf<GuideWrites>, snapshot: number): Promise<void> {
  while (await writer.call('indexTitles', snapshot));
}

function* parts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
