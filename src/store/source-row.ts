import type { Selectable } from 'kysely';
import type { SourceSettings, SourceStatus } from '../model/source.js';
import { storedSetting } from './listing-writes.js';
import type { Tables } from './tables.js';

/** The columns of settings; of those that are absent the defaults. */
export function settingsRow(settings: Partial<SourceSettings>) {
  const { schedule = null, headers = {}, userAgent = null, proxy = null, timeZone = null, encoding = null } = settings;
  const texts = {
    schedule,
    headers: JSON.stringify(headers),
    user_agent: userAgent,
    proxy,
    time_zone: timeZone,
    encoding,
  };
  return {
    ...texts,
    include_vod: Number(settings.includeVod ?? false),
    publish_direct: Number(settings.publishDirect ?? false),
    catchup: settings.catchup == null ? null : JSON.stringify(settings.catchup),
  };
}

export function settingsOf(row: Selectable<Tables['source']>): SourceSettings {
  return {
    schedule: row.schedule,
    headers: JSON.parse(row.headers) as Record<string, string>,
    userAgent: row.user_agent,
    proxy: row.proxy,
    timeZone: row.time_zone,
    encoding: row.encoding,
    includeVod: row.include_vod === 1,
    publishDirect: row.publish_direct === 1,
    catchup: storedSetting(row.catchup),
  };
}

type Counts = Pick<Selectable<Tables['snapshot']>, 'entries' | 'channels' | 'skipped' | 'kinds' | 'problems'>;

/** The location is the whole one: who shows it leaves out what is secret. */
export function statusOf(row: Selectable<Tables['source']> & { [K in keyof Counts]: Counts[K] | null }): SourceStatus {
  const counted = (text: string | null) => JSON.parse(text ?? '{}') as Record<string, number>;
  return {
    ...settingsOf(row),
    id: row.id,
    kind: row.kind,
    name: row.name,
    given: row.given === 1,
    enabled: row.enabled === 1,
    location: row.location,
    interface: row.interface,
    state: row.state,
    reason: row.reason,
    entries: row.entries ?? 0,
    channels: row.channels ?? 0,
    skipped: counted(row.skipped),
    kinds: counted(row.kinds),
    problems: counted(row.problems),
    failures: row.failures,
    nextRefreshAt: row.next_refresh_at,
    refreshedAt: row.refreshed_at,
    publishedAt: row.published_at,
    version: row.version,
  };
}
