import {
  type Credit,
  creditRoles,
  type Icon,
  type Image,
  type LangText,
  type ProgrammeContent,
  type Rating,
  type WebLink,
} from '../../model/programme.js';
import { element, emptyElement, textElement } from './xml.js';

/** Parts of a programme that hold more than a text. What the DTD has no word for is left out: one such word makes it invalid. */
const imageTypes = ['poster', 'backdrop', 'still', 'person', 'character'] as const;
const subtitleTypes = ['teletext', 'onscreen', 'deaf-signed'] as const;

export function texts(name: string, all: readonly LangText[] = []): string {
  return all.map((one) => langText(name, one)).join('');
}

export function langText(name: string, one: LangText | undefined): string {
  return one === undefined ? '' : textElement(name, one.text, { lang: one.lang });
}

/** `<premiere/>` says something without a text too. */
export function flag(name: string, one: LangText | undefined): string {
  return one === undefined ? '' : langText(name, one) || emptyElement(name);
}

export function icons(all: readonly Icon[] = []): string {
  return all.map(({ src, width, height }) => emptyElement('icon', { src, width, height })).join('');
}

export function urls(all: readonly WebLink[] = []): string {
  return all.map(({ url, system }) => textElement('url', url, { system })).join('');
}

export function images(all: readonly Image[] = []): string {
  const written = all.map(({ url, type, size, orient, system }) =>
    textElement('image', url, {
      type: among(imageTypes, type),
      size: among(['1', '2', '3'], size),
      orient: among(['P', 'L'], orient),
      system,
    }),
  );
  return written.join('');
}

export function credits(all: readonly Credit[] = []): string {
  const inOrder = creditRoles.flatMap((role) => all.filter((credit) => credit.as === role));
  return element('credits', inOrder.map(credit).join(''));
}

function credit({ as, name, role, guest, images: pictures, urls: links }: Credit): string {
  const attributes = as === 'actor' ? { role, guest: guest ? 'yes' : null } : {};
  const named = textElement(as, name, attributes);
  return named === '' ? '' : `${named.slice(0, -`</${as}>`.length)}${images(pictures)}${urls(links)}</${as}>`;
}

export function video({ present, colour, aspect, quality }: NonNullable<ProgrammeContent['video']>): string {
  const parts = Object.entries({ present, colour, aspect, quality });
  return element('video', parts.map(([name, text]) => textElement(name, text)).join(''));
}

export function audio({ present, stereo }: NonNullable<ProgrammeContent['audio']>): string {
  return element('audio', `${textElement('present', present)}${textElement('stereo', stereo)}`);
}

export function subtitles(all: ProgrammeContent['subtitles'] = []): string {
  const written = all.map(({ type, language }) => {
    const attributes = { type: among(subtitleTypes, type) };
    const said = langText('language', language ?? undefined);
    return said === '' ? emptyElement('subtitles', attributes) : element('subtitles', said, attributes);
  });
  return written.join('');
}

export function ratings(name: string, all: readonly Rating[] = []): string {
  const written = all.map(({ value, system, icons: pictures }) => {
    const said = textElement('value', value);
    return said === '' ? '' : element(name, `${said}${icons(pictures)}`, { system });
  });
  return written.join('');
}

export function reviews(all: ProgrammeContent['reviews'] = []): string {
  const written = all.map(({ type, value, source, reviewer, lang }) =>
    textElement('review', value, { type, source, reviewer, lang }),
  );
  return written.join('');
}

function among(known: readonly string[], value: string | null): string | null {
  return value !== null && known.includes(value) ? value : null;
}
