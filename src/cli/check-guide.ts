import { createReadStream } from 'node:fs';
import { type Guide, readGuide } from '../epg/read/read.js';
import { cleanTimeline } from '../epg/timeline/clean.js';
import { inChunks } from '../lib/chunks.js';
import { now } from '../lib/clock.js';
import { decompressed } from '../lib/decompress.js';
import { downloadTo } from '../lib/download-to.js';
import { messageOf, WeirError } from '../lib/errors.js';
import { linkKey } from '../model/guide.js';
import { viewOf } from '../model/programme.js';
import { shownLocation, sourceKind } from '../model/source.js';
import { formatInstant } from './print.js';

/** Bytes of a guide as it comes, and inflated. */
const maxPacked = 1024 ** 3;
const maxBytes = 4 * 1024 ** 3;
/** Milliseconds that a download may take: a guide comes no faster than it is read. */
const timeout = 3_600_000;
/** Problems that the short report shows. */
const shownProblems = 20;
/** Items that are turned into text in one go. */
const atOnce = 1000;

type Asked = {
  readonly json: boolean;
  /** The guide channel whose timeline is printed; null is a report of the whole guide. */
  readonly programmes: string | null;
};
type Chunks = AsyncIterable<Uint8Array>;

/**
 * Prints what a guide holds, or the timeline of one of its channels. The exit code is 1 when neither channel nor programme
 * was read.
 * @throws WeirError in place of the report when there is nothing to report.
 */
export async function checkGuide(location: string, { json, programmes }: Asked): Promise<void> {
  const key = programmes === null ? null : linkKey(programmes);
  const guide = await find(location, (one) => one === key);
  const { refusal } = guide;
  if (refusal !== null) process.exitCode = 1;
  if (refusal !== null && !(json && key === null))
    throw new WeirError('invalid', `${shownLocation(location)}: ${refusal}`);
  if (key !== null) printTimeline(guide, key, json);
  else if (json) printJson(guide);
  else printReport(location, guide);
}

async function find(location: string, wanted: (key: string) => boolean): Promise<Guide> {
  const begun: Promise<Guide>[] = [];
  const read = async (chunks: Chunks) => {
    const reading = readGuide(decompressed(chunks, { maxBytes, prefer: 'guides' }), { wanted, now: now() });
    begun.push(reading);
    return await reading;
  };
  try {
    if (sourceKind(location) !== 'url') return await read(createReadStream(location));
    const answer = await downloadTo(location, { maxBytes: maxPacked, timeout }, read);
    return answer?.kept ?? unreadable('The server said that nothing changed.');
  } catch (error) {
    // A connection that is cut ends the guide, but what came of it is read.
    const [guide] = (await Promise.allSettled(begun)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    return guide ?? unreadable(error instanceof WeirError ? error.message : `It cannot be read: ${codeOf(error)}.`);
  }
}

function unreadable(refusal: string): Guide {
  const problems = [{ offset: null, code: 'unreadable', message: refusal, count: 1 } as const];
  const programmes = { count: 0, first: null, last: null };
  return { channels: [], programmes, byChannel: new Map(), problems, refusal };
}

/** The system's code, where it has one: its message names the file once more. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
}

/** Written in pieces: of a large guide it is more than one string can hold. */
function printJson({ channels, programmes, problems }: Guide): void {
  process.stdout.write('{"channels":');
  printArray(
    channels.map(({ guideId: id, names, icons }) => ({
      id,
      names: names.map(({ text }) => text),
      icon: icons[0]?.src ?? null,
    })),
  );
  process.stdout.write(
    `,\n"programmes":${JSON.stringify(programmes)},\n"problems":${JSON.stringify(problems.map(documented))}}\n`,
  );
}

/** The fields that are promised, in their order. */
function documented({ offset, code, message, count }: Guide['problems'][number]) {
  return { offset, code, message, count };
}

function printTimeline({ byChannel }: Guide, key: string, json: boolean): void {
  const views = cleanTimeline(byChannel.get(key) ?? []).map(viewOf);
  if (json) {
    printArray(views);
    process.stdout.write('\n');
  } else {
    for (const { start, stop, title, subtitle } of views)
      process.stdout.write(
        `${formatInstant(start)} - ${formatInstant(stop).slice(11)}  ${[title, subtitle].filter((text) => text !== null).join(': ')}\n`,
      );
  }
}

function printArray(items: readonly unknown[]): void {
  process.stdout.write('[');
  let isFirst = true;
  for (const chunk of inChunks(items, atOnce)) {
    process.stdout.write(`${isFirst ? '' : ','}${chunk.map((item) => `\n${JSON.stringify(item)}`).join(',')}`);
    isFirst = false;
  }
  process.stdout.write(']');
}

function printReport(location: string, { channels, programmes, problems }: Guide): void {
  const lines = [
    shownLocation(location),
    `channels      ${channels.length}`,
    `  unnamed     ${channels.filter(({ names }) => names.length === 0).length}`,
    `programmes    ${programmes.count}`,
    `  from        ${formatInstant(programmes.first)}`,
    `  to          ${formatInstant(programmes.last)}`,
    `problems      ${problems.reduce((sum, { count }) => sum + count, 0)}`,
    ...problems
      .slice(0, shownProblems)
      .map(
        ({ offset, code, count, message }) => `  ${code} ${count} times, first at byte ${offset ?? '?'}: ${message}`,
      ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
