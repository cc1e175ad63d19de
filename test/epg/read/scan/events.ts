import type { ReadOptions, ScanStats } from '../../../../src/epg/read/scan/contract.js';
import { createScanner } from '../../../../src/epg/read/scan/scanner.js';

/** 2024-01-01 12:00 UTC. */
export const noon = 1_704_110_400;

export type Scanned = {
  /** What was told, in its order; programmes with the text of their content. */
  readonly events: readonly string[];
  readonly stats: ScanStats;
  readonly declared: string | null;
};

type Options = Partial<ReadOptions> & {
  /** Bytes of the chunks, by turns; all at once unless said. */
  readonly cuts?: readonly number[];
  /** Bytes of the first chunk, when it is not one of these. */
  readonly lead?: number;
  readonly wanted?: (key: string) => boolean;
};

/** What a scan of a guide tells. */
export function scan(guide: string | Uint8Array, options: Options = {}): Scanned {
  const { cuts = [], lead = 0, wanted = () => true, timeZone = null, encoding = null } = options;
  const events: string[] = [];
  const scanner = createScanner(
    {
      channel: (bytes, offset) => events.push(`${offset} channel ${text(bytes)}`),
      head: ({ key }) => wanted(key),
      programme: ({ key, start, stop, offset }, bytes, { from, to }) =>
        events.push(
          `${offset} ${key} ${start - noon} ${stop === 0 ? 0 : stop - noon} ${text(bytes.subarray(from, to))}`,
        ),
      problem: (code, offset) => events.push(`${offset} ${code}`),
    },
    { timeZone, encoding, now: noon },
  );
  const bytes = Buffer.from(guide);
  scanner.push(Uint8Array.from(bytes.subarray(0, lead)));
  for (let at = lead, turn = 0; at < bytes.length; turn += 1) {
    const size = cuts.length === 0 ? bytes.length : (cuts[turn % cuts.length] ?? 1);
    scanner.push(Uint8Array.from(bytes.subarray(at, at + size)));
    at += size;
  }
  const stats = scanner.end();
  return { events, stats, declared: scanner.declaredEncoding };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

/** Titles of the programmes that were told, told by `<title>`. */
export function titles({ events }: Scanned): string[] {
  return events.flatMap((event) => /<title>(.*?)<\/title>/s.exec(event)?.[1] ?? []);
}

/** Codes of the problems that were told. */
export function problems({ events }: Scanned): string[] {
  return events.flatMap((event) => /^\d+ ([a-z-]+)$/.exec(event)?.[1] ?? []);
}

export function programme(title: string, attributes = 'start="20240101120000 +0000" channel="a"'): string {
  return `<programme ${attributes}><title>${title}</title></programme>`;
}
