import { type GuideReceiver, guideKey } from './guide.js';
import { clean } from './list-text.js';

export type GuideIdentity = Pick<GuideReceiver, 'channel' | 'key' | 'tvgId' | 'guideShift'>;

/**
 * The id of each channel in lists and in the guide: its own (`guideId`), as long as it means one guide. Where channels have ids
 * that differ in case alone, as players compare them, it is that of the oldest one that shows something, as it writes it; those
 * that show the same share it, and the others have their keys. `shows` is asked once, for channels that share an id: it
 * gives the same text to those that show the same but for the shift of each, and none to those that show nothing. Channels
 * are all that are published, in any order.
 */
export function guideIds(
  channels: Iterable<GuideIdentity>,
  shows: (channels: readonly number[]) => ReadonlyMap<number, string>,
): Map<number, string> {
  const ids = new Map<number, string>();
  const first = new Map<string, GuideIdentity>();
  const shared = new Map<string, GuideIdentity[]>();
  for (const channel of channels) {
    const id = guideId(channel);
    ids.set(channel.channel, id);
    const key = guideKey(id) ?? id;
    const known = first.get(key);
    if (known === undefined) first.set(key, channel);
    else if (shared.get(key)?.push(channel) === undefined) shared.set(key, [known, channel]);
  }
  if (shared.size > 0) settle(ids, [...shared.values()], shows);
  return ids;
}

/** What it is called by, or its key where that means none. Never empty: Kodi takes the duration in front of it for the id then. */
export function guideId({ tvgId, key }: Pick<GuideIdentity, 'tvgId' | 'key'>): string {
  const id = tvgId === null ? '' : clean(tvgId);
  return guideKey(id) === null ? key : id;
}

function settle(
  ids: Map<number, string>,
  shared: readonly GuideIdentity[][],
  shows: (channels: readonly number[]) => ReadonlyMap<number, string>,
): void {
  const shown = shows(shared.flat().map(({ channel }) => channel));
  const shownOf = ({ channel, guideShift }: GuideIdentity) => {
    const text = shown.get(channel) ?? '';
    return text === '' ? '' : `${guideShift ?? 0} ${text}`;
  };
  for (const channels of shared) {
    const guided = channels.filter((one) => shownOf(one) !== '');
    const [owner] = guided.sort((one, other) => one.channel - other.channel);
    if (owner === undefined) continue;
    const [id, wanted] = [guideId(owner), shownOf(owner)];
    for (const one of channels) ids.set(one.channel, shownOf(one) === wanted ? id : one.key);
  }
}
