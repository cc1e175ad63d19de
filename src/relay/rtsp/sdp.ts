import { readRange } from './range.js';
import { RtspFault } from './reasons.js';

/** What a description says (RFC 8866, RFC 2326 annex C). */
export type SdpFacts = {
  /** `a=control` of the whole and of the section that was chosen; null where there is none. */
  readonly control: string | null;
  readonly track: string | null;
  /** Seconds, by `a=range:npt`; null when it says none. */
  readonly duration: number | null;
  /** Epoch seconds, by `a=range:clock`; open when the end is null. */
  readonly clock: readonly [start: number, end: number | null] | null;
};

type Section = {
  /** Null of what stands in front of the first section. */
  readonly media: string | null;
  readonly protocol: string;
  readonly formats: readonly string[];
  readonly attributes: { readonly name: string; readonly value: string }[];
};

/** Encodings by the payload types that need no `a=rtpmap` (RFC 3551 §6). */
const fixed: Readonly<Record<string, string>> = {
  0: 'PCMU',
  3: 'GSM',
  8: 'PCMA',
  10: 'L16',
  11: 'L16',
  14: 'MPA',
  26: 'JPEG',
  31: 'H261',
  32: 'MPV',
  34: 'H263',
};
const transportStream = '33';
const names: Readonly<Record<string, string>> = {
  H264: 'H.264',
  H265: 'HEVC',
  HEVC: 'HEVC',
  'MP4A-LATM': 'AAC',
  'MPEG4-GENERIC': 'AAC',
  MPA: 'MPEG audio',
  MPV: 'MPEG video',
};

/** Reads a description and chooses its section: MPEG-TS before all. @throws RtspFault when there is none to be had. */
export function readSdp(body: string, host: string): SdpFacts {
  const [whole, ...sections] = readSections(body);
  if (whole === undefined || sections.length === 0) {
    throw new RtspFault('upstream-refused', `${host} describes nothing that can be played: its SDP has no media.`);
  }
  const chosen = choose(sections);
  if (chosen === null) throw refused(host, sections);
  const ranges = [...values(whole, 'range'), ...values(chosen, 'range')].map(readRange);
  return {
    control: values(whole, 'control')[0] ?? null,
    track: values(chosen, 'control')[0] ?? null,
    duration: ranges.find((range) => range !== null && range.duration !== null)?.duration ?? null,
    clock: ranges.find((range) => range !== null && range.clock !== null)?.clock ?? null,
  };
}

function readSections(body: string): Section[] {
  const sections: Section[] = [{ media: null, protocol: '', formats: [], attributes: [] }];
  for (const line of body.split(/\r\n|\n|\r/)) {
    const [, type, rest = ''] = /^\s*([a-z])\s*=\s*(.*?)\s*$/i.exec(line) ?? [];
    if (type === 'm') {
      const [media = '', , protocol = '', ...formats] = rest.split(/\s+/);
      sections.push({ media: media.toLowerCase(), protocol: protocol.toUpperCase(), formats, attributes: [] });
    } else if (type === 'a') {
      const [name = '', value = ''] = rest.split(/:(.*)/s, 2);
      sections.at(-1)?.attributes.push({ name: name.trim().toLowerCase(), value: value.trim() });
    }
  }
  return sections;
}

/** Some leave out what their stream is made of, or say it in attributes of their own: those are believed to be TS. */
function choose(sections: readonly Section[]): Section | null {
  const unsaid = sections.filter((section) => encodings(section).length === 0);
  return (
    sections.find(isTransportStream) ?? unsaid.find(({ media }) => media === 'video') ?? unsaid.find(isPlayable) ?? null
  );
}

function isTransportStream(section: Section): boolean {
  const { protocol, formats } = section;
  return formats.includes(transportStream) || protocol.startsWith('MP2T') || encodings(section).includes('MP2T');
}

function isPlayable({ media }: Section): boolean {
  return media !== 'audio' && media !== 'text' && media !== 'application';
}

/** In upper case, as `a=rtpmap` or the payload type says; none when neither does. */
function encodings(section: Section): string[] {
  const mapped = values(section, 'rtpmap').map((value) => /^\S+\s+([^/\s]+)/.exec(value)?.[1] ?? '');
  const said = mapped.filter((name) => name !== '').map((name) => name.toUpperCase());
  return said.length > 0 ? said : section.formats.flatMap((format) => fixed[format] ?? []);
}

function values({ attributes }: Section, wanted: string): string[] {
  return attributes.filter(({ name }) => name === wanted).map(({ value }) => value);
}

function refused(host: string, sections: readonly Section[]): RtspFault {
  const all = sections.flatMap(encodings).map((name) => names[name] ?? name.replace(/[^\w.+-]/g, '').slice(0, 20));
  const what = [...new Set(all)].slice(0, 3).join(' and ') || 'no video';
  return new RtspFault(
    'upstream-refused',
    `${host} sends ${what} over RTP without MPEG-TS, which Weir cannot put into a stream yet.`,
  );
}
