import type { Attribute } from '../../model/entry.js';
import { attributeOf, scanAttributes } from './attributes.js';

export type Extinf = {
  /** Seconds as written; -1, 0 and nothing stand before live channels. */
  readonly duration: number;
  readonly attributes: readonly Attribute[];
  /** What stands behind the comma, else `tvg-name`, else `tvg-id`, else empty. */
  readonly name: string;
  readonly isNamed: boolean;
};

const start = /^#EXTINF(?:\s*:\s*|\s+|$)([-+]?\d+(?:\.\d+)?)?/i;

/** Reads `#EXTINF:-1 key="value" …,Name` in the forms that are met; null when the line is another one. */
export function readExtinf(line: string): Extinf | null {
  const usual = line.startsWith('#EXTINF:-1 ');
  const match = usual ? null : start.exec(line);
  if (match === null && !usual) return null;
  const { attributes, nameStart } = scanAttributes(line, match?.[0].length ?? '#EXTINF:-1 '.length);
  const written = nameStart === null ? '' : line.slice(nameStart).trim();
  const name =
    written === '' ? (attributeOf(attributes, 'tvg-name') ?? attributeOf(attributes, 'tvg-id') ?? '') : written;
  // A list that grew has room for more, which a hundred thousand entries would keep.
  return { duration: Number(match?.[1] ?? -1), attributes: attributes.slice(), name, isNamed: written !== '' };
}

/** Said where a provider has no id, also in brackets: many entries would be taken for one. */
const placeholder =
  /^[([{<]?(?:|0|-1|-+|none|null|nil|undefined|unknown|n\/?a|no[ _-]?(?:tvg[ _-]?id|epg|id))[)\]}>]?$/i;
const longestPlaceholder = '(no tvg-id)'.length;

export function readTvgId(attributes: readonly Attribute[]): string | null {
  return realId(attributeOf(attributes, 'tvg-id')) ?? realId(attributeOf(attributes, 'channel-id'));
}

function realId(id: string | null): string | null {
  if (id === null || id.length > longestPlaceholder) return id;
  return placeholder.test(id) ? null : id;
}

/** Names that stand more than once. */
export function doubledAttributes(attributes: readonly Attribute[]): string[] {
  const names = attributes.map(([name]) => name.toLowerCase());
  const left = new Set(names);
  return left.size === names.length ? [] : names.filter((name) => !left.delete(name));
}
