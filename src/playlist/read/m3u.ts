import type { Attribute, Directive, EntryUrl } from '../../model/entry.js';
import { guideShiftOf } from '../../model/extras.js';
import { readAddress } from './address.js';
import { attributeOf, mostAttributes, scanHeader } from './attributes.js';
import { readCatchup } from './catchup.js';
import { Entries } from './core.js';
import type { PlaylistEntry } from './entry.js';
import { doubledAttributes, type Extinf, readExtinf, readTvgId } from './extinf.js';
import { type Field, headersOfAttributes, headersOfDirectives, mergeHeaders } from './headers.js';
import { kindOf } from './kind.js';
import { readLogo } from './logo.js';
import { Problems } from './problems.js';
import { Lines } from './text.js';

export type Context = {
  /** Set for the list: sent where neither entry nor list say another value. */
  readonly headers: Readonly<Record<string, string>>;
  /** The list's own address, or null. */
  readonly base: string | null;
};
export type Read = {
  readonly header: readonly Attribute[];
  readonly entries: readonly PlaylistEntry[];
  readonly problems: Problems;
  readonly differences: () => number;
};

/** An entry that has no address yet. */
type Draft = {
  readonly extinf: Extinf;
  readonly line: number;
  readonly directives: Directive[];
};

/** Kodi's and VLC's lines. */
const directive = /^#((?:EXT|KODIPROP)[\w-]*)\s*[:=]?\s*(.*)$/is;
/** Whatever else is written like one: its name in capitals, a colon, no address. */
const otherDirective = /^#([A-Z][A-Z0-9_-]*):(?!\/\/)\s*(.*)$/s;
/** Of the whole list, or of HLS: no entry's. */
const ignored = /^(?:EXTM3U8?|EXT-X-SESSION-.*|EXT-X-VERSION|EXTENC|PLAYLIST)$/i;
const unnamed: Extinf = { duration: -1, attributes: [], name: '', isNamed: false };

/** Reads an M3U list. */
export function readM3u(text: string, context: Context): Read {
  const reader = new M3uReader(context);
  const lines = new Lines(text);
  for (let line = lines.next(); line !== null && !reader.isOverfull; line = lines.next()) {
    reader.take(line, lines.number);
  }
  return reader.end();
}

class M3uReader {
  readonly #base: string | null;
  readonly #problems = new Problems();
  readonly #entries = new Entries();
  readonly #header: Attribute[] = [];
  /** The attributes that speak for entries which say nothing: of the header that stands nearest before them first. */
  #defaults: Attribute[] = [];
  /** Set for the list, and said by its own header line. */
  readonly #setHeaders: readonly Field[];
  #listHeaders: readonly Field[] = [];
  #pending: Draft | null = null;
  /** Lines before an EXTINF that belong to it. */
  #waiting: Directive[] = [];
  /** `#EXTGRP` before an EXTINF holds until an empty one or a `group-title`. */
  #stickyGroups: string[] = [];
  /** Addresses of the last entry, which alternatives are added to. */
  #last: EntryUrl[] | null = null;
  #hasExtinf = false;

  constructor({ headers, base }: Context) {
    this.#setHeaders = Object.entries(headers);
    this.#base = base;
  }

  take(text: string, line: number): void {
    const extinf = readExtinf(text);
    if (extinf !== null) this.#takeExtinf(extinf, line);
    else if (!text.startsWith('#')) this.#takeAddress(text, line);
    else if (/^#EXTM3U8?(?:\s|$)/i.test(text)) this.#takeHeader(text);
    else this.#takeDirective(text);
  }

  get isOverfull(): boolean {
    return this.#entries.isOverfull;
  }

  end(): Read {
    this.#dropPending();
    const { read: entries } = this.#entries;
    return { header: this.#header, entries, problems: this.#problems, differences: () => this.#entries.differences };
  }

  #takeHeader(line: string): void {
    const attributes = scanHeader(line, line.search(/\s|$/));
    this.#header.push(...attributes);
    this.#defaults = inherited([...attributes, ...this.#defaults]);
    this.#listHeaders = headersOfAttributes(this.#defaults);
  }

  #takeExtinf(extinf: Extinf, line: number): void {
    this.#dropPending();
    this.#hasExtinf = true;
    this.#pending = this.#draft(extinf, line);
    if (!extinf.isNamed) this.#problems.add(line, 'name-missing', 'No name behind the comma of #EXTINF.');
    if (extinf.attributes.length === mostAttributes)
      this.#problems.add(line, 'too-many-attributes', `Only the first ${mostAttributes} attributes are read.`);
    for (const name of doubledAttributes(extinf.attributes)) {
      this.#problems.add(line, 'doubled-attribute', `The attribute ${name} stands twice; the first one counts.`);
    }
  }

