import type { Change, Suggestion } from '../model/change.js';
import type { Lineup, LineupItem } from '../model/lineup.js';
import type { Page, Paging } from '../model/page.js';
import type { Rule } from '../model/rule.js';
import { shownLocation } from '../model/source.js';
import { toChange } from './change-row.js';
import type { Connection } from './connection.js';
import { lineupItemOf, lineupOf } from './lineup-row.js';
import { decodeCursor, decodeId, toPage } from './paging.js';
import { ruleOf } from './rule-row.js';
import { suggestionOf } from './suggestion-row.js';

/** One row that a change made, changed or removed: its columns before and after, null where it was not there. */
export type ChangeItem = { readonly table: string; readonly before: unknown; readonly after: unknown };

/** What users made, and what they did. */
export interface EditReads {
  /** In the order in which they run. */
  rules(): Promise<Rule[]>;
  rule(id: number): Promise<Rule | null>;
  lineups(): Promise<Lineup[]>;
  lineup(slug: string): Promise<Lineup | null>;
  /** In their order; those without one come last. Empty for a line-up that does not exist. */
  lineupItems(slug: string, paging: Paging): Promise<Page<LineupItem>>;
  suggestions(state: Suggestion['state'], paging: Paging): Promise<Page<Suggestion>>;
  /** The newest first: some 10,000 are kept (`change-log.ts`). */
  changes(paging: Paging): Promise<Page<Change>>;
  /** With its first 1,000 rows; what is secret in sources and guide sources is left out. */
  change(id: number): Promise<(Change & { readonly items: readonly ChangeItem[] }) | null>;
}

/** Rows of a change that are shown. */
const mostItems = 1000;

export function createEditReads(connection: Connection): EditReads {
  return { ...createRuleReads(connection), ...createLineupReads(connection), ...createChangeReads(connection) };
}

function createRuleReads({ db }: Connection): Pick<EditReads, 'rules' | 'rule'> {
  const all = () => db.selectFrom('rule').selectAll();
  return {
    async rules() {
      return (await all().orderBy('position').orderBy('id').execute()).map(ruleOf);
    },
    async rule(id) {
      const row = await all().where('id', '=', id).executeTakeFirst();
      return row === undefined ? null : ruleOf(row);
    },
  };
}

function createLineupReads({ db }: Connection): Pick<EditReads, 'lineups' | 'lineup' | 'lineupItems'> {
  const all = () => db.selectFrom('lineup').selectAll();
  return {
    async lineups() {
      return (await all().orderBy('slug').execute()).map(lineupOf);
    },
    async lineup(slug) {
      const row = await all().where('slug', '=', slug).executeTakeFirst();
      return row === undefined ? null : lineupOf(row);
    },
    async lineupItems(slug, { after, limit }) {
      const [order = null, channel = 0] = decodeCursor(after, 2) ?? [-Infinity];
      const items = db
        .selectFrom('lineup_item as i')
        .innerJoin('lineup as l', 'l.id', 'i.lineup')
        .innerJoin('channel as c', 'c.id', 'i.channel')
        .selectAll('i');
      // A channel that was merged into another is none; that it is kept out waits for it to be split off again.
      const own = items.where('l.slug', '=', slug).where('c.merged_into', 'is', null);
      const rest = own.where((e) => {
        const isBehind = e('i.channel', '>', Number(channel));
        if (order === null) return e.and([e('i.sort_order', 'is', null), isBehind]);
        const next = e.and([e('i.sort_order', '=', Number(order)), isBehind]);
        return e.or([e('i.sort_order', '>', Number(order)), next, e('i.sort_order', 'is', null)]);
      });
      const ordered = rest
        .orderBy((e) => e('i.sort_order', 'is', null))
        .orderBy('i.sort_order')
        .orderBy('i.channel');
      const rows = await ordered.limit(limit + 1).execute();
      return toPage(rows, limit, (row) => [row.sort_order, row.channel], lineupItemOf);
    },
  };
}

function createChangeReads({ db }: Connection): Pick<EditReads, 'suggestions' | 'changes' | 'change'> {
  const finished = () => db.selectFrom('change').selectAll().where('rows', '>', 0);
  return {
    async suggestions(state, { after, limit }) {
      const of = db.selectFrom('suggestion').selectAll().where('state', '=', state);
      const rest = of.where('id', '>', decodeId(after) ?? 0);
      return toPage(
        await rest
          .orderBy('id')
          .limit(limit + 1)
          .execute(),
        limit,
        ({ id }) => [id],
        suggestionOf,
      );
    },
    async changes({ after, limit }) {
      const last = decodeId(after);
      const rest = last === null ? finished() : finished().where('id', '<', last);
      const rows = await rest
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(rows, limit, ({ id }) => [id], toChange);
    },
    async change(id) {
      const change = await finished().where('id', '=', id).executeTakeFirst();
      if (change === undefined) return null;
      const rows = db.selectFrom('change_row').selectAll().where('change', '=', id).orderBy('position');
      const items = (await rows.limit(mostItems).execute()).map((row) => ({
        table: row.table_name,
        before: shown(row.table_name, row.before),
        after: shown(row.table_name, row.after),
      }));
      return { ...toChange(change), items };
    },
  };
}

/** Addresses and header fields of sources hold passwords, and whoever may read the change log need not know them. */
function shown(table: string, image: string | null): unknown {
  const row: unknown = image === null ? null : JSON.parse(image);
  if (!['source', 'guide_source'].includes(table) || row === null) return row;
  const {
    location,
    headers: _headers,
    proxy: _proxy,
    content: _content,
    ...rest
  } = row as { location: string } & Record<string, unknown>;
  return { ...rest, location: shownLocation(location) };
}
