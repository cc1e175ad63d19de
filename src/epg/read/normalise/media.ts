import type { Icon, Image, ProgrammeContent, WebLink } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import { elementsIn, nameOf, type XmlNode } from '../parse.js';
import { attributeOf, textOf } from './texts.js';

/** Null, and told, without the address of a picture. */
export function iconOf(node: XmlNode, tell: Tell): Icon | null {
  const src = attributeOf(node, 'src', tell);
  if (src === null) {
    tell('bad-value', '<icon> has no src.');
    return null;
  }
  return { src, width: pixels(node, 'width', tell), height: pixels(node, 'height', tell) };
}

function pixels(node: XmlNode, name: string, tell: Tell): number | null {
  const said = attributeOf(node, name, tell);
  if (said === null) return null;
  if (/^\d{1,5}$/.test(said)) return Number(said);
  tell('bad-value', `<icon> has the ${name} ${JSON.stringify(said.slice(0, 40))}, which is no number of pixels.`);
  return null;
}

export function linkOf(node: XmlNode, tell: Tell): WebLink | null {
  const url = textOf(node, 'url', tell);
  return url === '' ? null : { url, system: attributeOf(node, 'system', tell) };
}

const imageTypes = ['poster', 'backdrop', 'still', 'person', 'character'];

export function imageOf(node: XmlNode, tell: Tell): Image | null {
  const url = textOf(node, 'image', tell);
  if (url === '') return null;
  const type = oneOf(imageTypes, node, 'type', tell);
  const size = oneOf(['1', '2', '3'], node, 'size', tell);
  const orient = oneOf(['P', 'L'], node, 'orient', tell);
  return { url, type, size, orient, system: attributeOf(node, 'system', tell) };
}

/** An attribute for which the DTD lists the values; others are left out and told. */
export function oneOf(values: readonly string[], node: XmlNode, name: string, tell: Tell): string | null {
  const said = attributeOf(node, name, tell);
  if (said === null || values.includes(said)) return said;
  tell('bad-value', `The ${name} ${JSON.stringify(said.slice(0, 40))} is none of ${values.join(', ')}.`);
  return null;
}

export function videoOf(node: XmlNode, tell: Tell): NonNullable<ProgrammeContent['video']> | null {
  return parts(node, 'video', ['present', 'colour', 'aspect', 'quality'] as const, tell);
}

export function audioOf(node: XmlNode, tell: Tell): NonNullable<ProgrammeContent['audio']> | null {
  return parts(node, 'audio', ['present', 'stereo'] as const, tell);
}

/** The texts of elements that are known in it, the first of each; null when there are none. */
function parts<Part extends string>(node: XmlNode, parent: string, known: readonly Part[], tell: Tell) {
  const found: { [name in Part]?: string } = {};
  for (const child of elementsIn(node, parent)) {
    const name = nameOf(child);
    const part = known.find((one) => one === name);
    const text = part === undefined ? '' : textOf(child, name, tell);
    if (part === undefined) tell('unknown-element', `<${name}> is not known in <${parent}>, and is left out.`);
    else if (text !== '') found[part] ??= text;
  }
  return Object.keys(found).length === 0 ? null : found;
}