  /** Takes what waited for it. */
  #draft(extinf: Extinf, line: number): Draft {
    const draft = { extinf, line, directives: this.#waiting };
    this.#waiting = [];
    return draft;
  }

  #takeDirective(text: string): void {
    const [, name, value] = directive.exec(text) ?? otherDirective.exec(text) ?? [];
    if (name === undefined || value === undefined || ignored.test(name)) return;
    if (this.#pending !== null) {
      this.#pending.directives.push({ name, value, before: false });
      return;
    }
    if (/^EXTGRP$/i.test(name)) this.#stickyGroups = splitGroups(value);
    this.#waiting.push({ name, value, before: true });
  }

  #takeAddress(text: string, line: number): void {
    const url = readAddress(text, this.#base);
    if (url === null) {
      this.#problems.add(line, 'bad-address', `"${text.slice(0, 60)}" is no address: it has no scheme such as udp://.`);
    } else if (this.#pending !== null) {
      this.#emit(this.#pending, url);
    } else if (!this.#hasExtinf) {
      this.#emit(this.#draft({ ...unnamed, name: url.label ?? '' }, line), url);
    } else if (this.#last !== null) {
      this.#last.push(url);
    } else {
      this.#problems.add(line, 'alternative-without-entry', 'An address without an #EXTINF line before it.');
    }
  }

  #emit({ extinf, line, directives }: Draft, address: EntryUrl): void {
    const { attributes, name, duration } = extinf;
    const { url } = address;
    const urls = [address];
    const groups = this.#groupsOf(attributes, directives);
    const radio = /^(?:true|1|yes)$/i.test(attributeOf(attributes, 'radio') ?? '');
    const kind = kindOf({ duration, name, groups, url, radio, attributes, directives });
    const own = headersOfAttributes(attributes);
    this.#entries.add({
      line,
      kind,
      name,
      tvgId: readTvgId(attributes),
      tvgName: attributeOf(attributes, 'tvg-name'),
      number:
        attributeOf(attributes, 'tvg-chno') ??
        attributeOf(attributes, 'ch-number') ??
        attributeOf(attributes, 'channel-number'),
      logo: readLogo(attributes, this.#defaults, this.#base),
      groups,
      radio,
      guideShift: guideShiftOf(attributes) ?? guideShiftOf(this.#defaults),
      urls,
      headers: mergeHeaders(own, headersOfDirectives(directives), this.#listHeaders, this.#setHeaders),
      catchup: kind === 'live' ? readCatchup(attributes, this.#defaults, url) : null,
      attributes,
      directives,
    });
    this.#pending = null;
    this.#last = urls;
  }

  /** `group-title`, else an EXTGRP behind the EXTINF, else the one that holds since before. */
  #groupsOf(attributes: readonly Attribute[], directives: readonly Directive[]): string[] {
    const title = attributeOf(attributes, 'group-title');
    if (title !== null) {
      this.#stickyGroups = [];
      return splitGroups(title);
    }
    const behind = directives.findLast(({ name, before }) => !before && /^EXTGRP$/i.test(name));
    return behind === undefined ? this.#stickyGroups : splitGroups(behind.value);
  }

  #dropPending(): void {
    if (this.#pending === null) return;
    const { line, extinf } = this.#pending;
    this.#problems.add(line, 'entry-without-url', `"${extinf.name}" has no address on the lines after it.`);
    this.#pending = null;
    this.#last = null;
  }
}

const inheritedNames =
  /^(?:catchup(?:-(?:type|source|days|time|correction))?|timeshift|tvg-rec|tvg-shift|url-logo|(?:http-)?(?:user-agent|referr?er|origin))$/i;

/** Of the attributes that speak for entries the first of each name: lists joined of thousands have thousands of headers. */
function inherited(attributes: readonly Attribute[]): Attribute[] {
  const first = new Map<string, Attribute>();
  for (const attribute of attributes) {
    const [name, value] = attribute;
    const known = name.toLowerCase();
    if (value !== '' && !first.has(known) && inheritedNames.test(name)) first.set(known, attribute);
  }
  return [...first.values()];
}

function splitGroups(text: string): string[] {
  if (!text.includes(';')) return text === '' ? [] : [text];
  const groups = text.split(';').map((group) => group.trim());
  return [...new Set(groups)].filter((group) => group !== '');
}
