import type { PidStatus, StreamStatus } from '../model/stream.js';
import { formatBitrate, formatInterval } from './format.js';
import { type Column, mark } from './table.js';

/** One indicator of ETSI TR 101 290 as a page shows it. Times are in seconds. */
type Check = {
  readonly name: string;
  /** Number of the indicator. */
  readonly indicator: string;
  /** The longest interval lately, or null where there is none or it is not known. */
  readonly lately: number | null;
  /** The longest that is allowed, or null where none is. */
  readonly limit: number | null;
  readonly errors: number;
};

/** Names of stream types (ISO/IEC 13818-1 table 2-34, ATSC A/53, GB/T 33475), for those who do not know them by heart. */
const typeNames: Readonly<Record<number, string>> = {
  1: 'MPEG-1 video',
  2: 'MPEG-2 video',
  3: 'MPEG-1 audio',
  4: 'MPEG-2 audio',
  5: 'private sections',
  6: 'private data',
  15: 'AAC',
  16: 'MPEG-4 video',
  17: 'AAC LATM',
  27: 'H.264',
  36: 'HEVC',
  51: 'VVC',
  66: 'AVS',
  129: 'AC-3',
  135: 'E-AC-3',
  210: 'AVS2',
  212: 'AVS3',
};

/** What is checked of a stream, in the order of the standard. */
export function checksOf({ continuityErrors, health }: StreamStatus): readonly Check[] {
  const { patInterval, pmtInterval, pcrInterval } = health;
  const counted = { lately: null, limit: null };
  return [
    { name: 'Sync', indicator: '1.1', ...counted, errors: health.syncLosses },
    { name: 'PAT', indicator: '1.3', lately: patInterval, limit: 0.5, errors: health.patErrors },
    { name: 'Continuity', indicator: '1.4', ...counted, errors: continuityErrors },
    { name: 'PMT', indicator: '1.5', lately: pmtInterval, limit: 0.5, errors: health.pmtErrors },
    { name: 'PID', indicator: '1.6', lately: null, limit: 5, errors: health.pidErrors },
    { name: 'Transport', indicator: '2.1', ...counted, errors: health.transportErrors },
    { name: 'CRC', indicator: '2.2', ...counted, errors: health.crcErrors },
    { name: 'PCR', indicator: '2.3', lately: pcrInterval, limit: 0.1, errors: health.pcrErrors },
  ];
}

export const checkColumns: readonly Column<Check>[] = [
  { title: 'Check', class: 'state', of: ({ name, errors }) => mark(name, errors === 0 ? 'good' : 'bad') },
  { title: 'TR 101 290', of: ({ indicator }) => indicator },
  { title: 'Errors', class: 'n', of: ({ errors }) => errors },
  { title: 'Interval', class: 'n', of: ({ lately }) => interval(lately) },
  { title: 'At most', class: 'n', of: ({ limit }) => interval(limit) },
];

export const pidColumns: readonly Column<PidStatus>[] = [
  { title: 'PID', of: ({ pid }) => pid },
  { title: 'Role', of: ({ role, pcr }) => (pcr ? `${roleName(role)}, PCR` : roleName(role)) },
  { title: 'Type', of: ({ type }) => (type === null ? null : (typeNames[type] ?? `0x${type.toString(16)}`)) },
  { title: 'Bitrate', class: 'n', of: ({ bitrate }) => formatBitrate(bitrate) },
  { title: 'Packets', class: 'n', of: ({ packets }) => packets },
  { title: 'Continuity errors', class: 'n', of: ({ continuityErrors }) => continuityErrors },
  { title: 'Scrambled', class: 'n', of: ({ scrambled }) => scrambled },
];

function roleName(role: PidStatus['role']): string {
  if (role === null) return 'in no table';
  return { pat: 'PAT', pmt: 'PMT', component: 'component', null: 'null packets' }[role];
}

function interval(seconds: number | null): string | null {
  return seconds === null ? null : formatInterval(seconds);
}
