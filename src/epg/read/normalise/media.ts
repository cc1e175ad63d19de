import type { Icon, Image, ProgrammeContent, WebLink } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';
import { attributeOf, textOf } from './texts.js';

/** Null, and told, without the address of a picture. */
export function iconOf(element: XmlElement, tell: Tell): Icon | null {
  const src = attributeOf(element, 'src', tell);
  if (src === null) {
    tell('bad-value', '<icon> has no src.');
    return null;
  }
  return { src, width: pixels(element, 'width', tell), height: pixels(element, 'height', tell) };
}

function pixels(element: XmlElement, name: string, tell: Tell): number | null {
  const said = attributeOf(element, name, tell);
  if (said === null) return null;
  if (/^\d{1,5}$/.test(said)) return Number(said);
  tell('bad-value', `<icon> has the ${name} ${JSON.stringify(said.slice(0, 40))}, which is no number of pixels.`);
  return null;
}

export function linkOf(element: XmlElement, tell: Tell): WebLink | null {
  const url = textOf(element, tell);
  return url === '' ? null : { url, system: attributeOf(element, 'system', tell) };
}

const imageTypes = ['poster', 'backdrop', 'still', 'person', 'character'];

export function imageOf(element: XmlElement, tell: Tell): Image | null {
  const url = textOf(element, tell);
  if (url === '') return null;
  const type = oneOf(imageTypes, element, 'type', tell);
  const size = oneOf(['1', '2', '3'], element, 'size', tell);
  const orient = oneOf(['P', 'L'], element, 'orient', tell);
  return { url, type, size, orient, system: attributeOf(element, 'system', tell) };
}

/** An attribute for which the DTD lists the values; others are left out and told. */
export function oneOf(values: readonly string[], element: XmlElement, name: string, tell: Tell): string | null {
  const said = attributeOf(element, name, tell);
  if (said === null || values.includes(said)) return said;
  tell('bad-value', `The ${name} ${JSON.stringify(said.slice(0, 40))} is none of ${values.join(', ')}.`);
  return null;
}

export function videoOf(element: XmlElement, tell: Tell): NonNullable<ProgrammeContent['video']> | null {
  return parts(element, ['present', 'colour', 'aspect', 'quality'] as const, tell);
}

export function audioOf(element: XmlElement, tell: Tell): NonNullable<ProgrammeContent['audio']> | null {
  return parts(element, ['present', 'stereo'] as const, tell);
}

/** The texts of elements that are known in it, the first of each; null when there are none. */
function parts<Part extends string>(element: XmlElement, known: readonly Part[], tell: Tell) {
  const found: { [name in Part]?: string } = {};
  for (const child of element.children) {
    const { name } = child;
    const part = known.find((one) => one === name);
    const text = part === undefined ? '' : textOf(child, tell);
    if (part === undefined) tell('unknown-element', `<${name}> is not known in <${element.name}>, and is left out.`);
    else if (text !== '') found[part] ??= text;
  }
  return Object.keys(found).length === 0 ? null : found;
}
