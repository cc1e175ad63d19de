import type { guideChannelOperations } from '../contract/guide-channel.js';
import type { GuideHouse, ListedGuideChannel } from '../guide.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';

type Options = Pick<ApiOptions, 'guideHouse' | 'guideStore'>;

export function guideChannelHandlers({ guideHouse, guideStore }: Options): Handlers<typeof guideChannelOperations> {
  return {
    async listGuideChannels({ query: { q, source, linked, ...paging } }) {
      // What a source that was removed still has is dropped soon, and shown no more.
      const known = new Set((await guideHouse.sources()).map(({ id }) => id));
      const accepts = ({ guideSource, guideKey }: Pick<ListedGuideChannel, 'guideSource' | 'guideKey'>) =>
        known.has(guideSource) && (linked === undefined || guideHouse.isLinked(guideSource, guideKey) === linked);
      const filter = { ...(q === undefined ? {} : { q }), ...(source === undefined ? {} : { source }), accepts };
      const { items, next } = await guideStore.channels.search(filter, paging);
      return { body: { items: shown(guideHouse, items), next } };
    },
  };
}

function shown(guideHouse: GuideHouse, items: readonly ListedGuideChannel[]) {
  const sources = [...new Set(items.map(({ guideSource }) => guideSource))];
  const linked = new Map(
    sources.map((source) => {
      const keys = items.filter(({ guideSource }) => guideSource === source).map(({ guideKey }) => guideKey);
      return [source, guideHouse.channelsLinkedTo(source, keys)];
    }),
  );
  return items.map(({ guideSource, guideKey, guideId, names, icons, programmes, first, last, near }) => {
    const channels = linked.get(guideSource)?.get(guideKey) ?? [];
    return { guideSource, guideId, names, icon: icons[0]?.src ?? null, programmes, first, last, near, channels };
  });
}
