import { type ChannelGuide, type GuideLink, type GuideReceiver, linkKey } from '../../model/guide.js';
import type { TimelineItem } from '../../model/programme.js';
import type { GuideReading } from '../../store/guide/contract.js';
import { marginOf, mergeTimeline, type TimelineSource } from './merge.js';
import type { Window } from './placeholder.js';

/** A channel whose timeline is wanted. */
export type TimelineChannel = Pick<GuideReceiver, 'channel' | 'name' | 'guideShift'> & {
  readonly guide: Pick<ChannelGuide, 'links' | 'placeholder'>;
};

export type TimelineStores = {
  readonly guide: Pick<GuideReading, 'airings' | 'channels'>;
  /** Seconds that are added to the times of each guide source. */
  readonly shifts: ReadonlyMap<number, number>;
};

/** What each channel shows in a window, by channel. Called within `read` of the guide: contents are read from it. */
export function readTimelines(
  stores: TimelineStores,
  channels: readonly TimelineChannel[],
  window: Window,
): Map<number, TimelineItem[]> {
  const timelineOf = timelineReader(stores, channels);
  return new Map(channels.map((channel) => [channel.channel, timelineOf(channel, window)]));
}

/** The same, one after another: what many channels show need not be in memory at once. */
export function timelineReader(
  { guide, shifts }: TimelineStores,
  channels: readonly TimelineChannel[],
): (channel: TimelineChannel, window: TimelineWindow) => TimelineItem[] {
  const numbers = numbersOf(guide, channels);
  return ({ name, guideShift, guide: { links, placeholder } }, { placeholdersTo, ...window }) => {
    const margin = marginOf(links.length, placeholder);
    const sourceOf = ({ guideSource, guideId, shift: own }: GuideLink): TimelineSource => {
      const shift = (shifts.get(guideSource) ?? 0) + own + (guideShift ?? 0);
      const number = numbers.get(guideSource)?.get(linkKey(guideId));
      const [from, to] = [window.from - shift - margin, window.to - shift + margin];
      const programmes = number === undefined ? [] : (guide.airings([number], from, to).get(number) ?? []);
      return { guideSource, guideId, shift, programmes };
    };
    const filled = { placeholder, placeholdersTo: placeholdersTo ?? window.to };
    return mergeTimeline(links.map(sourceOf), { ...window, ...filled, name });
  };
}

/** `placeholdersTo` ends them before the window does. */
export type TimelineWindow = Window & { readonly placeholdersTo?: number };

/** Numbers of guide channels by their keys by guide source, of all that is linked. */
function numbersOf(
  { channels: index }: TimelineStores['guide'],
  channels: readonly TimelineChannel[],
): Map<number, Map<string, number>> {
  const keys = new Map<number, Set<string>>();
  for (const { guideSource, guideId } of channels.flatMap(({ guide }) => guide.links)) {
    const known = keys.get(guideSource) ?? new Set<string>();
    keys.set(guideSource, known.add(linkKey(guideId)));
  }
  return new Map([...keys].map(([source, wanted]) => [source, index.ids(source, [...wanted])]));
}
