import type { Channel, ProfileId } from '../../model/channel.js';
import type { Profile } from './profile.js';

export const playlistFormats = ['m3u', 'txt'] as const;
export type PlaylistFormat = (typeof playlistFormats)[number];

export type WriteOptions = {
  /** Scheme, host, port and any path before `/stream/…` and `/logos/…`, without a slash at the end. */
  readonly base: string;
  /** Where the guide is, or null. */
  readonly guideUrl: string | null;
  readonly profile: ProfileId;
  readonly format: PlaylistFormat;
};

/** The address of the channel's stream here. */
export function streamUrl({ key }: Channel, base: string, { extension }: Profile): string {
  return `${base}/stream/${key}${extension}`;
}
