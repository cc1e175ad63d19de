import { InvalidArgumentError } from 'commander';
import { namedClock } from '../lib/zone-clock.js';
import type { ArchiveMode } from '../model/archive.js';
import { catchupModes } from '../model/entry.js';

/** What `weir check catchup` is asked. Instants are epoch seconds. */
export type CatchupAsked = {
  readonly template?: string;
  readonly start: number;
  readonly end?: number;
  readonly now?: number;
  readonly zone: string;
  readonly mode?: ArchiveMode;
  readonly url?: string;
  readonly correction: number;
  readonly formatted: 'utc' | 'zone';
  readonly nearLive: number;
  readonly json?: boolean;
};

/** Kodi's names; the address tells a playlist from TS first. */
const aliases: Readonly<Record<string, ArchiveMode>> = { fs: 'flussonic-ts', flussonic: 'flussonic-hls' };

export const modeNames: readonly string[] = [...catchupModes, 'playseek', ...Object.keys(aliases)];

export function parseMode(text: string): ArchiveMode {
  const name = text.toLowerCase();
  if (Object.hasOwn(aliases, name) && aliases[name] !== undefined) return aliases[name];
  const mode = ([...catchupModes, 'playseek'] as const).find((known) => known === name);
  if (mode === undefined) throw new InvalidArgumentError(`Write one of ${modeNames.join(', ')}`);
  return mode;
}

export function parseSeconds(text: string): number {
  if (!/^\d{1,11}$/.test(text)) throw new InvalidArgumentError('Write whole seconds');
  return Number(text);
}

export function parseNumber(text: string): number {
  if (!/^[-+]?(?:\d{1,4}(?:\.\d*)?|\.\d+)$/.test(text)) throw new InvalidArgumentError('Write hours as 1, -4 or 0.5');
  return Number(text);
}

export function parseFormatted(text: string): 'utc' | 'zone' {
  if (text !== 'utc' && text !== 'zone') throw new InvalidArgumentError('Write utc or zone');
  return text;
}

export function parseZone(text: string): string {
  try {
    namedClock(text);
    return text;
  } catch {
    throw new InvalidArgumentError('Write a zone as Europe/Vienna, UTC+8 or +05:45');
  }
}
