import type { Tell } from '../entities.js';
import type { XmlNode } from '../parse.js';
import { attributeOf, textOf } from './texts.js';

/** Null when it is empty. A number whose system is not said is one as it is shown on the screen: so the DTD has it. */
export function episodeOf(node: XmlNode, tell: Tell): { system: string; value: string } | null {
  const value = textOf(node, 'episode-num', tell);
  return value === '' ? null : { system: attributeOf(node, 'system', tell) ?? 'onscreen', value };
}
