import type { Change } from '../model/change.js';
import type { ChannelOverride } from '../model/channel.js';
import type { By, Edited, Selection } from '../model/edit.js';
import type { Lineup } from '../model/lineup.js';
import type { NewRule, Rule } from '../model/rule.js';
import { createBigEdits } from './big-edits.js';
import type { ItemPatch } from './lineup-writes.js';
import type { Undone } from './undo-writes.js';
import type { Writer } from './writer.js';

type NewLineup = Omit<Lineup, 'id' | 'version'>;

/**
 * What users change. Each of these is one entry of the change log, whole or not there at all. `not-found` is thrown for
 * what does not exist, `precondition-failed` when `ifMatch` is another than what stands there.
 */
export interface Edits {
  /**
   * Sets fields of channels, or with null makes them follow the provider again. More than 10,000 channels are changed a part
   * at a time, so that other writes need not wait; a crash in between is undone by `recover`.
   * @throws WeirError `conflict` for a channel that was merged into another; `invalid` for an ETag of several channels.
   */
  editChannels(
    selection: Selection,
    patch: Partial<ChannelOverride>,
    by: By & { readonly dryRun?: boolean },
  ): Promise<Edited>;
  /** Appends the entries of `others`, in that order, to those of a channel, and lets it answer for their keys. */
  mergeChannels(channel: number, others: readonly number[], by: By): Promise<Edited>;
  /**
   * Gives an entry of a channel a channel of its own, the one that it was merged from where there is one; resolves with that
   * one's id. @throws WeirError `conflict` for the only entry of a channel.
   */
  splitEntry(channel: number, entry: number, by: By): Promise<Edited & { readonly channel: number }>;
  /** @throws WeirError `invalid` unless all entries of the channel are named, each once. */
  rankEntries(channel: number, entries: readonly number[], by: By): Promise<Edited>;
  /** @throws WeirError `invalid` for a source that does not exist. */
  createRule(rule: NewRule, by: By): Promise<Rule>;
  updateRule(id: number, patch: Partial<NewRule>, by: By): Promise<Rule>;
  removeRule(id: number, by: By): Promise<void>;
  /** @throws WeirError `invalid` for a slug that cannot stand in an address; `conflict` for one that is taken. */
  createLineup(lineup: NewLineup, by: By): Promise<Lineup>;
  updateLineup(slug: string, patch: Partial<NewLineup>, by: By): Promise<Lineup>;
  removeLineup(slug: string, by: By): Promise<void>;
  setLineupItems(slug: string, items: readonly ItemPatch[], by: By): Promise<Edited>;
  /** To accept one merges its channels. @throws WeirError `conflict` for rejecting one that was accepted. */
  resolveSuggestion(id: number, as: 'accepted' | 'rejected', by: By): Promise<Edited>;
  /** Sets back what a change wrote; this is a change itself. @throws WeirError `conflict` naming what was changed since. */
  undo(change: number, by: By): Promise<Undone>;
  /** Sets back what a crash left half done. For the start of the only server of the directory. */
  recover(): Promise<void>;
  /** Tells each change after it was written. Returns what ends it. */
  on(listener: (change: Change) => void): () => void;
}

export function createEdits(writer: Writer): Edits {
  const listeners = new Set<(change: Change) => void>();
  const told = <E extends { readonly change: Change | null }>(edited: E): E => {
    if (edited.change !== null) for (const listener of listeners) listener(edited.change);
    return edited;
  };
  const made = <T>(edited: Edited & { readonly made: T }): T => told(edited).made;
  const big = createBigEdits(writer);

  return {
    async editChannels(selection, patch, { dryRun = false, ...by }) {
      const done = await writer.call('editChannels', { selection, patch, by, dryRun });
      return told('unfinished' in done ? await big.edit(done.unfinished, patch) : done);
    },
    mergeChannels: async (channel, others, by) => told(await writer.call('mergeChannels', { channel, others, by })),
    splitEntry: async (channel, entry, by) => told(await writer.call('splitEntry', { channel, entry, by })),
    rankEntries: async (channel, entries, by) => told(await writer.call('rankEntries', { channel, entries, by })),
    createRule: async (rule, by) => made(await writer.call('createRule', { rule, by })),
    updateRule: async (id, patch, by) => made(await writer.call('updateRule', { id, patch, by })),
    async removeRule(id, by) {
      told(await writer.call('removeRule', { id, by }));
    },
    createLineup: async (lineup, by) => made(await writer.call('createLineup', { lineup, by })),
    updateLineup: async (slug, patch, by) => made(await writer.call('updateLineup', { slug, patch, by })),
    async removeLineup(slug, by) {
      told(await writer.call('removeLineup', { slug, by }));
    },
    setLineupItems: async (slug, items, by) => told(await writer.call('setLineupItems', { slug, items, by })),
    resolveSuggestion: async (id, as, by) => told(await writer.call('resolveSuggestion', { id, as, by })),
    async undo(change, by) {
      const done = await writer.call('undoChange', { change, by });
      return told('unfinished' in done ? await big.undo(done.unfinished, change) : done);
    },
    async recover() {
      while (await writer.call('abandonPart', { change: null }));
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
