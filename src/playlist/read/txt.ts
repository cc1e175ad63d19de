import { readAddress } from './address.js';
import type { EntryUrl, PlaylistEntry, Problem } from './entry.js';
import type { Read } from './m3u.js';
import { eachLine } from './text.js';

const genre = /^(.*?)[,，]\s*#genre#\s*$/i;
const channel = /^(.*?)[,，]\s*([a-z][a-z0-9+.-]*:\/\/.*)$/i;
/** Alternatives are joined by `#`; one inside an address has no scheme behind it. */
const alternatives = /#(?=[a-z0-9+.-]+:\/\/)/i;

/** Whether text without any `#EXTINF` looks like a list of `Name,URL` lines below `Group,#genre#` lines. */
export function looksLikeTxt(text: string): boolean {
  for (const { text: line } of eachLine(text)) {
    if (!line.startsWith('#') && (genre.test(line) || channel.test(line))) return true;
  }
  return false;
}

/** Reads a TXT list. The same name again in the same group adds an alternative. */
export function readTxt(text: string, headers: Readonly<Record<string, string>>): Read {
  const found = new Map<string, TxtEntry>();
  const problems: Problem[] = [];
  let group = '';
  for (const { text: raw, number: line } of eachLine(text)) {
    if (raw.startsWith('#')) continue;
    const title = genre.exec(raw);
    if (title !== null) group = (title[1] ?? '').trim();
    else if (!addChannel(found, { ...blank, line, raw, groups: group === '' ? [] : [group], headers })) {
      const message = `"${raw.slice(0, 60)}" is neither Name,URL nor Group,#genre#.`;
      problems.push({ line, code: 'bad-address', message });
    }
  }
  return { header: [], entries: [...found.values()], problems };
}

type TxtEntry = Omit<PlaylistEntry, 'raw'> & { readonly urls: EntryUrl[]; raw: string };

/** False when the line is no `Name,URL`. */
function addChannel(found: Map<string, TxtEntry>, entry: Omit<TxtEntry, 'name' | 'urls'>): boolean {
  const match = channel.exec(entry.raw);
  const urls = (match?.[2] ?? '').split(alternatives).flatMap((part) => readAddress(part.trim()) ?? []);
  if (match === null || urls.length === 0) return false;
  const name = (match[1] ?? '').trim();
  const same = JSON.stringify([entry.groups, name]);
  const known = found.get(same);
  if (known === undefined) {
    found.set(same, { ...entry, name, urls });
  } else {
    known.urls.push(...urls);
    known.raw += `\n${entry.raw}`;
  }
  return true;
}

const blank = {
  tvgId: null,
  tvgName: null,
  number: null,
  logo: null,
  radio: false,
  attributes: [],
  directives: [],
};
