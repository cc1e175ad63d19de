import type { GuideChannel } from '../../model/guide.js';
import type { Icon, LangText, WebLink } from '../../model/programme.js';
import { type ParseOptions, readElements } from './elements.js';
import { decodeEntities, type Tell } from './entities.js';
import { iconOf, linkOf } from './normalise/media.js';
import { langTextOf } from './normalise/texts.js';
import type { XmlElement } from './parse.js';
import { Problems } from './problems.js';

/** Reads a `<channel>` element; null, and told, when it has no id or cannot be read. Never throws. */
export function parseChannel(bytes: Uint8Array, options: ParseOptions, tell: Tell): GuideChannel | null {
  const problems = new Problems();
  let channel: GuideChannel | null = null;
  readElements({ bytes, ends: [bytes.length], offsets: [0] }, options, problems, {
    take(element, _, tellOfIt) {
      channel = channelOf(element, tellOfIt);
      return channel !== null;
    },
    refuse: (problem) => problems.merge(problem),
  });
  for (const { code, message } of problems.all()) tell(code, message);
  return channel;
}

function channelOf({ attributes, children }: XmlElement, tell: Tell): GuideChannel | null {
  const { id = '' } = attributes;
  // As the scanner reads that of a programme, so that both are one: blanks in it are a part of it.
  const guideId = decodeEntities(id, tell).trim();
  if (guideId === '') {
    tell('no-channel', 'A <channel> has no id, and is left out.');
    return null;
  }
  const [names, icons, urls]: [LangText[], Icon[], WebLink[]] = [[], [], []];
  for (const child of children) {
    const { name } = child;
    if (name === 'display-name') put(names, langTextOf(child, tell));
    else if (name === 'icon') put(icons, iconOf(child, tell));
    else if (name === 'url') put(urls, linkOf(child, tell));
    else tell('unknown-element', `<${name}> is not known in <channel>, and is left out.`);
  }
  return { guideId, names, icons, urls };
}

function put<One>(list: One[], one: One | null): void {
  if (one !== null) list.push(one);
}

/** Of two elements with the same id: the names and pictures of both, those of the first one in front. */
export function mergeChannels(one: GuideChannel, other: GuideChannel): GuideChannel {
  const names = other.names.filter(
    ({ text, lang }) => !one.names.some((name) => name.text === text && name.lang === lang),
  );
  const icons = other.icons.filter(({ src }) => !one.icons.some((icon) => icon.src === src));
  const urls = other.urls.filter(({ url }) => !one.urls.some((link) => link.url === url));
  return {
    guideId: one.guideId,
    names: [...one.names, ...names],
    icons: [...one.icons, ...icons],
    urls: [...one.urls, ...urls],
  };
}
