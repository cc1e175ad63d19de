import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { searchWords } from '../../model/search.js';
import { type Cursor, decodeCursor, encodeCursor, toPage } from '../paging.js';
import type { FoundAiring, GuideReading } from './contract.js';

/** Titles, and texts, of a query: a millisecond or two. */
const titlesAtOnce = 4000;
const textsAtOnce = 300;
/** Milliseconds of work before others are let in. */
const longestStretch = 2;

type Title = { id: number; text: string; folded: string };
type Hit = Omit<FoundAiring, 'place'> & { readonly title_id: number; readonly folded: string };
type Row = { channel: number; start: number; stop: number };
type Pause = () => Promise<void>;
type Search = { readonly from: number; readonly to: number; readonly pause: Pause };

/** Lets others in when they have waited some milliseconds. */
function createPause(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestStretch) return;
    await nextTurn();
    since = performance.now();
  };
}

/** Titles are gone through by their folded form, as they stand in its index; a page begins behind the last row before it. */
export function createTitles(raw: Database.Database): Pick<GuideReading, 'titles'> {
  const end = raw.prepare(
    `SELECT folded, id FROM title WHERE (folded, id) > (?, ?) ORDER BY folded, id LIMIT 1 OFFSET ${titlesAtOnce - 1}`,
  );
  const texts = raw
    .prepare(`SELECT text FROM title_text WHERE title = ? AND text > ? ORDER BY text LIMIT ${textsAtOnce}`)
    .pluck();
  const shown = raw.prepare(
    `SELECT p.channel, p.start, p.stop FROM json_each(?) j CROSS JOIN programme p ON p.text = j.value
    CROSS JOIN guide_channel c ON c.id = p.channel CROSS JOIN feed f ON f.source = c.source
    WHERE p.start >= ? AND p.start < ? AND p.added <= f.snapshot AND (p.removed IS NULL OR p.removed > f.snapshot)`,
  );

  /** All airings of a title in the window, by start. */
  const airingsOf = async (title: Title, { from, to, pause }: Search): Promise<Hit[]> => {
    const found: Row[][] = [];
    for (let last = -1, ids: number[] = []; ; last = ids.at(-1) ?? last) {
      ids = texts.all(title.id, last) as number[];
      found.push(shown.all(JSON.stringify(ids), from, to) as Row[]);
      await pause();
      if (ids.length < textsAtOnce) break;
    }
    const { id, text, folded } = title;
    const hits = found.flat().map(({ channel, start, stop }) => {
      return { guideChannel: channel, start, stop: stop === 0 ? null : stop, title: text, title_id: id, folded };
    });
    return hits.sort((a, b) => a.start - b.start || a.guideChannel - b.guideChannel);
  };

  /** Titles that have all words, from a place on, in stretches. */
  async function* matching(words: readonly string[], first: Place, pause: Pause): AsyncGenerator<Title> {
    const contains = words.map(() => 'AND instr(folded, ?) > 0').join(' ');
    const find = `SELECT id, text, folded FROM title WHERE (folded, id) >= (?, ?) AND (folded, id) <= (?, ?) ${contains}`;
    const inStretch = raw.prepare(`${find} ORDER BY folded, id`);
    for (let place = first; ; ) {
      const last = end.get(place) as Title | undefined;
      const until = last === undefined ? theEnd : [last.folded, last.id];
      yield* inStretch.all(...place, ...until, ...words) as Title[];
      if (last === undefined) return;
      place = [last.folded, last.id + 1];
      await pause();
    }
  }

  return {
    async titles(q, from, to, { after, limit }) {
      const cursor = decodeCursor(after, 4);
      const words = searchWords(q);
      const search: Search = { from, to, pause: createPause() };
      let found: Hit[] = [];
      const place: Place = [String(cursor?.[0] ?? ''), Number(cursor?.[1] ?? 0)];
      for await (const title of words.length === 0 ? [] : matching(words, place, search.pause)) {
        const hits = await airingsOf(title, search);
        found = found.concat(hits.filter((hit) => isBehind(hit, cursor)));
        if (found.length > limit) break;
      }
      return toPage(found, limit, placeOf, airingOf);
    },
  };
}

type Place = [folded: string, id: number];
const theEnd: Place = ['\u{10ffff}', Number.MAX_SAFE_INTEGER];

function placeOf({ folded, title_id, start, guideChannel }: Hit): Cursor {
  return [folded, title_id, start, guideChannel];
}

function isBehind(hit: Hit, cursor: Cursor | null): boolean {
  if (cursor === null || hit.title_id !== cursor[1]) return true;
  const [start, channel] = [Number(cursor[2]), Number(cursor[3])];
  return hit.start > start || (hit.start === start && hit.guideChannel > channel);
}

function airingOf(hit: Hit): FoundAiring {
  const { guideChannel, start, stop, title } = hit;
  return { place: encodeCursor(placeOf(hit)), guideChannel, start, stop, title };
}
