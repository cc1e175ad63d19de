import type Database from 'better-sqlite3';
import type { Programme, ProgrammeContent } from '../../model/programme.js';
import type { GuideReading } from './contract.js';
import { type Airing, packAirings } from './packed.js';

/** Seconds: a programme counts so long when its stop is not said, and at most so long when it is looked for. */
const unsaidLength = 24 * 3600;
const longest = 2 * 24 * 3600;

/** What is in service of a guide channel; the source that it is of says which snapshot that is. */
const inService = `FROM guide_channel c JOIN feed f ON f.source = c.source CROSS JOIN programme p ON p.channel = c.id`;
const isSeen = 'p.added <= f.snapshot AND (p.removed IS NULL OR p.removed > f.snapshot)';
const overlaps = `c.id = ? AND p.start > ? - ${longest} AND p.start < ?
  AND iif(p.stop = 0, p.start + ${unsaidLength}, p.stop) > ? AND ${isSeen} ORDER BY p.start, p.stop`;

type Reads = Pick<GuideReading, 'known' | 'programmes' | 'airings' | 'read' | 'generation'>;

export function createProgrammes(raw: Database.Database): Reads {
  const known = raw.prepare(
    `SELECT p.channel, p.start, p.stop, p.hash, p.text ${inService} WHERE c.id = ? AND c.source = ? AND ${isSeen}`,
  );
  const whole = raw.prepare(
    `SELECT p.start, p.stop, CAST(t.body AS TEXT) ${inService} JOIN text t ON t.id = p.text WHERE ${overlaps}`,
  );
  const bare = raw.prepare(`SELECT p.start, p.stop, p.text ${inService} WHERE ${overlaps}`);
  const body = raw.prepare('SELECT CAST(body AS TEXT) FROM text WHERE id = ?').pluck();
  const generation = raw.prepare('SELECT generation FROM guide').pluck();
  const contentOf = (text: number) => parse(String(body.get(text) ?? '{"titles":[]}'));
  return {
    known(source, channels) {
      const rows = channels.flatMap((channel) => known.raw().all(channel, source) as Airing[]);
      return packAirings(rows);
    },
    programmes(channels, from, to) {
      return byChannel(channels, (channel) => {
        const rows = whole.raw().all(channel, from, to, from) as [number, number, string][];
        return rows.map(([start, stop, json]) => ({ start, stop: stop === 0 ? null : stop, content: parse(json) }));
      });
    },
    airings(channels, from, to) {
      return byChannel(channels, (channel) => {
        const rows = bare.raw().all(channel, from, to, from) as [number, number, number][];
        return rows.map(([start, stop, text]) => new StoredProgramme(start, stop === 0 ? null : stop, text, contentOf));
      });
    },
    read: (work) => raw.transaction(work).deferred(),
    generation: () => Number(generation.get()),
  };
}

/** An airing whose content is read when it is asked for first. */
class StoredProgramme implements Programme {
  readonly start: number;
  readonly stop: number | null;
  readonly #text: number;
  readonly #contentOf: (text: number) => ProgrammeContent;
  #content: ProgrammeContent | null = null;

  constructor(start: number, stop: number | null, text: number, contentOf: (text: number) => ProgrammeContent) {
    this.start = start;
    this.stop = stop;
    this.#text = text;
    this.#contentOf = contentOf;
  }

  get content(): ProgrammeContent {
    this.#content ??= this.#contentOf(this.#text);
    return this.#content;
  }
}

function byChannel(channels: readonly number[], read: (channel: number) => Programme[]): Map<number, Programme[]> {
  const found = new Map<number, Programme[]>();
  for (const channel of channels) {
    const programmes = read(channel);
    if (programmes.length > 0) found.set(channel, programmes);
  }
  return found;
}

function parse(json: string): ProgrammeContent {
  return JSON.parse(json) as ProgrammeContent;
}
