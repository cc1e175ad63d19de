import { readFileSync } from 'node:fs';
import { expandAsKodi } from './kodi.js';
import type { Device, Picked } from './player.js';

/** What Kodi's own routine made of a template, on a device of UTC and on one in Shanghai. */
export type Vector = {
  readonly template: string;
  readonly kodi_utc: string;
  readonly kodi_plus8?: string;
  /** Taken from the times of the programme. */
  readonly shift_seconds?: number;
};

const file = new URL('../../../../test/fixtures/catchup/kodi-vectors.json', import.meta.url);
type File = Picked & { readonly now: number; readonly vectors: readonly Vector[] };

/** Each template with what Kodi made of it and what our Kodi makes of it. */
export function kodiVectors(): {
  readonly template: string;
  readonly zone: number;
  readonly expected: string;
  readonly got: string;
}[] {
  const { start, end, now, vectors } = JSON.parse(readFileSync(file, 'utf8')) as File;
  return vectors.flatMap(({ template, kodi_utc, kodi_plus8, shift_seconds }) => {
    const made = (zone: number, expected: string | undefined) => {
      if (expected === undefined) return [];
      const device: Device = { now, zone };
      return [{ template, zone, expected, got: expandAsKodi(template, { start, end }, device, shift_seconds) }];
    };
    return [...made(0, kodi_utc), ...made(480, kodi_plus8)];
  });
}
