import type { ArchiveMode, ChannelCatchup } from '../../../src/model/archive.js';

/** A channel's archive of which only this is said. */
export function catchupOf(
  mode: ArchiveMode,
  template: string | null,
  more: Partial<ChannelCatchup> = {},
): ChannelCatchup {
  return {
    channel: 1,
    mode,
    template,
    days: 7,
    correction: 0,
    zone: null,
    formatted: 'utc',
    nearLive: 0,
    sessions: null,
    urls: [],
    headers: {},
    interface: null,
    said: { mode: 'entry', days: 'entry', correction: 'default', zone: 'default' },
    ...more,
  };
}
