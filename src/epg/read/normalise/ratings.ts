import type { Icon, ProgrammeContent, Rating } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';
import { iconOf, oneOf } from './media.js';
import { attributeOf, oneLine, rawText, textOf } from './texts.js';

type Review = NonNullable<ProgrammeContent['reviews']>[number];

const partsOfRating = ['value', 'icon'];

/** Of a `rating` or `star-rating`, whose value many write without the element for it. Null, and told, without a value. */
export function ratingOf(element: XmlElement, tell: Tell): Rating | null {
  const bare = oneLine(rawText(element, tell, partsOfRating), tell);
  const icons: Icon[] = [];
  let said: string | null = null;
  for (const child of element.children) {
    if (child.name === 'value') said ??= textOf(child, tell);
    const icon = child.name === 'icon' ? iconOf(child, tell) : null;
    if (icon !== null) icons.push(icon);
  }
  const value = said ?? bare;
  if (value !== '') return { value, system: attributeOf(element, 'system', tell), icons };
  tell('bad-value', `<${element.name}> has no value.`);
  return null;
}

export function reviewOf(element: XmlElement, tell: Tell): Review | null {
  const value = textOf(element, tell);
  if (value === '') return null;
  const said = oneOf(['text', 'url'], element, 'type', tell);
  const type = said === 'text' || said === 'url' ? said : /^https?:\/\/\S+$/i.test(value) ? 'url' : 'text';
  const [source, reviewer] = [attributeOf(element, 'source', tell), attributeOf(element, 'reviewer', tell)];
  return { type, value, source, reviewer, lang: attributeOf(element, 'lang', tell) };
}
