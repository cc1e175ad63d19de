import type { MessagePort } from 'node:worker_threads';
import type { GuideCounts, GuideSource } from '../model/guide.js';
import type { GuideParts } from '../store/guide/contract.js';
import type { Body } from './body.js';
import { InFlight } from './in-flight.js';
import type { Airings } from './known.js';
import type { ListedChannels } from './listed-channels.js';
import { mannerOf } from './manner.js';
import { Pass, type Target } from './pass.js';
import { createParsePool, type ParsePool } from './read/parse-pool.js';
import type { Scanner, ScanStats } from './read/scan/contract.js';
import { createScanner } from './read/scan/scanner.js';

type Options = {
  readonly dir: string;
  readonly guide: GuideParts;
  readonly ports: readonly MessagePort[];
  readonly source: GuideSource;
  readonly now: number;
  readonly snapshot: number;
  readonly nextText: number;
  /** By folded id. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly known: Airings;
  /** Whether `<channel>` elements are read. */
  readonly lists: boolean;
};

/** What a whole body holds. */
export type ReadGuide = {
  readonly stats: ScanStats;
  readonly channels: ListedChannels;
  readonly counts: Pick<GuideCounts, 'wanted' | 'unchanged' | 'reused' | 'parsed' | 'lost' | 'problems'>;
  /** How it ends too early, in a sentence; null when it is whole. */
  readonly cutOff: string | null;
};

/** Scans a body and stages what is new of it: texts by way of the parse threads, airings from here. */
export async function readBody(body: Body, options: Options): Promise<ReadGuide> {
  const { source, known, targets, nextText, lists, now } = options;
  const read = { timeZone: source.timeZone, encoding: source.encoding };
  const declared = (): string | null => scanner.declaredEncoding;
  const pass = new Pass({ read, manner: mannerOf(source), targets, known, nextText, lists, declared });
  const scanner: Scanner = createScanner(pass, { ...read, now });
  const staging = new Staging(pass, options, declared);
  try {
    for await (const chunk of body.chunks()) {
      scanner.push(chunk);
      await staging.flush();
    }
    const stats = scanner.end();
    const cutOff = body.fault ?? (stats.closed ? null : 'It is cut off: </tv> is missing.');
    if (cutOff !== null) pass.problems.add('truncated', stats.bytes, cutOff);
    const lost = await staging.end();
    const { channels, wanted, unchanged, reused } = pass;
    const problems = pass.problems.counts();
    const counts = { wanted, unchanged, reused, parsed: pass.parsed - lost, lost, problems };
    return { stats, channels, counts, cutOff };
  } finally {
    staging.stop();
  }
}

/** What a pass found, on its way to the guide writer. */
class Staging {
  readonly #pass: Pass;
  readonly #options: Options;
  readonly #declared: () => string | null;
  readonly #rows = new InFlight(4);
  #pool: ParsePool | null = null;

  constructor(pass: Pass, options: Options, declared: () => string | null) {
    this.#pass = pass;
    this.#options = options;
    this.#declared = declared;
  }

  /** Waits while too much is on its way. */
  async flush(): Promise<void> {
    const { guide, snapshot } = this.#options;
    for (let batch = this.#pass.slices.next(); batch !== undefined; batch = this.#pass.slices.next()) {
      this.#pool ??= this.#start();
      await this.#pool.send(batch);
    }
    for (let rows = this.#pass.nextRows(); rows !== undefined; rows = this.#pass.nextRows())
      await this.#rows.add(guide.stage.airings(snapshot, rows));
  }

  /** When everything is staged; resolves with how many texts could not be read. */
  async end(): Promise<number> {
    const { guide, snapshot } = this.#options;
    this.#pass.end();
    await this.flush();
    await this.#rows.end();
    if (this.#pool === null) return 0;
    const { unreadable, problems } = await this.#pool.end();
    this.#pool = null;
    for (const problem of problems) this.#pass.problems.merge(problem);
    for (const { problem } of unreadable) this.#pass.problems.merge(problem);
    const texts = unreadable.map(({ text }) => text);
    if (texts.length > 0) await guide.stage.dropTexts(snapshot, texts);
    return texts.length;
  }

  stop(): void {
    this.#pool?.stop();
    if (this.#pool === null) for (const port of this.#options.ports) port.close();
  }

  #start(): ParsePool {
    const { dir, snapshot, ports, source } = this.#options;
    const { timeZone, encoding } = source;
    return createParsePool({ dir, snapshot, ports, timeZone, encoding, declared: this.#declared() });
  }
}
