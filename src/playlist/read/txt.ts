import type { EntryUrl } from '../../model/entry.js';
import { readAddress } from './address.js';
import { Entries } from './core.js';
import { type Field, headersOfAttributes, jsonFields, mergeHeaders } from './headers.js';
import { kindOf } from './kind.js';
import type { Context, Read } from './m3u.js';
import { Problems } from './problems.js';
import { isBlank } from './scan.js';
import { Lines } from './text.js';

/** Alternatives are joined by `#`; one inside an address has no scheme behind it. */
const alternatives = /#(?=[a-z][a-z0-9+.-]*:\/\/)/i;
/** Of the lines below it until the next group. */
const setting = /^(ua|referer|origin|header)\s*=\s*(.*)$/is;

/** Whether text without any `#EXTINF` looks like a list of `Name,URL` lines below `Group,#genre#` lines. */
export function looksLikeTxt(text: string): boolean {
  const lines = new Lines(text);
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (!line.startsWith('#') && (groupOf(line) !== null || channelOf(line) !== null)) return true;
  }
  return false;
}

/** Reads a TXT list. The same name again in the same group adds an alternative. */
export function readTxt(text: string, context: Context): Read {
  const reader = new TxtReader(context);
  const lines = new Lines(text);
  for (let line = lines.next(); line !== null && !reader.isOverfull; line = lines.next()) {
    if (!line.startsWith('#')) reader.take(line, lines.number);
  }
  return reader.end();
}

class TxtReader {
  readonly #base: string | null;
  readonly #problems = new Problems();
  readonly #entries = new Entries();
  /** Addresses by group and name. */
  readonly #found = new Map<string, EntryUrl[]>();
  readonly #setHeaders: readonly Field[];
  /** Said for this group. */
  #headers: readonly Field[] = [];
  #groups: readonly string[] = [];

  constructor({ headers, base }: Context) {
    this.#setHeaders = Object.entries(headers);
    this.#base = base;
  }

  take(text: string, line: number): void {
    const group = groupOf(text);
    if (group !== null) {
      this.#groups = group === '' ? [] : [group];
      this.#headers = [];
    } else if (!this.#takeChannel(text, line) && !this.#takeSetting(text)) {
      this.#problems.add(line, 'bad-address', `"${text.slice(0, 60)}" is neither Name,URL nor Group,#genre#.`);
    }
  }

  get isOverfull(): boolean {
    return this.#entries.isOverfull;
  }

  end(): Read {
    const { read: entries } = this.#entries;
    return { header: [], entries, problems: this.#problems, differences: () => this.#entries.differences };
  }

  /** False when the line is no `Name,URL`. */
  #takeChannel(text: string, line: number): boolean {
    const channel = channelOf(text) ?? relativeChannelOf(text);
    if (channel === null) return false;
    const { name } = channel;
    const urls = channel.address.split(alternatives).flatMap((part) => readAddress(part.trim(), this.#base) ?? []);
    const [first] = urls;
    if (first === undefined) return false;
    const same = `${this.#groups.join()}\n${name}`;
    const known = this.#found.get(same);
    if (known !== undefined) {
      known.push(...urls);
      return true;
    }
    this.#found.set(same, urls);
    this.#add(name, urls, first.url, line);
    return true;
  }

  #takeSetting(text: string): boolean {
    const [, name, value] = setting.exec(text) ?? [];
    if (name === undefined || value === undefined) return false;
    this.#headers = [...fieldsOf(name, value), ...this.#headers];
    return true;
  }

  #add(name: string, urls: EntryUrl[], url: string, line: number): void {
    const groups = this.#groups;
    const none = { attributes: [], directives: [], radio: false, guideShift: null };
    this.#entries.add({
      line,
      kind: kindOf({ ...none, duration: -1, name, groups, url }),
      name,
      tvgId: null,
      tvgName: null,
      number: null,
      logo: null,
      groups,
      urls,
      headers: mergeHeaders(this.#headers, this.#setHeaders),
      catchup: null,
      ...none,
    });
  }
}

/** `Group,#genre#`, also with a full-width comma; null when the line is another one. */
function groupOf(line: string): string | null {
  if (!line.endsWith('#') || !/#genre#$/i.test(line)) return null;
  const before = line.slice(0, -'#genre#'.length).trimEnd();
  return before.endsWith(',') || before.endsWith('，') ? before.slice(0, -1).trim() : null;
}

type Channel = { readonly name: string; readonly address: string };

/** The address starts at the first scheme that stands behind a comma. */
function channelOf(line: string): Channel | null {
  for (let colon = line.indexOf('://'); colon > 0; colon = line.indexOf('://', colon + 1)) {
    const start = schemeStart(line, colon);
    const comma = start === null ? -1 : blanksStart(line, start) - 1;
    if (start !== null && isComma(line.charAt(comma))) {
      return { name: line.slice(0, comma).trim(), address: line.slice(start) };
    }
  }
  return null;
}

function relativeChannelOf(line: string): Channel | null {
  const comma = line.search(/[,，]/);
  return comma < 0 ? null : { name: line.slice(0, comma).trim(), address: line.slice(comma + 1) };
}

/** Schemes are short: `rtmpe`, `mitv`, `plugin`. */
const longestScheme = 32;

function schemeStart(line: string, colon: number): number | null {
  const from = Math.max(0, colon - longestScheme);
  const found = /[a-z][a-z0-9+.-]*$/i.exec(line.slice(from, colon));
  return found === null ? null : from + found.index;
}

/** Where the blanks that end at `end` start. */
function blanksStart(line: string, end: number): number {
  let at = end;
  while (at > 0 && isBlank(line.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isComma(char: string): boolean {
  return char === ',' || char === '，';
}

function fieldsOf(setting: string, value: string): Field[] {
  const name = setting.toLowerCase();
  if (name === 'header') return jsonFields(value);
  return headersOfAttributes([[name === 'ua' ? 'user-agent' : name, value]]);
}
