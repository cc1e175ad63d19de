import type { ChannelOverride } from '../model/channel.js';
import type { Edited } from '../model/edit.js';
import type { Unfinished } from './channel-edit-writes.js';
import type { Undone } from './undo-writes.js';
import type { Writer } from './writer.js';

/** Channels of one part: other writes wait for one of them at most, about 20 ms, and each may be of another page. */
const partSize = 100;

/** Changes of several transactions: as one, they are finished, or set back when a part fails. */
export function createBigEdits(writer: Writer) {
  const whole = async (change: number, undoes: number | null, parts: () => Promise<void>): Promise<Edited> => {
    try {
      await parts();
      return await writer.call('finishChange', { change, undoes });
    } catch (error) {
      while (await writer.call('abandonPart', { change }));
      throw error;
    }
  };
  return {
    async edit({ change, channels }: Unfinished, patch: Partial<ChannelOverride>): Promise<Edited> {
      let rows = 0;
      const parts = async () => {
        for (let from = 0; from < channels.length; from += partSize) {
          const part = channels.slice(from, from + partSize);
          rows += await writer.call('editPart', { change, channels: part, patch });
        }
      };
      if (change !== null) return await whole(change, null, parts);
      await parts();
      return { change: null, rows };
    },
    async undo(change: number, undoes: number): Promise<Undone> {
      const edited = await whole(change, undoes, async () => {
        let from: number | null = 0;
        while (from !== null) from = await writer.call('undoPart', { change, undoes, from });
      });
      return { ...edited, tables: ['channel_override'] };
    },
  };
}
