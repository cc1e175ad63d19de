import { resolve } from 'node:path';
import type { z } from 'zod';
import { WeirError } from '../lib/errors.js';
import { readEnvironment } from './environment.js';
import { readConfigFile } from './file.js';
import type { Layer } from './layer.js';
import { defaultDataDirectory } from './paths.js';
import { type Config, configSchema } from './schema.js';

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

function flagName([key]: readonly PropertyKey[]): string {
  return key === 'playlists' ? '--playlist' : `--${String(key)}`;
}

/** A layer's values with its relative paths made absolute. */
function absolute({ values, folder }: Layer): Record<string, unknown> {
  const full = (value: unknown): unknown =>
    typeof value === 'string' && value !== '' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(value)
      ? resolve(folder, value)
      : value;
  const result = { ...values };
  for (const key of ['data', 'admin_key_file']) if (key in result) result[key] = full(result[key]);
  const { playlists } = values;
  return Array.isArray(playlists) ? { ...result, playlists: playlists.map(full) } : result;
}

function merge(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const streams = [under, over].map(({ streams: inner }) => inner);
  const both = streams.every((value) => typeof value === 'object' && value !== null);
  return { ...under, ...over, ...(both ? { streams: Object.assign({}, ...streams) } : {}) };
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

function keysAt(path: readonly PropertyKey[]): string[] {
  const { shape } = configSchema;
  return Object.keys(path[0] === 'streams' ? shape.streams.unwrap().shape : shape);
}

function has(values: unknown, path: readonly PropertyKey[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return true;
  if (typeof values !== 'object' || values === null || !(key in values)) return false;
  return has(Reflect.get(values, key), rest);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
