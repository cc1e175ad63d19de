import { type Attribute, type Catchup, type CatchupMode, catchupModes } from '../../model/entry.js';
import { attributeOf, attributeOfAny } from './attributes.js';

const secondsPerDay = 86_400;
const modeNames = ['catchup', 'catchup-type'];
const dayNames = ['timeshift', 'tvg-rec'];
const isOfCatchup = /^(?:catchup|timeshift$|tvg-rec$)/i;

function saysNothing(attributes: readonly Attribute[]): boolean {
  return !attributes.some(([name]) => isOfCatchup.test(name));
}

/**
 * How the archive of an entry is asked for: as it says itself, else as the first line of its list says for all. Days are
 * those of `catchup-days`, else of `timeshift` and `tvg-rec`, which alone mean mode `shift`. Null when neither says a mode,
 * when the mode is unknown, or when an entry has zero days of a mode that it was not given itself.
 */
export function readCatchup(own: readonly Attribute[], list: readonly Attribute[], url: string): Catchup | null {
  if (saysNothing(own) && saysNothing(list)) return null;
  const source = attributeOf(own, 'catchup-source') ?? attributeOf(list, 'catchup-source');
  const ownDays = daysOf(own);
  const said = attributeOfAny(own, modeNames);
  const mode = said ?? attributeOfAny(list, modeNames) ?? impliedMode(own, source, ownDays);
  const resolved = mode === null ? null : resolveMode(mode, url);
  if (resolved === null || (said === null && ownDays === 0)) return null;
  const correction = numberOf(attributeOf(own, 'catchup-correction') ?? attributeOf(list, 'catchup-correction'));
  return { mode: resolved, source, days: ownDays ?? daysOf(list), correction };
}

/** Whether an entry says of its own that it has an archive, which only live channels have. */
export function hasOwnCatchup(own: readonly Attribute[]): boolean {
  if (saysNothing(own)) return false;
  return attributeOfAny(own, [...modeNames, 'catchup-source']) !== null || (daysOf(own) ?? 0) > 0;
}

function impliedMode(own: readonly Attribute[], source: string | null, days: number | null): string | null {
  if (source !== null) return /^[a-z][a-z0-9+.-]*:/i.test(source) ? 'default' : 'append';
  return days !== null && attributeOfAny(own, dayNames) !== null ? 'shift' : null;
}

/** Kodi's aliases: where the address tells playlist from TS it decides, else `fs` is TS and `flussonic` a playlist. */
function resolveMode(text: string, url: string): CatchupMode | null {
  const mode = text.toLowerCase();
  if (mode === 'fs' || mode === 'flussonic')
    return flussonicMode(url, mode === 'fs' ? 'flussonic-ts' : 'flussonic-hls');
  return catchupModes.find((known) => known === mode) ?? null;
}

function flussonicMode(url: string, otherwise: CatchupMode): CatchupMode {
  const path = url.slice(0, url.search(/[?#]|$/));
  if (/\.m3u8$/i.test(path)) return 'flussonic-hls';
  return /\/mpegts$/i.test(path) ? 'flussonic-ts' : otherwise;
}

/** Days that the archive reaches back; `catchup-time` says seconds. */
function daysOf(attributes: readonly Attribute[]): number | null {
  const seconds = numberOf(attributeOf(attributes, 'catchup-time'));
  const days = numberOf(attributeOf(attributes, 'catchup-days'));
  return days ?? (seconds === null ? numberOf(attributeOfAny(attributes, dayNames)) : seconds / secondsPerDay);
}

/** Also with a decimal comma; null when it is no number. */
function numberOf(text: string | null): number | null {
  if (text === null || !/^[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)$/.test(text)) return null;
  return Number(text.replace(',', '.'));
}
