import type { LangText, ProgrammeContent, TimelineItem } from '../../model/programme.js';
import * as part from './parts.js';
import { cut } from './profiles.js';
import { element, emptyElement, textElement } from './xml.js';

/** `<programme>` of a channel with that id, its elements in the order of the DTD; titles longer than the limit are cut. */
export function programmeElement(item: TimelineItem, id: string, limit: number | null): string {
  const { start, stop, content } = item;
  const attributes = { start: timeText(start), stop: timeText(stop), ...content.attributes, channel: id };
  return `  ${element('programme', `${titles(content.titles, limit)}${rest(content)}`, attributes)}\n`;
}

/** `YYYYMMDDhhmmss +0000`, the one form that all readers take for the same instant. */
export function timeText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace(/[-T:]/g, '')} +0000`;
}

function titles(all: readonly LangText[], limit: number | null): string {
  const written = all.map(({ text, lang }) => textElement('title', cut(text.trim(), limit), { lang })).join('');
  return written === '' ? emptyElement('title') : written;
}

function rest(content: ProgrammeContent): string {
  const { date, language, origLanguage, length, video, audio } = content;
  return [
    part.texts('sub-title', content.subTitles),
    part.texts('desc', content.descs),
    part.credits(content.credits),
    textElement('date', date),
    part.texts('category', content.categories),
    part.texts('keyword', content.keywords),
    part.langText('language', language),
    part.langText('orig-language', origLanguage),
    length === undefined ? '' : textElement('length', String(length.value), { units: length.units }),
    part.icons(content.icons),
    part.urls(content.urls),
    part.texts('country', content.countries),
    episodes(content.episodes),
    video === undefined ? '' : part.video(video),
    audio === undefined ? '' : part.audio(audio),
    flags(content),
    part.subtitles(content.subtitles),
    part.ratings('rating', content.ratings),
    part.ratings('star-rating', content.starRatings),
    part.reviews(content.reviews),
    part.images(content.images),
  ].join('');
}

/** The system is said where the DTD's default would do: some readers pass over an episode without one. */
function episodes(all: ProgrammeContent['episodes'] = []): string {
  return all.map(({ system, value }) => textElement('episode-num', value, { system: system ?? 'onscreen' })).join('');
}

function flags({ previouslyShown, premiere, lastChance, isNew }: ProgrammeContent): string {
  return [
    previouslyShown === undefined ? '' : emptyElement('previously-shown', previouslyShown),
    part.flag('premiere', premiere),
    part.flag('last-chance', lastChance),
    isNew === true ? emptyElement('new') : '',
  ].join('');
}
