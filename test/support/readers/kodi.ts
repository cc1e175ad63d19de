import type { Listed } from './listed.js';

export type KodiChannel = Listed & {
  readonly tvgName: string;
  readonly logo: string;
  readonly isRadio: boolean;
  /** Whether it is taken for a recording. */
  readonly isRecording: boolean;
  readonly isRealTime: boolean;
  readonly hasCatchup: boolean;
  /** Seconds. */
  readonly shift: number;
  /** `#KODIPROP` and the `#EXTVLCOPT` it knows, by name. */
  readonly properties: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
};

const catchupMarkers = ['catchup=', 'catchup-type=', 'catchup-days=', 'timeshift=', 'tvg-rec='];
const vlcOptions = new Set(['http-user-agent', 'http-referrer', 'program']);

type Said = Omit<KodiChannel, 'url' | 'headers' | 'properties'>;

/** Reads a list by the rules of Kodi's IPTV Simple 22.3: text searches in lines, nothing anchored, nothing escaped. */
export function readAsKodi(list: string): { guide: string; channels: KodiChannel[] } {
  const channels: KodiChannel[] = [];
  const lines = list.split('\n').map((line) => line.replace(/^[ \t]+|[ \t\r]+$/g, ''));
  const header = lines[0]?.startsWith('#EXTM3U') ? lines[0] : '';
  let said: Said = nothing;
  let properties: Record<string, string> = {};
  for (const line of lines.filter((text) => text !== '')) {
    if (line.startsWith('#EXTINF')) said = readExtinf(line);
    else if (line.startsWith('#EXTGRP:')) said = { ...said, groups: line.slice('#EXTGRP:'.length).split(';') };
    else if (line.startsWith('#')) Object.assign(properties, property(line));
    else {
      channels.push({ ...said, ...splitUrl(line), properties });
      said = nothing;
      properties = {};
    }
  }
  return { guide: marked(header, 'x-tvg-url=') || marked(header, 'url-tvg='), channels };
}

const nothing: Said = {
  ...{ name: '', id: '', tvgName: '', number: null, groups: [], logo: '', shift: 0 },
  ...{ isRadio: false, isRecording: false, isRealTime: true, hasCatchup: false },
};

function readExtinf(line: string): Said {
  const comma = nameComma(line);
  const info = line.slice(line.indexOf(':') + 1, comma);
  return {
    name: line.slice(comma + 1).replace(/^[ \t\n\v\f\r]+|[ \t\n\v\f\r]+$/g, ''),
    id: marked(info, 'tvg-id=') || marked(info, 'tvg-ID=') || String(Number.parseInt(info, 10)),
    tvgName: marked(info, 'tvg-name='),
    number: readNumber(marked(info, 'tvg-chno=') || marked(info, 'ch-number=')),
    groups: marked(info, 'group-title=').split(';').filter(Boolean),
    logo: marked(info, 'tvg-logo='),
    isRadio: marked(info, 'radio=').toLowerCase() === 'true',
    isRecording: ['media="', 'media=', 'media-dir=', 'media-size='].some((marker) => line.includes(marker)),
    isRealTime: !/realtime="false"/i.test(line),
    hasCatchup: catchupMarkers.some((marker) => marked(info, marker) !== ''),
    shift: Math.trunc((Number.parseFloat(marked(info, 'tvg-shift=')) || 0) * 3600),
  };
}

/** The first one behind the last quotation mark where nothing but blanks stands between, else the last of the line. */
function nameComma(line: string): number {
  const quote = line.lastIndexOf('"');
  const behind = line.slice(quote + 1);
  return quote >= 0 && behind.trimStart().startsWith(',') ? quote + 1 + behind.indexOf(',') : line.lastIndexOf(',');
}

/** What follows the first place where the marker stands, to the next quotation mark, else to the next blank. */
function marked(line: string, marker: string): string {
  const found = line.indexOf(marker);
  if (found < 0) return '';
  const rest = line.slice(found + marker.length);
  const [, quoted] = /^"([^"]*)/.exec(rest) ?? [];
  return quoted ?? rest.split(' ', 1)[0] ?? '';
}

/** `atoi` of either side of the point. */
function readNumber(text: string): string | null {
  if (text === '') return null;
  const [major = '', minor] = text.split(/\.(.*)/s);
  const integer = (part: string) => String(Number.parseInt(part, 10) || 0);
  return minor === undefined ? integer(major) : `${integer(major)}.${integer(minor)}`;
}

/** Of `#KODIPROP` any, of `#EXTVLCOPT` those it knows. */
function property(line: string): Record<string, string> {
  const [, directive, name, value] = /^#(KODIPROP|EXTVLCOPT):([^=]*)=(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) return {};
  const known = name.toLowerCase();
  return directive === 'KODIPROP' || vlcOptions.has(known) ? { [known]: value } : {};
}

function splitUrl(line: string): Pick<KodiChannel, 'url' | 'headers'> {
  const bar = line.indexOf('|');
  if (bar < 0) return { url: line, headers: {} };
  return { url: line.slice(0, bar), headers: Object.fromEntries(new URLSearchParams(line.slice(bar + 1))) };
}
