import { readAddress } from './address.js';
import { attributeOf, scanAttributes } from './attributes.js';
import type { Attribute, Directive, EntryUrl, PlaylistEntry, Problem, ProblemCode } from './entry.js';
import { doubledAttributes, type Extinf, readExtinf, readTvgId } from './extinf.js';
import { headersOfAttributes, headersOfDirectives, mergeHeaders } from './headers.js';
import { eachLine, type Line } from './text.js';

export type Read = { header: Attribute[]; entries: PlaylistEntry[]; problems: Problem[] };

/** An entry that has no address yet. */
type Draft = {
  readonly extinf: Extinf;
  readonly line: number;
  /** Where its first line starts in the text, a directive before its EXTINF included. */
  readonly start: number;
  readonly directives: Directive[];
};
type Writable<T> = { -readonly [K in keyof T]: T[K] };
/** The last entry, which further addresses are added to. */
type Last = { readonly entry: Writable<PlaylistEntry>; readonly urls: EntryUrl[]; readonly start: number };

const directive = /^#((?:EXT|KODIPROP)[\w-]*)\s*[:=]?\s*(.*)$/i;
/** Of the whole list, or of HLS: no entry's. */
const ignored = /^(?:EXTM3U8?|EXT-X-SESSION-.*|EXTENC|PLAYLIST)$/i;

/** Reads an M3U list; `listHeaders` are sent where neither entry nor list say another value. */
export function readM3u(text: string, listHeaders: Readonly<Record<string, string>>): Read {
  const reader = new M3uReader(text, listHeaders);
  for (const line of eachLine(text)) reader.take(line);
  return reader.end();
}

class M3uReader {
  private readonly text: string;
  private readonly read: Read = { header: [], entries: [], problems: [] };
  /** Set for the list, and said by its own header line. */
  private readonly listHeaders: [string, string][];
  private ownHeaders: ReturnType<typeof headersOfAttributes> = [];
  private pending: Draft | null = null;
  /** Lines before an EXTINF that belong to it, and where the first of them starts. */
  private waiting: Directive[] = [];
  private waitingStart: number | null = null;
  /** `#EXTGRP` before an EXTINF holds until an empty one or a `group-title`. */
  private stickyGroups: string[] = [];
  private last: Last | null = null;
  private hasExtinf = false;

  constructor(text: string, listHeaders: Readonly<Record<string, string>>) {
    this.text = text;
    this.listHeaders = Object.entries(listHeaders);
  }

  take(line: Line): void {
    const extinf = readExtinf(line.text);
    if (!line.text.startsWith('#')) this.takeAddress(line);
    else if (extinf !== null) this.takeExtinf(extinf, line);
    else if (/^#EXTM3U8?(?:\s|$)/i.test(line.text)) this.takeHeader(line.text);
    else this.takeDirective(line);
  }

  end(): Read {
    this.dropPending();
    return this.read;
  }

  private takeHeader(line: string): void {
    this.read.header.push(...scanAttributes(line, line.search(/\s|$/)).attributes);
    this.ownHeaders = headersOfAttributes(this.read.header);
  }

  private takeExtinf(extinf: Extinf, { number, start }: Line): void {
    this.dropPending();
    this.hasExtinf = true;
    this.pending = this.draft(extinf, number, start);
    if (!extinf.isNamed) this.report(number, 'name-missing', 'No name behind the comma of #EXTINF.');
    for (const name of doubledAttributes(extinf.attributes)) {
      this.report(number, 'doubled-attribute', `The attribute ${name} stands twice; the first one counts.`);
    }
  }

  /** Takes what waited for it. */
  private draft(extinf: Extinf, line: number, start: number): Draft {
    const draft = { extinf, line, start: this.waitingStart ?? start, directives: this.waiting };
    this.waiting = [];
    this.waitingStart = null;
    return draft;
  }

  private takeDirective({ text, start }: Line): void {
    const [, name, value] = directive.exec(text) ?? [];
    if (name === undefined || value === undefined || ignored.test(name)) return;
    if (this.pending === null) {
      if (/^EXTGRP$/i.test(name)) this.stickyGroups = splitGroups(value);
      this.waitingStart ??= start;
      this.waiting.push({ name, value: value.trim(), before: true });
    } else {
      this.pending.directives.push({ name, value: value.trim(), before: false });
    }
  }

  private takeAddress({ text, number, start, end }: Line): void {
    const url = readAddress(text);
    if (url === null) {
      this.report(number, 'bad-address', `"${text.slice(0, 60)}" is no address: it has no scheme such as udp://.`);
    } else if (this.pending !== null) {
      this.emit(this.pending, url, end);
    } else if (this.hasExtinf) {
      this.addAlternative(url, number, end);
    } else {
      this.emit(this.draft({ attributes: [], name: url.label ?? '', isNamed: false }, number, start), url, end);
    }
  }

  private addAlternative(url: EntryUrl, number: number, end: number): void {
    if (this.last === null) {
      this.report(number, 'alternative-without-entry', 'An address without an #EXTINF line before it.');
      return;
    }
    this.last.urls.push(url);
    this.last.entry.raw = this.text.slice(this.last.start, end);
  }

  private emit(draft: Draft, url: EntryUrl, end: number): void {
    const { directives, start } = draft;
    const { attributes, name } = draft.extinf;
    const urls = [url];
    const own = headersOfAttributes(attributes);
    const entry: PlaylistEntry = {
      line: draft.line,
      raw: this.text.slice(start, end),
      name,
      tvgId: readTvgId(attributes),
      tvgName: attributeOf(attributes, 'tvg-name'),
      number: attributeOf(attributes, 'tvg-chno', 'ch-number', 'channel-number'),
      logo: attributeOf(attributes, 'tvg-logo', 'logo'),
      groups: this.groupsOf(attributes, directives),
      radio: /^(?:true|1|yes)$/i.test(attributeOf(attributes, 'radio') ?? ''),
      urls,
      headers: mergeHeaders(own, headersOfDirectives(directives), this.ownHeaders, this.listHeaders),
      attributes,
      directives,
    };
    this.read.entries.push(entry);
    this.pending = null;
    this.last = { entry, urls, start };
  }

  /** `group-title`, else an EXTGRP behind the EXTINF, else the one that holds since before. */
  private groupsOf(attributes: readonly Attribute[], directives: readonly Directive[]): string[] {
    const title = attributeOf(attributes, 'group-title');
    if (title !== null) {
      this.stickyGroups = [];
      return splitGroups(title);
    }
    const behind = directives.findLast(({ name, before }) => !before && /^EXTGRP$/i.test(name));
    return behind === undefined ? this.stickyGroups : splitGroups(behind.value);
  }

  private dropPending(): void {
    if (this.pending === null) return;
    const { line, extinf } = this.pending;
    this.report(line, 'entry-without-url', `"${extinf.name}" has no address on the lines after it.`);
    this.pending = null;
    this.last = null;
  }

  private report(line: number, code: ProblemCode, message: string): void {
    this.read.problems.push({ line, code, message });
  }
}

function splitGroups(text: string): string[] {
  const groups = text.includes(';') ? text.split(';') : [text];
  return groups.map((group) => group.trim()).filter((group) => group !== '');
}
