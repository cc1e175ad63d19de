import type { LangText, ProgrammeContent } from '../../../model/programme.js';
import type { Tell } from '../entities.js';
import { childrenOf, elementsIn, nameOf, type XmlNode } from '../parse.js';
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
type Read<Result> = (node: XmlNode, name: string, reading: Reading) => Result | null;
/** Takes one element into the draft. */
type Take = (draft: Draft, node: XmlNode, name: string, reading: Reading) => void;

/** Of an element that may stand there several times. */
function many<Field extends keyof Draft>(field: Field, read: Read<Item<Field>>): Take {
  return (draft, node, name, reading) => {
    const item = read(node, name, reading);
    if (item === null) return;
    const list = draft[field] as Item<Field>[] | undefined;
    if (list === undefined) (draft as Record<Field, Item<Field>[]>)[field] = [item];
    else list.push(item);
  };
}

/** Of an element that may stand there once; the first one counts. */
function one<Field extends keyof Draft>(field: Field, read: Read<Value<Field>>): Take {
  return (draft, node, name, reading) => {
    if (draft[field] !== undefined) reading.tell('bad-value', `<${name}> stands there twice.`);
    else {
      const value = read(node, name, reading);
      if (value !== null) (draft as Record<Field, Value<Field>>)[field] = value;
    }
  };
}

const text: Read<LangText> = (node, name, { tell }) => langTextOf(node, name, tell);
/** A remark that need not be made: that the element is there says something too. */
const remark: Read<LangText> = (node, name, { tell }) =>
  paragraphsOf(node, name, tell) ?? { text: '', lang: attributeOf(node, 'lang', tell) };

/** The elements of a programme, keyed by name, in the order of the DTD. */
const takes = new Map<string, Take>([
  ['title', many('titles', text)],
  ['sub-title', many('subTitles', text)],
  ['desc', many('descs', (node, name, { tell }) => paragraphsOf(node, name, tell))],
  ['credits', takeCredits],
  ['date', one('date', (node, _, { tell }) => dateOf(node, tell))],
  ['category', many('categories', text)],
  ['keyword', many('keywords', text)],
  ['language', one('language', text)],
  ['orig-language', one('origLanguage', text)],
  ['length', one('length', (node, _, { tell }) => lengthOf(node, tell))],
  ['icon', many('icons', (node, _, { tell }) => iconOf(node, tell))],
  ['url', many('urls', (node, _, { tell }) => linkOf(node, tell))],
  ['country', many('countries', text)],
  ['episode-num', many('episodes', (node, _, { tell }) => episodeOf(node, tell))],
  ['video', one('video', (node, _, { tell }) => videoOf(node, tell))],
  ['audio', one('audio', (node, _, { tell }) => audioOf(node, tell))],
  ['previously-shown', one('previouslyShown', (node, _, { zone, tell }) => shownOf(node, zone, tell))],
  ['premiere', one('premiere', remark)],
  ['last-chance', one('lastChance', remark)],
  ['new', one('isNew', () => true)],
  ['subtitles', many('subtitles', subtitlesOf)],
  ['rating', many('ratings', (node, name, { tell }) => ratingOf(node, name, tell))],
  ['star-rating', many('starRatings', (node, name, { tell }) => ratingOf(node, name, tell))],
  ['review', many('reviews', (node, _, { tell }) => reviewOf(node, tell))],
  ['image', many('images', (node, _, { tell }) => imageOf(node, tell))],
]);

const attributeNames = ['pdc-start', 'vps-start', 'showview', 'videoplus', 'clumpidx'] as const;

/**
 * What a `<programme>` says, as the DTD of XMLTV has it: elements in any order, what the DTD does not know left out and told.
 * Null, and told, for one without a title. Times and channel are not looked at.
 */
export function programmeOf(node: XmlNode, reading: Reading): ProgrammeContent | null {
  const draft: Draft = {};
  for (const child of childrenOf(node, 'programme')) {
    const name = nameOf(child);
    const take = takes.get(name);
    if (take !== undefined) take(draft, child, name, reading);
    else if (name !== '#text')
      reading.tell('unknown-element', `<${name}> is not known in <programme>, and is left out.`);
  }
  const attributes = attributesOf(node, reading.tell);
  if (attributes !== null) draft.attributes = attributes;
  if (hasTitle(draft)) return draft;
  reading.tell('no-title', 'A programme has no title, and is left out.');
  return null;
}

function hasTitle(draft: Draft): draft is Draft & ProgrammeContent {
  return draft.titles !== undefined;
}

function takeCredits(draft: Draft, node: XmlNode, _: string, { tell }: Reading): void {
  const credits = creditsOf(node, tell);
  if (credits.length > 0) draft.credits = draft.credits === undefined ? credits : [...draft.credits, ...credits];
}

function subtitlesOf(node: XmlNode, name: string, { tell }: Reading) {
  const language = elementsIn(node, name).find((child) => nameOf(child) === 'language');
  const type = oneOf(['teletext', 'onscreen', 'deaf-signed'], node, 'type', tell);
  return { type, language: language === undefined ? null : langTextOf(language, 'language', tell) };
}

function attributesOf(node: XmlNode, tell: Tell): Value<'attributes'> | null {
  const found: { -readonly [Name in keyof Value<'attributes'>]: string } = {};
  let isAny = false;
  for (const name of attributeNames) {
    const value = attributeOf(node, name, tell);
    if (value === null) continue;
    found[name] = value;
    isAny = true;
  }
  return isAny ? found : null;
}
