import type { Change, Job, Suggestion } from '../model/change.js';
import type { ChannelDetail, ChannelFilter, ChannelOverride, ChannelStatus } from '../model/channel.js';
import type { By, Edited, Selection } from '../model/edit.js';
import type { Entry } from '../model/entry.js';
import type { CatalogueEvent } from '../model/event.js';
import type { Lineup, LineupItem } from '../model/lineup.js';
import type { Page, Paging } from '../model/page.js';
import type { EntryChange, Refresh, Snapshot } from '../model/refresh.js';
import type { NewRule, Rule, RulePreview } from '../model/rule.js';
import type { NewSource, SourcePatch, SourceStatus } from '../model/source.js';

/** The channels as they are managed. */
export interface CatalogueReads {
  /** In the order of the playlist. */
  channels(filter: ChannelFilter, paging: Paging): Promise<Page<ChannelStatus>>;
  channel(id: number): Promise<ChannelDetail | null>;
  groups(): Promise<{ readonly name: string; readonly channels: number }[]>;
}

/** What providers said. */
export interface Entries {
  page(
    filter: {
      readonly source?: number | undefined;
      readonly kind?: Entry['kind'] | undefined;
      readonly state?: Entry['state'] | undefined;
      readonly assigned?: boolean | undefined;
      readonly q?: string | undefined;
    },
    paging: Paging,
  ): Promise<Page<Entry>>;
  byId(id: number): Promise<Entry | null>;
}

/** Lists: as they are stored, with all that is secret in them. What of it is shown to whom is decided here. */
export interface SourceStore {
  list(): Promise<SourceStatus[]>;
  status(id: number): Promise<SourceStatus | null>;
  /** @throws WeirError `conflict` when there is one of that location. */
  add(source: NewSource, by: By): Promise<SourceStatus>;
  /** @throws WeirError `not-found`; `conflict` for one that flag or configuration give; `precondition-failed`. */
  update(id: number, patch: SourcePatch, by: By): Promise<SourceStatus>;
  remove(id: number, by: By): Promise<void>;
}

/** What became of lists: the newest first. */
export interface Refreshes {
  snapshots(source: number): Promise<Snapshot[]>;
  page(source: number, paging: Paging): Promise<Page<Refresh>>;
  byId(id: number): Promise<Refresh | null>;
  changes(refresh: number, paging: Paging): Promise<Page<EntryChange>>;
}

/** Work on lists that takes a while: it goes on as a job. */
export interface Playlists {
  /** A dry run changes nothing; its job's result holds counts and the first changes. */
  refresh(source: number, options: { readonly dryRun: boolean }): Promise<Job>;
  /** Puts a quarantined or earlier body in service, guards off. */
  restore(source: number, snapshot: number): Promise<Job>;
  /** Makes the listings anew after rules were changed. */
  applyRules(): Promise<Job>;
  /** What a rule would do to the channels as they are. */
  previewRule(rule: NewRule): Promise<RulePreview>;
  /** Another source was added, changed or removed. */
  sourcesChanged(): Promise<void>;
}
/** What users change. Each of these is one entry of the change log. */
export interface Edits {
  editChannels(
    selection: Selection,
    patch: Partial<ChannelOverride>,
    by: By & { readonly dryRun?: boolean },
  ): Promise<Edited>;
  mergeChannels(channel: number, others: readonly number[], by: By): Promise<Edited>;
  /** Gives an entry of a channel a channel of its own; resolves with that one's id. */
  splitEntry(channel: number, entry: number, by: By): Promise<Edited & { readonly channel: number }>;
  /** Which of a channel's entries is tried first, second …; all of them, each once. */
  rankEntries(channel: number, entries: readonly number[], by: By): Promise<Edited>;
  createRule(rule: NewRule, by: By): Promise<Rule>;
  updateRule(id: number, patch: Partial<NewRule>, by: By): Promise<Rule>;
  removeRule(id: number, by: By): Promise<void>;
  createLineup(lineup: Omit<Lineup, 'id' | 'version'>, by: By): Promise<Lineup>;
  updateLineup(slug: string, patch: Partial<Omit<Lineup, 'id' | 'version'>>, by: By): Promise<Lineup>;
  removeLineup(slug: string, by: By): Promise<void>;
  /** Adds or changes items; null takes one out. */
  setLineupItems(
    slug: string,
    items: readonly (LineupItem | { readonly channel: number; readonly remove: true })[],
    by: By,
  ): Promise<Edited>;
  resolveSuggestion(id: number, as: 'accepted' | 'rejected', by: By): Promise<Edited>;
  /** Resolves with the tables that it wrote to, too. @throws WeirError `conflict` naming what was changed since. */
  undo(change: number, by: By): Promise<Edited & { readonly tables: readonly string[] }>;
}

/** What users made. */
export interface EditReads {
  rules(): Promise<Rule[]>;
  rule(id: number): Promise<Rule | null>;
  lineups(): Promise<Lineup[]>;
  lineup(slug: string): Promise<Lineup | null>;
  lineupItems(slug: string, paging: Paging): Promise<Page<LineupItem>>;
  suggestions(state: Suggestion['state'], paging: Paging): Promise<Page<Suggestion>>;
  changes(paging: Paging): Promise<Page<Change>>;
  change(id: number): Promise<
    | (Change & {
        readonly items: readonly { readonly table: string; readonly before: unknown; readonly after: unknown }[];
      })
    | null
  >;
}

export interface Jobs {
  /** The newest first. */
  list(paging: Paging): Promise<Page<Job>>;
  byId(id: number): Promise<Job | null>;
}

export interface Events {
  /** Returns what ends it. */
  on(listener: (event: CatalogueEvent) => void): () => void;
}
