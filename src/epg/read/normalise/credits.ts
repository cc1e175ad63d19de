import { type Credit, creditRoles, type Image, type WebLink } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import { childrenOf, nameOf, rawAttribute, type XmlNode } from '../parse.js';
import { imageOf, linkOf } from './media.js';
import { attributeOf, oneLine, rawText } from './texts.js';

const roles = new Map(creditRoles.map((role) => [role as string, role]));
const partsOfPerson = ['image', 'url'];

/** Who made it and is seen in it, in the order in which they are named. */
export function creditsOf(node: XmlNode, tell: Tell): Credit[] {
  const credits: Credit[] = [];
  for (const person of childrenOf(node, 'credits')) {
    const name = nameOf(person);
    const role = roles.get(name);
    const credit = role === undefined ? null : creditOf(person, role, tell);
    if (credit !== null) credits.push(credit);
    else if (role === undefined && name !== '#text')
      tell('unknown-element', `<${name}> is not known in <credits>, and is left out.`);
  }
  return credits;
}

function creditOf(person: XmlNode, as: Credit['as'], tell: Tell): Credit | null {
  const children = childrenOf(person, as);
  const name = oneLine(rawText(children, tell, partsOfPerson), tell);
  if (name === '') return null;
  const [images, urls]: [Image[], WebLink[]] = [[], []];
  if (children.length > 1) collect(children, images, urls, tell);
  const isActor = as === 'actor';
  const role = isActor ? attributeOf(person, 'role', tell) : null;
  return { as, name, role, guest: isActor && rawAttribute(person, 'guest') === 'yes', images, urls };
}

function collect(children: readonly XmlNode[], images: Image[], urls: WebLink[], tell: Tell): void {
  for (const child of children) {
    const name = nameOf(child);
    const image = name === 'image' ? imageOf(child, tell) : null;
    const url = name === 'url' ? linkOf(child, tell) : null;
    if (image !== null) images.push(image);
    if (url !== null) urls.push(url);
  }
}
