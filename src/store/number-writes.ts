import { allocateNumbers, type Wanting } from '../model/numbering.js';
import type { Connection } from './connection.js';
import { relist } from './listing-writes.js';

/** An entry of a snapshot that a rule wants to number. */
export type Numbered = Omit<Wanting, 'channel'> & { readonly position: number };

export const numberWrites = {
  /** Gives channels of a snapshot that rules want to number, and that have none yet, the next free ones; they keep them. */
  numberChannels({ raw }: Connection, { snapshot, wanting }: { snapshot: number; wanting: readonly Numbered[] }): void {
    const owner = raw.prepare(`SELECT c.id, c.rule_number FROM listing l JOIN channel c ON c.id = l.channel
      WHERE l.snapshot = ? AND l.position = ?`);
    const give = raw.prepare('UPDATE channel SET rule_number = ? WHERE id = ?');
    const all = raw.transaction(() => {
      const asking = wanting.flatMap(({ position, ...asked }) => {
        const row = owner.get(snapshot, position) as { id: number; rule_number: string | null } | undefined;
        return row === undefined || row.rule_number !== null ? [] : [{ ...asked, channel: row.id }];
      });
      const taken =
        raw.prepare(`SELECT number FROM listing WHERE number IS NOT NULL UNION SELECT rule_number FROM channel WHERE rule_number IS NOT NULL
        UNION SELECT number FROM channel_override WHERE number IS NOT NULL`);
      const { given } = allocateNumbers(new Set(taken.pluck().all() as string[]), asking);
      for (const [channel, number] of given) give.run(number, channel);
      relist(raw, [...given.keys()]);
    });
    all.immediate();
  },
  /** Takes back the numbers that rules gave, before they are given anew. */
  forgetNumbers({ raw }: Connection, { channels }: { channels: readonly number[] }): void {
    const forget = raw.prepare('UPDATE channel SET rule_number = NULL WHERE id = ?');
    const all = raw.transaction(() => {
      for (const channel of channels) forget.run(channel);
    });
    all.immediate();
  },
};
