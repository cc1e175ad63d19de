import type { Extras, Hints } from './channel.js';
import type { Attribute, Headers, SaidEntry } from './entry.js';

/** Attributes that Weir understands: it writes its own in their place. Lower case. */
const understood = new Set([
  'tvg-id',
  'channel-id',
  'tvg-name',
  'tvg-logo',
  'logo',
  'tvg-chno',
  'ch-number',
  'channel-number',
  'tvg-shift',
  'group-title',
  'radio',
  'catchup',
  'catchup-type',
  'catchup-days',
  'catchup-source',
  'catchup-correction',
  'catchup-time',
  'timeshift',
  'tvg-rec',
  'user-agent',
  'http-user-agent',
  'referrer',
  'referer',
  'http-referrer',
  'http-referer',
  'origin',
  'http-origin',
]);

type Said = Pick<SaidEntry, 'attributes' | 'directives' | 'headers' | 'urls'>;

/** JSON of `Extras`: what was said that Weir does not understand, and the user's hints. Null when there is neither. */
export function extrasOf({ attributes, directives, headers: common, urls }: Said, hints: Hints | null): string | null {
  const unknown = attributes.filter(([name]) => !understood.has(name.toLowerCase()));
  const other = directives.filter(({ name }) => name.toUpperCase() !== 'EXTGRP');
  const headers = nearest(urls[0]?.headers ?? common, common);
  const isPlain = unknown.length === 0 && other.length === 0 && hints === null && isEmpty(headers);
  if (isPlain) return null;
  return JSON.stringify({ attributes: unknown, directives: other, headers, hints: hints ?? {} } satisfies Extras);
}

/** Names of header fields are the same in any case. */
function nearest(own: Headers, common: Headers): Headers {
  if (isEmpty(common)) return own;
  if (isEmpty(own)) return common;
  const said = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const others = Object.entries(common).filter(([name]) => !said.has(name.toLowerCase()));
  return { ...own, ...Object.fromEntries(others) };
}

function isEmpty(headers: Headers): boolean {
  for (const _ in headers) return false;
  return true;
}

/** Seconds of `tvg-shift`, which is written in hours; null where it is absent or no number. */
export function guideShiftOf(attributes: readonly Attribute[]): number | null {
  const written = attributes.find(([name]) => name.toLowerCase() === 'tvg-shift')?.[1] ?? '';
  const hours = Number.parseFloat(written.replace(',', '.'));
  return Number.isFinite(hours) && hours !== 0 ? Math.round(hours * 3600) : null;
}
