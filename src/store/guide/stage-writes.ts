import type Database from 'better-sqlite3';
import { now } from '../../lib/clock.js';
import { WeirError } from '../../lib/errors.js';
import type { GuideChannelFacts } from '../../model/guide.js';
import { simplified } from '../../model/search.js';
import { statement } from '../statements.js';
import type { BodyRef, PackedAirings, PackedTexts } from './contract.js';
import { dropUnusedTexts } from './drop.js';
import { airingAt, airingSize, airingsIn, insertMany, textCount } from './packed.js';
import { titleId } from './title-ids.js';
import { forgetIndex, indexStep, leaveOut, toIndex } from './title-index.js';

/** What a pass writes: each call is one transaction, sized by the client so that others never wait long. */
export const stageWrites = {
  beginSnapshot(raw: Database.Database, input: { source: number; listing: number | null; body: BodyRef }) {
    const { source, listing, body } = input;
    return raw
      .transaction(() => {
        const unfinished = statement(raw, "SELECT id FROM snapshot WHERE state = 'staged'").get();
        if (unfinished !== undefined)
          throw new WeirError('conflict', 'A guide is being read already. Try again later.');
        forgetIndex(raw);
        statement(raw, 'INSERT OR IGNORE INTO feed (source) VALUES (?)').run(source);
        const nextText = nextTextOf(raw);
        const insert = statement(
          raw,
          `INSERT INTO snapshot (source, state, created_at, body, body_hash, etag, last_modified, listing, first_text)
          VALUES (?, 'staged', ?, ?, ?, ?, ?, ?, ?)`,
        );
        const { file, hash, etag, lastModified } = body;
        const values = [source, now(), file, hash, etag, lastModified, listing ?? 0, nextText];
        const snapshot = Number(insert.run(values).lastInsertRowid);
        if (listing === null) statement(raw, 'UPDATE snapshot SET listing = id WHERE id = ?').run(snapshot);
        return { snapshot, nextText };
      })
      .immediate();
  },

  numberGuideChannels(
    raw: Database.Database,
    input: { source: number; channels: readonly { readonly key: string; readonly guideId: string }[] },
  ): number[] {
    const insert = statement(
      raw,
      'INSERT INTO guide_channel (source, guide_id, guide_key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
    );
    const find = statement(raw, 'SELECT id FROM guide_channel WHERE source = ? AND guide_key = ?');
    const number = ({ key, guideId }: { key: string; guideId: string }) => {
      const known = find.get(input.source, key) as { id: number } | undefined;
      return known?.id ?? Number(insert.run(input.source, guideId, key).lastInsertRowid);
    };
    return raw.transaction(() => input.channels.map(number)).immediate();
  },

  listGuideChannels(
    raw: Database.Database,
    input: { snapshot: number; rows: readonly (GuideChannelFacts & { readonly channel: number })[] },
  ) {
    const { snapshot, rows } = input;
    // A link may have named it first, in other letters.
    const spell = statement(raw, 'UPDATE guide_channel SET guide_id = ? WHERE id = ? AND guide_id <> ?');
    staged(raw, snapshot, () => {
      for (const { channel, guideId } of rows) spell.run(guideId, channel, guideId);
      const into = 'INSERT OR REPLACE INTO listed_channel VALUES';
      insertMany(raw, { into, row: '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', count: rows.length }, (values, index) => {
        const row = rows[index];
        if (row === undefined) return;
        const { names, icons, urls, programmes, first, last, near } = row;
        const search = [...new Set([row.guideId, ...names.map(({ text }) => text)].map(simplified))].join('\n');
        const said = JSON.stringify(names.map(({ text, lang }) => [text, lang]));
        values.push(snapshot, row.channel, said, JSON.stringify(icons), JSON.stringify(urls), search);
        values.push(programmes, first, last, near);
      });
    });
  },

  /** True when there are many titles to index: `indexTitles` is to be called then. */
  stageTexts(raw: Database.Database, { snapshot, texts }: { snapshot: number; texts: PackedTexts }): boolean {
    const { ids, bodies, ends } = texts;
    const titles = texts.titles.map(titleId);
    staged(raw, snapshot, () => {
      insertMany(raw, { into: 'INSERT INTO text VALUES', row: '(?, ?, ?)', count: textCount(texts) }, (values, index) =>
        values.push(ids[index], titles[index], bodies.subarray(ends[index - 1] ?? 0, ends[index])),
      );
    });
    return toIndex(raw, texts, titles);
  },

  /** Writes a part of what a search finds titles by. True while there is more. */
  indexTitles(raw: Database.Database, snapshot: number): boolean {
    let isMore = false;
    staged(raw, snapshot, () => {
      isMore = indexStep(raw);
    });
    return isMore;
  },

  stageAirings(raw: Database.Database, { snapshot, rows }: { snapshot: number; rows: PackedAirings }) {
    staged(raw, snapshot, () => {
      const conflict = 'ON CONFLICT DO NOTHING';
      const into = 'INSERT INTO programme VALUES';
      insertMany(raw, { into, row: '(?, ?, ?, ?, ?, ?, NULL)', conflict, count: airingsIn(rows) }, (values, index) =>
        pushAiring(values, rows, index, snapshot),
      );
    });
  },

  stageRemovals(raw: Database.Database, { snapshot, rows }: { snapshot: number; rows: PackedAirings }) {
    const remove = statement(
      raw,
      `UPDATE programme SET removed = ? WHERE channel = ? AND start = ? AND stop = ? AND hash = ? AND removed IS NULL
      AND added < ?`,
    );
    staged(raw, snapshot, () => {
      for (let index = 0; index < airingsIn(rows); index += 1) {
        const [channel, start, stop, hash] = airingAt(rows, index);
        remove.run(snapshot, channel, start, stop, hash, snapshot);
      }
    });
  },

  dropStagedTexts(raw: Database.Database, { snapshot, texts }: { snapshot: number; texts: readonly number[] }) {
    staged(raw, snapshot, () => {
      const list = JSON.stringify(texts);
      const rows = 'DELETE FROM programme WHERE added = ? AND text IN (SELECT value FROM json_each(?))';
      statement(raw, rows).run(snapshot, list);
      dropUnusedTexts(raw, texts);
      leaveOut(raw, texts);
    });
  },
};

/** Without an array for each: there are many. */
function pushAiring(values: unknown[], rows: PackedAirings, index: number, snapshot: number): void {
  const at = index * airingSize;
  values.push(rows[at], rows[at + 1], rows[at + 2], rows[at + 3], rows[at + 4], snapshot);
}

/** Texts of a pass whose number is taken already would be those of another programme: numbers go up only. */
function nextTextOf(raw: Database.Database): number {
  const { next } = statement(raw, 'SELECT coalesce(max(id), 0) + 1 AS next FROM text').get() as { next: number };
  return next;
}

/** Runs a write of a pass, unless its snapshot was let go meanwhile. */
function staged(raw: Database.Database, snapshot: number, write: () => void): void {
  raw
    .transaction(() => {
      assertStaged(raw, snapshot);
      write();
    })
    .immediate();
}

/** The source of a snapshot that is being staged. @throws WeirError `conflict` when it is not. */
export function assertStaged(raw: Database.Database, snapshot: number): number {
  const find = statement(raw, "SELECT source FROM snapshot WHERE id = ? AND state = 'staged'");
  const found = find.get(snapshot) as { source: number } | undefined;
  if (found !== undefined) return found.source;
  throw new WeirError('conflict', 'The guide that was being read was let go: its source was removed or read anew.');
}
