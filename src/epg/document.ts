import type { ProfileId } from '../model/channel.js';
import { clean, withoutCommas } from '../model/list-text.js';
import type { GuideReading } from '../store/guide/contract.js';
import type { GuidedChannel, GuidedChannels } from '../store/guide-out.js';
import { timelineReader } from './timeline/read.js';
import { titleLimit } from './write/profiles.js';
import type { GuideDocument, WrittenChannel } from './write/write.js';

/** What is to be in a guide. */
export type DocumentRequest = {
  /** Days behind today; null is all that is known. */
  readonly days: number | null;
  /** Days before today; null is of each channel the days of its archive. */
  readonly past: number | null;
  readonly profile: ProfileId;
  /** Midnight, UTC, in epoch seconds. */
  readonly today: number;
  /** What stands in front of `/logos/{key}`; without it no pictures are named, as the same file goes to all. */
  readonly publicUrl: string | null;
};

const day = 24 * 3600;
/** Days behind today beyond which no guide speaks, and to which placeholders reach where no days are asked for. */
const [mostDays, fillerDays] = [400, 7];
/** Pictures that Weir serves: those of the web, and those that stand in the list. */
const served = /^(?:https?:\/\/|data:image\/)/i;

/** A guide of these channels, to be written within `read` of the guide's database. Channels that share an id are one in it. */
export function guideDocument(
  guide: Pick<GuideReading, 'airings' | 'channels'>,
  { channels, shifts }: GuidedChannels,
  request: DocumentRequest,
): GuideDocument {
  const timelineOf = timelineReader({ guide, shifts }, channels);
  const written = byId(channels).map(([first, ...others]): WrittenChannel => {
    const all: Shared = [first, ...others];
    return {
      id: first.id,
      names: [...all.flatMap(namesOf), ...all.flatMap(({ number }) => number ?? [])],
      icon: request.publicUrl === null ? null : iconOf(all, request.publicUrl),
      items: () => timelineOf(first, windowOf(Math.max(...all.map(({ days }) => days)), request)),
    };
  });
  return { channels: written, titleLimit: titleLimit(request.profile) };
}

type Shared = [GuidedChannel, ...GuidedChannel[]];

/** In the order of the first of each. */
function byId(channels: readonly GuidedChannel[]): Shared[] {
  const groups = new Map<string, Shared>();
  for (const channel of channels) {
    const group = groups.get(channel.id);
    if (group === undefined) groups.set(channel.id, [channel]);
    else group.push(channel);
  }
  return [...groups.values()];
}

/** As lists write it: some players look for the channel by its name, and some lists have no commas in it. */
function namesOf({ name, key }: GuidedChannel): string[] {
  const shown = clean(name) || key;
  return [shown, withoutCommas(shown)];
}

function iconOf(channels: Shared, publicUrl: string): string | null {
  const pictured = channels.find(({ logo }) => logo !== null && served.test(logo));
  return pictured === undefined ? null : `${publicUrl}/logos/${pictured.key}`;
}

function windowOf(archive: number, { days, past, today }: DocumentRequest) {
  const until = (count: number) => today + (count + 1) * day;
  return {
    from: today - (past ?? archive) * day,
    to: until(days ?? mostDays),
    placeholdersTo: until(days ?? fillerDays),
  };
}
