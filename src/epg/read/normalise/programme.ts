import type { LangText, ProgrammeContent } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';
import type { ZoneClock } from '../time/zone-clock.js';
import { creditsOf } from './credits.js';
import { dateOf, lengthOf, shownOf } from './dates.js';
import { episodeOf } from './episodes.js';
import { audioOf, iconOf, imageOf, linkOf, oneOf, videoOf } from './media.js';
import { ratingOf, reviewOf } from './ratings.js';
import { attributeOf, langTextOf, paragraphsOf } from './texts.js';

/** A content that is being put together. */
type Draft = { -readonly [Field in keyof ProgrammeContent]?: ProgrammeContent[Field] };
type Value<Field extends keyof Draft> = NonNullable<Draft[Field]>;
type Item<Field extends keyof Draft> = Value<Field> extends readonly (infer One)[] ? One : never;
export type Reading = { readonly zone: ZoneClock; readonly tell: Tell };
type Read<Result> = (element: XmlElement, reading: Reading) => Result | null;
/** Takes one element into the draft. */
type Take = (draft: Draft, element: XmlElement, reading: Reading) => void;

/** Of an element that may stand there several times. */
function many<Field extends keyof Draft>(field: Field, read: Read<Item<Field>>): Take {
  return (draft, element, reading) => {
    const item = read(element, reading);
    if (item === null) return;
    const list = draft[field] as Item<Field>[] | undefined;
    if (list === undefined) (draft as Record<Field, Item<Field>[]>)[field] = [item];
    else list.push(item);
  };
}

/** Of an element that may stand there once; the first one counts. */
function one<Field extends keyof Draft>(field: Field, read: Read<Value<Field>>): Take {
  return (draft, element, reading) => {
    if (draft[field] !== undefined) reading.tell('bad-value', `<${element.name}> stands there twice.`);
    else {
      const value = read(element, reading);
      if (value !== null) (draft as Record<Field, Value<Field>>)[field] = value;
    }
  };
}

const text: Read<LangText> = (element, { tell }) => langTextOf(element, tell);
/** A remark that need not be made: that the element is there says something too. */
const remark: Read<LangText> = (element, { tell }) =>
  paragraphsOf(element, tell) ?? { text: '', lang: attributeOf(element, 'lang', tell) };

/** The elements of a programme, keyed by name, in the order of the DTD. */
const takes = new Map<string, Take>([
  ['title', many('titles', text)],
  ['sub-title', many('subTitles', text)],
  ['desc', many('descs', (element, { tell }) => paragraphsOf(element, tell))],
  ['credits', takeCredits],
  ['date', one('date', (element, { tell }) => dateOf(element, tell))],
  ['category', many('categories', text)],
  ['keyword', many('keywords', text)],
  ['language', one('language', text)],
  ['orig-language', one('origLanguage', text)],
  ['length', one('length', (element, { tell }) => lengthOf(element, tell))],
  ['icon', many('icons', (element, { tell }) => iconOf(element, tell))],
  ['url', many('urls', (element, { tell }) => linkOf(element, tell))],
  ['country', many('countries', text)],
  ['episode-num', many('episodes', (element, { tell }) => episodeOf(element, tell))],
  ['video', one('video', (element, { tell }) => videoOf(element, tell))],
  ['audio', one('audio', (element, { tell }) => audioOf(element, tell))],
  ['previously-shown', one('previouslyShown', (element, { zone, tell }) => shownOf(element, zone, tell))],
  ['premiere', one('premiere', remark)],
  ['last-chance', one('lastChance', remark)],
  ['new', one('isNew', () => true)],
  ['subtitles', many('subtitles', subtitlesOf)],
  ['rating', many('ratings', (element, { tell }) => ratingOf(element, tell))],
  ['star-rating', many('starRatings', (element, { tell }) => ratingOf(element, tell))],
  ['review', many('reviews', (element, { tell }) => reviewOf(element, tell))],
  ['image', many('images', (element, { tell }) => imageOf(element, tell))],
]);

const attributeNames = ['pdc-start', 'vps-start', 'showview', 'videoplus', 'clumpidx'] as const;

/**
 * What a `<programme>` says, as the DTD of XMLTV has it: elements in any order, what the DTD does not know left out and told.
 * Null, and told, for one without a title. Times and channel are not looked at.
 */
export function programmeOf(element: XmlElement, reading: Reading): ProgrammeContent | null {
  const draft: Draft = {};
  for (const child of element.children) {
    const take = takes.get(child.name);
    if (take !== undefined) take(draft, child, reading);
    else reading.tell('unknown-element', `<${child.name}> is not known in <programme>, and is left out.`);
  }
  const attributes = attributesOf(element, reading.tell);
  if (attributes !== null) draft.attributes = attributes;
  if (hasTitle(draft)) return draft;
  reading.tell('no-title', 'A programme has no title, and is left out.');
  return null;
}

function hasTitle(draft: Draft): draft is Draft & ProgrammeContent {
  return draft.titles !== undefined;
}

function takeCredits(draft: Draft, element: XmlElement, { tell }: Reading): void {
  const credits = creditsOf(element, tell);
  if (credits.length > 0) draft.credits = draft.credits === undefined ? credits : [...draft.credits, ...credits];
}

function subtitlesOf(element: XmlElement, { tell }: Reading) {
  const language = element.children.find((child) => child.name === 'language');
  const type = oneOf(['teletext', 'onscreen', 'deaf-signed'], element, 'type', tell);
  return { type, language: language === undefined ? null : langTextOf(language, tell) };
}

function attributesOf(element: XmlElement, tell: Tell): Value<'attributes'> | null {
  const found: { -readonly [Name in keyof Value<'attributes'>]: string } = {};
  let isAny = false;
  for (const name of attributeNames) {
    const value = attributeOf(element, name, tell);
    if (value === null) continue;
    found[name] = value;
    isAny = true;
  }
  return isAny ? found : null;
}
