import type { Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';
import { attributeOf, textOf } from './texts.js';

/** Null when it is empty. A number whose system is not said is one as it is shown on the screen: so the DTD has it. */
export function episodeOf(element: XmlElement, tell: Tell): { system: string; value: string } | null {
  const value = textOf(element, tell);
  return value === '' ? null : { system: attributeOf(element, 'system', tell) ?? 'onscreen', value };
}
