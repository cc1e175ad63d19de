import type { ZoneClock } from '../../../lib/zone-clock.js';
import type { ProgrammeContent } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';
import { readTime } from '../time/read-time.js';
import { attributeOf, textOf } from './texts.js';

type Length = NonNullable<ProgrammeContent['length']>;

/** A year, month, day, minute or second in digits, also as ISO 8601 writes it; a zone behind it is left out. */
const date =
  /^([12]\d{3})(?:-?(0[1-9]|1[0-2])(?:-?(0[1-9]|[12]\d|3[01])(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d))?)?)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?$/;

/** 4, 6, 8, 12 or 14 digits; null, and told, for anything else. */
export function dateOf(element: XmlElement, tell: Tell): string | null {
  const text = textOf(element, tell);
  const match = date.exec(text);
  if (match !== null) return match.slice(1).join('');
  if (text !== '') tell('bad-value', `<date> has ${JSON.stringify(text.slice(0, 40))}, which is no date.`);
  return null;
}

export function lengthOf(element: XmlElement, tell: Tell): Length | null {
  const text = textOf(element, tell);
  const units = attributeOf(element, 'units', tell);
  const isNumber = /^\d{1,7}(?:\.\d{1,3})?$/.test(text);
  if (isNumber && (units === 'seconds' || units === 'minutes' || units === 'hours'))
    return { value: Number(text), units };
  tell('bad-value', `<length> has ${JSON.stringify(text.slice(0, 40))} in ${JSON.stringify(units)}.`);
  return null;
}

/** When and where it was shown before. A time that cannot be read is left out and told; that it was shown is kept. */
export function shownOf(
  element: XmlElement,
  tell: Tell,
  zone: ZoneClock,
): NonNullable<ProgrammeContent['previouslyShown']> {
  const said = attributeOf(element, 'start', tell);
  const start = said === null ? null : readTime(said, zone);
  if (said !== null && start === null)
    tell('bad-value', `<previously-shown> has the start ${JSON.stringify(said.slice(0, 40))}, which is no time.`);
  return { start: start === null ? null : xmltvTime(start), channel: attributeOf(element, 'channel', tell) };
}

function xmltvTime(epochSeconds: number): string {
  const iso = new Date(epochSeconds * 1000).toISOString();
  return `${iso.slice(0, 19).replace(/\D/g, '')} +0000`;
}
