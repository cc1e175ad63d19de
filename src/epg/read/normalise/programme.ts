import type { ZoneClock } from '../../../lib/zone-clock.js';
import type { LangText, ProgrammeContent } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import type { XmlElement } from '../parse.js';
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
type Read<Result> = (element: XmlElement, tell: Tell, zone: ZoneClock) => Result | null;
/** Takes one element into the draft. */
type Take = (draft: Draft, element: XmlElement, tell: Tell, zone: ZoneClock) => void;

/** Of an element that may stand there several times. */
function many<Field extends keyof Draft>(field: Field, read: Read<Item<Field>>): Take {
  return (draft, element, tell, zone) => {
    const item = read(element, tell, zone);
    if (item === null) return;
    const list = draft[field] as Item<Field>[] | undefined;
    if (list === undefined) (draft as Record<Field, Item<Field>[]>)[field] = [item];
    else list.push(item);
  };
}

/** Of an element that may stand there once; the first one counts. */
function one<Field extends keyof Draft>(field: Field, read: Read<Value<Field>>): Take {
  return (draft, element, tell, zone) => {
    if (draft[field] !== undefined) tell('bad-value', `<${element.name}> stands there twice.`);
    else {
      const value = read(element, tell, zone);
      if (value !== null) (draft as Record<Field, Value<Field>>)[field] = value;
    }
  };
}

/** A remark that need not be made: that the element is there says something too. */
const remark: Read<LangText> = (element, tell) =>
  paragraphsOf(element, tell) ?? { text: '', lang: attributeOf(element, 'lang', tell) };

/** The elements of a programme, keyed by name, in the order of the DTD. */
const takes = new Map<string, Take>([
  ['title', many('titles', langTextOf)],
  ['sub-title', many('subTitles', langTextOf)],
  ['desc', many('descs', paragraphsOf)],
  ['credits', takeCredits],
  ['date', one('date', dateOf)],
  ['category', many('categories', langTextOf)],
  ['keyword', many('keywords', langTextOf)],
  ['language', one('language', langTextOf)],
  ['orig-language', one('origLanguage', langTextOf)],
  ['length', one('length', lengthOf)],
  ['icon', many('icons', iconOf)],
  ['url', many('urls', linkOf)],
  ['country', many('countries', langTextOf)],
  ['episode-num', many('episodes', episodeOf)],
  ['video', one('video', videoOf)],
  ['audio', one('audio', audioOf)],
  ['previously-shown', one('previouslyShown', shownOf)],
  ['premiere', one('premiere', remark)],
  ['last-chance', one('lastChance', remark)],
  ['new', one('isNew', () => true)],
  ['subtitles', many('subtitles', subtitlesOf)],
  ['rating', many('ratings', ratingOf)],
  ['star-rating', many('starRatings', ratingOf)],
  ['review', many('reviews', reviewOf)],
  ['image', many('images', imageOf)],
]);

const attributeNames = ['pdc-start', 'vps-start', 'showview', 'videoplus', 'clumpidx'] as const;

/**
 * What a `<programme>` says, as the DTD of XMLTV has it: elements in any order, what the DTD does not know left out and told.
 * Null, and told, for one without a title. Times and channel are not looked at.
 */
export function programmeOf(element: XmlElement, tell: Tell, zone: ZoneClock): ProgrammeContent | null {
  const draft: Draft = {};
  for (const child of element.children) {
    const take = takes.get(child.name);
    if (take !== undefined) take(draft, child, tell, zone);
    else tell('unknown-element', `<${child.name}> is not known in <programme>, and is left out.`);
  }
  const attributes = attributesOf(element, tell);
  if (attributes !== null) draft.attributes = attributes;
  if (hasTitle(draft)) return draft;
  tell('no-title', 'A programme has no title, and is left out.');
  return null;
}

function hasTitle(draft: Draft): draft is Draft & ProgrammeContent {
  return draft.titles !== undefined;
}

function takeCredits(draft: Draft, element: XmlElement, tell: Tell): void {
  const credits = creditsOf(element, tell);
  if (credits.length > 0) draft.credits = draft.credits === undefined ? credits : [...draft.credits, ...credits];
}

function subtitlesOf(element: XmlElement, tell: Tell) {
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
