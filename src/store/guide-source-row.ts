import type { Selectable } from 'kysely';
import type { GuideSource } from '../model/guide.js';
import type { GuideTables } from './tables-guide.js';

export type GuideSourceRow = Selectable<GuideTables['guide_source']>;

/** The location is the whole one: who shows it leaves out what is secret. */
export function guideSourceOf(row: GuideSourceRow, lists: readonly number[]): GuideSource {
  return {
    id: row.id,
    kind: row.kind,
    location: row.location,
    name: row.name,
    origin: row.origin,
    position: row.position,
    enabled: row.enabled === 1,
    schedule: row.schedule,
    headers: JSON.parse(row.headers) as Record<string, string>,
    userAgent: row.user_agent,
    proxy: row.proxy,
    timeZone: row.time_zone,
    encoding: row.encoding,
    shift: row.shift,
    missingSince: row.missing_since,
    lists,
    version: row.version,
  };
}

/** Columns by the fields that they hold. */
const columnOf = {
  location: 'location',
  name: 'name',
  position: 'position',
  enabled: 'enabled',
  schedule: 'schedule',
  headers: 'headers',
  userAgent: 'user_agent',
  proxy: 'proxy',
  timeZone: 'time_zone',
  encoding: 'encoding',
  shift: 'shift',
} as const;

/** What a guide source is when nothing is said of it. */
export const guideDefaults = {
  name: null,
  enabled: true,
  schedule: null,
  headers: {},
  userAgent: null,
  proxy: null,
  timeZone: null,
  encoding: null,
  shift: 0,
} as const;

export type Columns = Readonly<Record<string, string | number | null>>;

/** The columns of the fields that are said; other fields are left out. */
export function guideColumns(fields: object): Columns {
  const columns: Record<string, string | number | null> = {};
  for (const [field, column] of Object.entries(columnOf)) {
    const value: unknown = Reflect.get(fields, field);
    if (value === undefined) continue;
    if (typeof value === 'boolean') columns[column] = Number(value);
    else if (value === null || typeof value === 'string' || typeof value === 'number') columns[column] = value;
    else columns[column] = JSON.stringify(value);
  }
  return columns;
}
