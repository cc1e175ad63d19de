import { type Command, InvalidArgumentError } from 'commander';
import { loadConfig } from '../config/load.js';
import { type Config, parseListener } from '../config/schema.js';

/** The flags that every command with a data directory has. */
export type DataFlags = { readonly config?: string | undefined; readonly data?: string | undefined };

export function addDataOptions(command: Command): Command {
  return command
    .option('-c, --config <file>', 'configuration file, see config.example.yaml')
    .option('-d, --data <dir>', 'data directory');
}

/** The configuration with these flags on top. */
export function configOf({ config, ...flags }: DataFlags & Readonly<Record<string, unknown>>): Config {
  return loadConfig({ file: config, environment: process.env, flags });
}

/** Collects a flag that may be given several times. */
export function repeated(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

/** The same for `[ADDRESS:]PORT`. */
export function repeatedListener(value: string, before: readonly string[] | undefined): string[] {
  if (parseListener(value) === null)
    throw new InvalidArgumentError('Write [ADDRESS:]PORT, an IPv6 address in brackets');
  return repeated(value, before);
}
