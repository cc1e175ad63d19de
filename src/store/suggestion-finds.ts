import { now } from '../lib/clock.js';
import type { Suggestion } from '../model/change.js';
import type { Connection } from './connection.js';
import type { Writer } from './writer.js';

/** A pair that an import found. */
export type Find = Pick<Suggestion, 'kind' | 'channel' | 'other' | 'reason'>;

export interface SuggestionFinds {
  /** The channels of entries, in their order; null where an entry is none. */
  channelsOf(entries: readonly number[]): (number | null)[];
  /**
   * Takes what was found now in place of the open suggestions of the same kinds. Pairs that were accepted or rejected stay
   * as they are, whichever of the two would stay now.
   */
  replace(finds: readonly Find[]): Promise<void>;
  /** Adds pairs that were found; those that are known stay as they are. */
  add(finds: readonly Find[]): Promise<void>;
}

export function createSuggestionFinds({ raw }: Connection, writer: Writer): SuggestionFinds {
  return {
    channelsOf(entries) {
      const owner = raw.prepare('SELECT channel FROM channel_entry WHERE entry = ?').pluck();
      return entries.map((entry) => (owner.get(entry) as number | undefined) ?? null);
    },
    replace: (finds) => writer.call('suggest', { finds, replace: true }),
    add: (finds) => writer.call('suggest', { finds, replace: false }),
  };
}

export const suggestionFindWrites = {
  suggest({ raw }: Connection, { finds, replace }: { finds: readonly Find[]; replace: boolean }): void {
    const insert = raw.prepare(`INSERT INTO suggestion (kind, channel, other, reason, created_at)
      SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM channel WHERE id = ? AND merged_into IS NULL)
        AND EXISTS (SELECT 1 FROM channel WHERE id = ? AND merged_into IS NULL)
        AND NOT EXISTS (SELECT 1 FROM suggestion WHERE channel = ? AND other = ?)
      ON CONFLICT (channel, other) DO NOTHING`);
    const keep = new Set(finds.map(({ channel, other }) => `${channel} ${other}`));
    const open = raw.prepare("SELECT id, channel, other FROM suggestion WHERE state = 'open' AND kind <> 'suspect'");
    const remove = raw.prepare('DELETE FROM suggestion WHERE id = ?');
    const all = raw.transaction(() => {
      const time = now();
      for (const { id, channel, other } of replace
        ? (open.all() as { id: number; channel: number; other: number }[])
        : []) {
        if (!keep.has(`${channel} ${other}`)) remove.run(id);
      }
      for (const { kind, channel, other, reason } of finds)
        insert.run(kind, channel, other, reason, time, channel, other, other, channel);
    });
    all.immediate();
  },
};
