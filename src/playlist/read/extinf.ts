import { attributeOf, scanAttributes } from './attributes.js';
import type { Attribute } from './entry.js';

export type Extinf = {
  readonly attributes: readonly Attribute[];
  /** What stands behind the comma, else `tvg-name`, else `tvg-id`, else empty. */
  readonly name: string;
  readonly isNamed: boolean;
};

const start = /^#EXTINF(?:\s*:\s*|\s+|$)(?:[-+]?\d+(?:\.\d+)?)?/i;

/** Reads `#EXTINF:-1 key="value" …,Name` in the forms that are met; null when the line is another one. */
export function readExtinf(line: string): Extinf | null {
  const match = start.exec(line);
  if (match === null) return null;
  const { attributes, nameStart } = scanAttributes(line, match[0].length);
  const written = nameStart === null ? '' : line.slice(nameStart).trim();
  const name = written === '' ? (attributeOf(attributes, 'tvg-name', 'tvg-id') ?? '') : written;
  return { attributes, name, isNamed: written !== '' };
}

/** Said where a provider has no id: many entries would be taken for one. */
const placeholders = new Set(['', '0', '-1', '-', 'none', 'null', 'undefined', 'unknown', 'n/a', 'na', 'no tvg-id']);

export function readTvgId(attributes: readonly Attribute[]): string | null {
  const id = attributeOf(attributes, 'tvg-id', 'channel-id');
  if (id === null || placeholders.has(id.toLowerCase().replace(/^\((.*)\)$/, '$1'))) return null;
  return id;
}

/** Names that stand more than once. */
export function doubledAttributes(attributes: readonly Attribute[]): string[] {
  const names = new Set<string>();
  const doubled: string[] = [];
  for (const [name] of attributes) {
    const lower = name.toLowerCase();
    if (names.has(lower)) doubled.push(name);
    names.add(lower);
  }
  return doubled;
}
