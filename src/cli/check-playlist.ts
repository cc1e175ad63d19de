import { createReadStream } from 'node:fs';
import { decompress } from '../lib/decompress.js';
import { download } from '../lib/download.js';
import { messageOf, WeirError } from '../lib/errors.js';
import { shownLocation, sourceKind } from '../model/source.js';
import type { Playlist, PlaylistEntry } from '../playlist/read/entry.js';
import { readPlaylist } from '../playlist/read/read.js';

/** Bytes of a list, packed or not. */
const maxBytes = 256 * 1024 * 1024;
/** Problems that the short report shows one by one. */
const shownProblems = 20;
/** Entries that are turned into text in one go. */
const chunk = 1000;

/** A list, or why nothing could be read at all. */
type Found = Pick<Playlist, 'header' | 'entries' | 'refusal'> & {
  readonly problems: readonly { readonly line: number | null; readonly code: string; readonly message: string }[];
};

/**
 * Prints what a list says, as one JSON document or as a short report. The exit code is 1 when no entry was read.
 * @throws WeirError in place of the report when there is nothing to report.
 */
export async function checkPlaylist(location: string, json: boolean): Promise<void> {
  const found = await find(location);
  if (json) printJson(found);
  else if (found.refusal === null) printReport(location, found);
  else throw new WeirError('invalid', `${shownLocation(location)}: ${found.refusal}`);
  if (found.refusal !== null) process.exitCode = 1;
}

async function find(location: string): Promise<Found> {
  try {
    const isUrl = sourceKind(location) === 'url';
    const bytes = await decompress(isUrl ? await fetchBody(location) : createReadStream(location), { maxBytes });
    return readPlaylist(bytes, { base: isUrl ? location : null });
  } catch (error) {
    const message = error instanceof WeirError ? error.message : `It cannot be read: ${codeOf(error)}.`;
    const problems = [{ line: null, code: 'unreadable', message }];
    return { header: { attributes: [] }, entries: [], problems, refusal: message };
  }
}

async function fetchBody(location: string): Promise<Uint8Array> {
  const answer = await download(location, { maxBytes });
  if (answer === null) throw new WeirError('upstream-refused', 'The server said that nothing changed.');
  return answer.body;
}

/** The system's code, where it has one: its message names the file once more. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
}

/** Written in pieces: of a long list it is more than one string can hold. */
function printJson({ header, entries, problems }: Found): void {
  process.stdout.write(`{"header":${JSON.stringify({ attributes: header.attributes })},\n"entries":[`);
  for (let start = 0; start < entries.length; start += chunk) {
    const lines = entries.slice(start, start + chunk).map((entry) => `\n${JSON.stringify(documented(entry))}`);
    process.stdout.write(`${start === 0 ? '' : ','}${lines.join(',')}`);
  }
  process.stdout.write(`],\n"problems":${JSON.stringify(problems)}}\n`);
}

/** The fields that are promised, in their order. */
function documented(entry: PlaylistEntry) {
  const { line, name, tvgId, tvgName, number, logo, groups, radio, urls } = entry;
  const { headers, catchup, attributes, directives } = entry;
  const said = { line, name, tvgId, tvgName, number, logo, groups, radio };
  return { ...said, urls, headers, catchup, attributes, directives };
}

function printReport(location: string, { entries, problems }: Found): void {
  const counted = (what: string, count: number) => `${what.padEnd(14)}${count}`;
  const those = (is: (entry: PlaylistEntry) => boolean) => entries.filter(is).length;
  const lines = [
    shownLocation(location),
    counted(
      'live channels',
      those(({ kind }) => kind === 'live'),
    ),
    counted(
      'movies',
      those(({ kind }) => kind === 'movie'),
    ),
    counted(
      'series',
      those(({ kind }) => kind === 'series'),
    ),
    counted('groups', new Set(entries.flatMap(({ groups }) => groups)).size),
    counted(
      'alternatives',
      entries.reduce((sum, { urls }) => sum + urls.length - 1, 0),
    ),
    counted('guide ids', new Set(entries.flatMap(({ tvgId }) => tvgId ?? [])).size),
    counted(
      'catch-up',
      those(({ catchup }) => catchup !== null),
    ),
    counted('problems', problems.length),
    ...problems.slice(0, shownProblems).map(({ line, code, message }) => `  line ${line}, ${code}: ${message}`),
  ];
  if (problems.length > shownProblems) lines.push(`  ${problems.length - shownProblems} more are shown with --json.`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
