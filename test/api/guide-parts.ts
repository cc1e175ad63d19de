import type { GuideReads } from '../../src/api/guide.js';
import { createGuides, type Guides } from '../../src/epg/guides.js';
import { createGuideFiles, type GuideFiles } from '../../src/epg/publish.js';
import { createGuideReads } from '../../src/epg/reads.js';
import { now } from '../../src/lib/clock.js';
import type { Log } from '../../src/lib/log.js';
import type { Coverage } from '../../src/model/guide.js';
import type { TimelineItem } from '../../src/model/programme.js';
import type { GuideStore } from '../../src/store/guide/contract.js';
import { openGuideStore } from '../../src/store/guide/open.js';
import type { Store } from '../../src/store/open.js';

export type GuideParts = {
  readonly guideStore: GuideStore;
  readonly guides: Guides;
  readonly guideFiles: GuideFiles;
  readonly guideReads: GuideReads;
};

/** The guides of a store as `main.ts` builds them, but for the matcher. */
export async function openGuideParts(store: Store, log: Log): Promise<GuideParts & { close(): Promise<void> }> {
  const guideStore = await openGuideStore({ dir: store.dir, log });
  const match = () => Promise.resolve({ changed: false, result: { accepted: 0, review: 0, kept: 0, relinked: 0 } });
  const guides = createGuides({ store, guideStore, log, guides: [], fromLists: true, ownPorts: [], match });
  const guideReads = createGuideReads({ house: store.guideHouse, guide: guideStore, now });
  const guideFiles = createGuideFiles({ store, guide: guideStore, publicUrl: null, log });
  return {
    ...{ guideStore, guides, guideFiles, guideReads },
    async close() {
      guideFiles.close();
      await guides.stop();
      await guideStore.close();
    },
  };
}

/** What channels show, by channel, sorted. */
export class ScriptedReads implements GuideReads {
  readonly shown = new Map<number, readonly TimelineItem[]>();
  coverages: readonly Coverage[] = [];

  timelines(channels: readonly number[], from: number, to: number) {
    const within = (items: readonly TimelineItem[]) => items.filter(({ start, stop }) => start < to && stop > from);
    return Promise.resolve(new Map(channels.map((channel) => [channel, within(this.shown.get(channel) ?? [])])));
  }

  now(channels: readonly number[], at: number, count: number) {
    const items = channels.map((channel) => {
      const items = this.shown.get(channel) ?? [];
      const now = items.find(({ start, stop }) => start <= at && stop > at) ?? null;
      return { channel, now, next: items.filter(({ start }) => start > at).slice(0, count) };
    });
    return Promise.resolve(items);
  }

  search(q: string, from: number, to: number, { limit }: { readonly limit: number }) {
    const all = [...this.shown].flatMap(([channel, items]) => items.map((item) => ({ channel, item })));
    const found = all.filter(({ item }) => {
      const title = item.content.titles[0]?.text.toLowerCase() ?? '';
      return title.includes(q.toLowerCase()) && item.start >= from && item.start < to;
    });
    return Promise.resolve({ items: found.slice(0, limit), next: null });
  }

  coverage({ state }: { readonly state?: Coverage['state'] | undefined }) {
    const items = this.coverages.filter((one) => state === undefined || one.state === state);
    return Promise.resolve({ items, next: null });
  }
}
