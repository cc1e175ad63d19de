import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Playlist } from 'iptv-playlist-parser';

/** iptv-playlist-parser in a thread, because it adds methods to `String.prototype`. `close` ends it. */
export function openParser(): { parse(list: string): Promise<Playlist>; close(): Promise<void> } {
  const worker = new Worker(new URL('./parser-thread.js', import.meta.url));
  return {
    async parse(list) {
      worker.postMessage(list);
      const [playlist] = (await once(worker, 'message')) as [Playlist];
      return playlist;
    },
    async close() {
      await worker.terminate();
    },
  };
}
