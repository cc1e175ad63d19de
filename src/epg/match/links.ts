import type { GuideLink } from '../../model/guide.js';
import type { GuideHouse } from '../../store/guide-house.js';

export type KeyedLink = GuideLink & { readonly guideKey: string };

/** What stands between channels and guides before a run. */
export type Standing = {
  /** By channel and guide source. */
  link(channel: number, guideSource: number): KeyedLink | null;
  /** Keys of guide channels that a user said no to. */
  rejected(channel: number, guideSource: number): ReadonlySet<string>;
  /** By guide source. */
  readonly links: ReadonlyMap<number, readonly KeyedLink[]>;
};

const none: ReadonlySet<string> = new Set();

export function readStanding(house: GuideHouse): Standing {
  const byPlace = new Map<string, KeyedLink>();
  const bySource = new Map<number, KeyedLink[]>();
  for (const link of house.links()) {
    byPlace.set(place(link.channel, link.guideSource), link);
    const known = bySource.get(link.guideSource);
    if (known === undefined) bySource.set(link.guideSource, [link]);
    else known.push(link);
  }
  const rejected = new Map<string, Set<string>>();
  for (const { channel, guideSource, guideKey } of house.rejections()) {
    const keys = rejected.get(place(channel, guideSource)) ?? new Set();
    rejected.set(place(channel, guideSource), keys.add(guideKey));
  }
  return {
    link: (channel, guideSource) => byPlace.get(place(channel, guideSource)) ?? null,
    rejected: (channel, guideSource) => rejected.get(place(channel, guideSource)) ?? none,
    links: bySource,
  };
}

function place(channel: number, guideSource: number): string {
  return `${channel} ${guideSource}`;
}
