import { type Credit, creditRoles, type Image, type WebLink } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';
import { imageOf, linkOf } from './media.js';
import { attributeOf, oneLine, rawText } from './texts.js';

const roles = new Map(creditRoles.map((role) => [role as string, role]));
const partsOfPerson = ['image', 'url'];

/** Who made it and is seen in it, in the order in which they are named. */
export function creditsOf({ children }: XmlElement, tell: Tell): Credit[] {
  const credits: Credit[] = [];
  for (const person of children) {
    const role = roles.get(person.name);
    const credit = role === undefined ? null : creditOf(person, role, tell);
    if (credit !== null) credits.push(credit);
    else if (role === undefined)
      tell('unknown-element', `<${person.name}> is not known in <credits>, and is left out.`);
  }
  return credits;
}

function creditOf(person: XmlElement, as: Credit['as'], tell: Tell): Credit | null {
  const name = oneLine(rawText(person, tell, partsOfPerson), tell);
  if (name === '') return null;
  const [images, urls]: [Image[], WebLink[]] = [[], []];
  for (const child of person.children) collect(child, images, urls, tell);
  const isActor = as === 'actor';
  const { guest } = person.attributes;
  const role = isActor ? attributeOf(person, 'role', tell) : null;
  return { as, name, role, guest: isActor && guest === 'yes', images, urls };
}

function collect(child: XmlElement, images: Image[], urls: WebLink[], tell: Tell): void {
  const image = child.name === 'image' ? imageOf(child, tell) : null;
  const url = child.name === 'url' ? linkOf(child, tell) : null;
  if (image !== null) images.push(image);
  if (url !== null) urls.push(url);
}
