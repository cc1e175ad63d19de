import { resolve } from 'node:path';
import type { z } from 'zod';
import { WeirError } from '../lib/errors.js';
import { readEnvironment } from './environment.js';
import { readConfigFile } from './file.js';
import type { Layer } from './layer.js';
import { defaultDataDirectory } from './paths.js';
import { catchupSchema } from './rtsp.js';
import { type Config, configSchema, guideSchema, playlistSchema } from './schema.js';

export type LoadOptions = {
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** By key of the schema; undefined where the flag was not given. */
  readonly flags: Readonly<Record<string, unknown>>;
};

/**
 * The configuration from file, environment and flags: the later wins, key by key.
 * @throws WeirError `invalid` with one line that names the place, the key and what to write.
 */
export function loadConfig({ file, environment, flags }: LoadOptions): Config {
  const { WEIR_CONFIG } = environment;
  const path = file ?? WEIR_CONFIG;
  const layers = [readEnvironment(environment), flagLayer(flags)];
  if (path !== undefined && path !== '') layers.unshift(readConfigFile(path));
  const values = layers.map((layer) => absolute(layer)).reduce(merge, { data: defaultDataDirectory(environment) });
  const result = configSchema.safeParse(values);
  if (result.success) return deepFreeze(result.data);
  const issue = result.error.issues[0];
  throw new WeirError('invalid', issue === undefined ? result.error.message : describe(issue, layers));
}

function flagLayer(flags: LoadOptions['flags']): Layer {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return { values: Object.fromEntries(given), folder: process.cwd(), where: flagName };
}

/** Flags that may be repeated are called as one of what they collect. */
const repeatable: Readonly<Record<string, string>> = { playlists: 'playlist', guides: 'guide' };

function flagName([key]: readonly PropertyKey[]): string {
  return `--${repeatable[String(key)] ?? String(key)}`;
}

/** Keys that have keys of their own. */
const groups = ['rtsp', 'viewer_tcp', 'streams'] as const;
/** Keys that hold locations, bare or with keys of their own. */
const located: Readonly<Record<string, { readonly shape: object }>> = {
  playlists: playlistSchema,
  guides: guideSchema,
};

/** A layer's values with its relative paths made absolute. */
function absolute({ values, folder }: Layer): Record<string, unknown> {
  const full = (value: unknown): unknown =>
    typeof value === 'string' && value !== '' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(value)
      ? resolve(folder, value)
      : value;
  const result = { ...values };
  for (const key of ['data', 'admin_key_file', 'list_folder']) if (key in result) result[key] = full(result[key]);
  const place = (item: unknown) =>
    isObject(item) && 'location' in item ? { ...item, location: full(item.location) } : full(item);
  for (const key of Object.keys(located)) {
    const items = values[key];
    if (Array.isArray(items)) result[key] = items.map(place);
  }
  return result;
}

function merge(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const result = { ...under, ...over };
  for (const key of groups) {
    const [one, other] = [under[key], over[key]];
    if (isObject(one) && isObject(other)) result[key] = { ...one, ...other };
  }
  return result;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function describe(issue: z.core.$ZodIssue, layers: readonly Layer[]): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = unknown === undefined ? issue.path : [...issue.path, unknown];
  const layer =
    layers.findLast(({ values }) => has(values, path)) ??
    layers.findLast(({ values }) => has(values, path.slice(0, -1)));
  const where = layer?.where(path) ?? path.join('.');
  if (unknown === undefined) return `${where}: ${issue.message}.`;
  return `${where}: there is no such key. The keys are ${keysAt(issue.path).join(', ')}.`;
}

function keysAt([key, , inner]: readonly PropertyKey[]): string[] {
  const { shape } = configSchema;
  const group = groups.find((name) => name === key);
  if (group !== undefined) return Object.keys(shape[group].unwrap().shape);
  if (key === 'playlists' && inner === 'catchup') return Object.keys(catchupSchema.shape);
  return Object.keys(located[String(key)]?.shape ?? shape);
}

function has(values: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (!isObject(values) || !(key in values)) return false;
  return has(Reflect.get(values, key), rest);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
