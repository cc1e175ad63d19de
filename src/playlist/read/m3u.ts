import { readAddress } from './address.js';
import { attributeOf, scanAttributes } from './attributes.js';
import type { Attribute, Directive, EntryUrl, PlaylistEntry, Problem, ProblemCode } from './entry.js';
import { doubledAttributes, type Extinf, readExtinf, readTvgId } from './extinf.js';
import { headersOfAttributes, headersOfDirectives, mergeHeaders } from './headers.js';

type Draft = Extinf & { readonly line: number; readonly raw: string[]; readonly directives: Directive[] };

export type Read = { header: Attribute[]; entries: PlaylistEntry[]; problems: Problem[] };

const directive = /^#((?:EXT|KODIPROP)[\w-]*)\s*[:=]?\s*(.*)$/i;
/** Of the whole list, or of HLS: no entry's. */
const ignored = /^(?:EXTM3U8?|EXT-X-SESSION-.*|EXTENC|PLAYLIST)$/i;

/** Reads the lines of an M3U list; `listHeaders` are sent where neither entry nor list say another value. */
export function readM3u(lines: readonly string[], listHeaders: Readonly<Record<string, string>>): Read {
  const reader = new M3uReader(listHeaders);
  for (const [index, line] of lines.entries()) reader.take(line.trim(), index + 1);
  return reader.end();
}

class M3uReader {
  private readonly read: Read = { header: [], entries: [], problems: [] };
  /** Set for the list, and said by its own header line. */
  private readonly listHeaders: [string, string][];
  private ownHeaders: ReturnType<typeof headersOfAttributes> = [];
  private pending: Draft | null = null;
  /** Lines before an EXTINF that belong to it. */
  private waiting: Directive[] = [];
  private waitingRaw: string[] = [];
  /** `#EXTGRP` before an EXTINF holds until an empty one or a `group-title`. */
  private stickyGroups: string[] = [];
  /** Addresses of the last entry, which further ones are added to. */
  private lastUrls: EntryUrl[] | null = null;
  private hasExtinf = false;

  constructor(listHeaders: Readonly<Record<string, string>>) {
    this.listHeaders = Object.entries(listHeaders);
  }

  take(line: string, number: number): void {
    if (line === '') return;
    const extinf = readExtinf(line);
    if (!line.startsWith('#')) this.takeAddress(line, number);
    else if (extinf !== null) this.takeExtinf(extinf, line, number);
    else if (/^#EXTM3U8?(?:\s|$)/i.test(line)) this.takeHeader(line);
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

  private takeExtinf(extinf: Extinf, line: string, number: number): void {
    this.dropPending();
    this.hasExtinf = true;
    this.pending = { ...extinf, line: number, raw: [...this.waitingRaw, line], directives: this.waiting };
    this.waiting = [];
    this.waitingRaw = [];
    if (!extinf.isNamed) this.report(number, 'name-missing', 'No name behind the comma of #EXTINF.');
    for (const name of doubledAttributes(extinf.attributes)) {
      this.report(number, 'doubled-attribute', `The attribute ${name} stands twice; the first one counts.`);
    }
  }

  private takeDirective(line: string): void {
    const [, name, value] = directive.exec(line) ?? [];
    if (name === undefined || value === undefined || ignored.test(name)) return;
    if (this.pending === null && /^EXTGRP$/i.test(name)) this.stickyGroups = splitGroups(value);
    const directives = this.pending?.directives ?? this.waiting;
    directives.push({ name, value: value.trim(), before: this.pending === null });
    (this.pending?.raw ?? this.waitingRaw).push(line);
  }

  private takeAddress(line: string, number: number): void {
    const url = readAddress(line);
    if (url === null) {
      this.report(number, 'bad-address', `"${line.slice(0, 60)}" is no address: it has no scheme such as udp://.`);
    } else if (this.pending !== null) {
      this.pending.raw.push(line);
      this.emit(this.pending, url);
    } else if (this.hasExtinf) {
      this.addAlternative(url, number);
    } else {
      const raw = [...this.waitingRaw, line];
      const bare = {
        attributes: [],
        name: url.label ?? '',
        isNamed: false,
        line: number,
        raw,
        directives: this.waiting,
      };
      this.waiting = [];
      this.waitingRaw = [];
      this.emit(bare, url);
    }
  }

  private addAlternative(url: EntryUrl, number: number): void {
    if (this.lastUrls !== null) this.lastUrls.push(url);
    else this.report(number, 'alternative-without-entry', 'An address without an #EXTINF line before it.');
  }

  private emit(draft: Draft, url: EntryUrl): void {
    const { attributes, directives } = draft;
    const urls = [url];
    const own = headersOfAttributes(attributes);
    this.read.entries.push({
      line: draft.line,
      raw: draft.raw.join('\n'),
      name: draft.name,
      tvgId: readTvgId(attributes),
      tvgName: attributeOf(attributes, 'tvg-name'),
      number: attributeOf(attributes, 'tvg-chno', 'ch-number', 'channel-number'),
      logo: attributeOf(attributes, 'tvg-logo', 'logo'),
      groups: this.groupsOf(draft),
      radio: /^(?:true|1|yes)$/i.test(attributeOf(attributes, 'radio') ?? ''),
      urls,
      headers: mergeHeaders(own, headersOfDirectives(directives), this.ownHeaders, this.listHeaders),
      attributes,
      directives,
    });
    this.pending = null;
    this.lastUrls = urls;
  }

  /** `group-title`, else an EXTGRP behind the EXTINF, else the one that holds since before. */
  private groupsOf({ attributes, directives }: Draft): string[] {
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
    const { line, name } = this.pending;
    this.report(line, 'entry-without-url', `"${name}" has no address on the lines after it.`);
    this.pending = null;
    this.lastUrls = null;
  }

  private report(line: number, code: ProblemCode, message: string): void {
    this.read.problems.push({ line, code, message });
  }
}

function splitGroups(text: string): string[] {
  return text
    .split(';')
    .map((group) => group.trim())
    .filter((group) => group !== '');
}
