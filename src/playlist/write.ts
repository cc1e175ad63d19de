import type { Channel } from '../model/channel.js';
import { writePlaylist as write } from './write/write.js';

type Options = { readonly base: string; readonly guideUrl?: string };

/** The generic M3U list as one text (write/write.ts). */
export function writePlaylist(channels: readonly Channel[], { base, guideUrl }: Options): string {
  const options = { base, guideUrl: guideUrl ?? null, profile: 'generic', format: 'm3u' } as const;
  return Buffer.concat([...write(channels, options)]).toString();
}
