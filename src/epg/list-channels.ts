import { inChunks } from '../lib/chunks.js';
import type { GuideChannelFacts } from '../model/guide.js';
import type { GuideStage } from '../store/guide/contract.js';
import type { ReadGuide } from './read-body.js';

/** Channels that are written at once. */
const atOnce = 500;

/** Lists every channel that a guide knows, by `<channel>` or by programmes alone. Resolves with how many there are. */
export async function listChannels(
  stage: GuideStage,
  { source, snapshot }: { readonly source: number; readonly snapshot: number },
  guide: ReadGuide,
): Promise<number> {
  let count = 0;
  for (const chunk of inChunks(allOf(guide), atOnce)) {
    const numbers = await stage.channelIds(
      source,
      chunk.map(({ key, guideId }) => ({ key, guideId })),
    );
    const rows = chunk.map(({ key: _, ...facts }, index) => ({ ...facts, channel: numbers[index] ?? 0 }));
    await stage.listChannels(snapshot, rows);
    count += chunk.length;
  }
  return count;
}

function* allOf({ channels, stats }: ReadGuide): Generator<GuideChannelFacts & { readonly key: string }> {
  const scanned = new Map(stats.channels.map((channel) => [channel.key, channel]));
  for (const [key, channel] of channels) {
    const { programmes = 0, first = null, last = null, near = 0 } = scanned.get(key) ?? {};
    yield { ...channel, key, programmes, first, last, near };
  }
  for (const { key, guideId, programmes, first, last, near } of stats.channels)
    if (!channels.has(key)) yield { key, guideId, names: [], icons: [], urls: [], programmes, first, last, near };
}
