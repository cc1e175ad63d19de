import type { ProgrammeContent, Rating } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import { childrenOf, elementsIn, nameOf, type XmlNode } from '../parse.js';
import { iconOf, oneOf } from './media.js';
import { attributeOf, oneLine, rawText, textOf } from './texts.js';

type Review = NonNullable<ProgrammeContent['reviews']>[number];

/** Of a `rating` or `star-rating`, whose value many write without the element for it. Null, and told, without a value. */
export function ratingOf(node: XmlNode, name: string, tell: Tell): Rating | null {
  const known = ['value', 'icon'];
  const inner = elementsIn(node, name);
  const element = inner.find((child) => nameOf(child) === 'value');
  const bare = oneLine(rawText(childrenOf(node, name), tell, known), tell);
  const value = element === undefined ? bare : textOf(element, 'value', tell);
  const icons = inner.flatMap((child) => (nameOf(child) === 'icon' ? (iconOf(child, tell) ?? []) : []));
  if (value !== '') return { value, system: attributeOf(node, 'system', tell), icons };
  tell('bad-value', `<${name}> has no value.`);
  return null;
}

export function reviewOf(node: XmlNode, tell: Tell): Review | null {
  const value = textOf(node, 'review', tell);
  if (value === '') return null;
  const said = oneOf(['text', 'url'], node, 'type', tell);
  const type = said === 'text' || said === 'url' ? said : /^https?:\/\/\S+$/i.test(value) ? 'url' : 'text';
  const [source, reviewer] = [attributeOf(node, 'source', tell), attributeOf(node, 'reviewer', tell)];
  return { type, value, source, reviewer, lang: attributeOf(node, 'lang', tell) };
}
