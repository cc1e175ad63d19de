import { WeirError } from '../../lib/errors.js';
import { type ChannelGuide, type GuideLink, linkKey } from '../../model/guide.js';
import type { Page, Paging } from '../../model/page.js';
import type { guideLinkOperations } from '../contract/guide-link.js';
import type { GuideChannels, ListedGuideChannel } from '../guide.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';
import { redactJob, shownTo } from '../redact.js';

type Options = Pick<ApiOptions, 'guideHouse' | 'guideStore' | 'guides'>;

export function guideLinkHandlers(options: Options): Handlers<typeof guideLinkOperations> {
  const { guideHouse, guides } = options;
  const { channels } = options.guideStore;
  const found = (channel: number) => {
    const guide = guideHouse.guideOf(channel);
    if (guide === null) throw new WeirError('not-found', 'There is no such channel.');
    return guide;
  };
  return {
    getChannelGuide: ({ params }) => Promise.resolve(reply(found(params.id))),
    async updateChannelGuide({ params, body, by }) {
      const { etag } = found(params.id);
      const whose = by(etag);
      const { links, ...patch } = body;
      const known = await listed(channels, links ?? []);
      const named = links?.map((link) => ({ ...link, ...namesIn(known, link) })) ?? links;
      await guideHouse.setChannelGuide(
        params.id,
        { ...patch, ...(named === undefined ? {} : { links: named }) },
        whose,
      );
      guides.linksChanged();
      const guide = found(params.id);
      if (guide.mode === 'auto' && (body.mode !== undefined || links === null)) await guides.match();
      return reply(guide);
    },
    async listGuideLinks({ query: { state, source, origin, ...paging } }) {
      const pages = (at: Paging) => guideHouse.pageOfLinks({ source, origin }, at);
      return { body: await linksIn(state, channels, pages, paging) };
    },
    async matchChannels({ caller }) {
      const job = await guides.match();
      return { body: shownTo(caller.scope, job, redactJob), location: `/jobs/${job.id}` };
    },
    ...reviewHandlers(options),
  };
}

type ReviewOperations = Pick<typeof guideLinkOperations, 'listGuideReview' | 'acceptGuideReview' | 'rejectGuideReview'>;

function reviewHandlers({ guideHouse, guides }: Options): Handlers<ReviewOperations> {
  return {
    listGuideReview: async ({ query }) => ({ body: await guideHouse.review(query) }),
    async acceptGuideReview({ params, body, by }) {
      const edited = await guideHouse.acceptReview(params.channel, body, by());
      guides.linksChanged();
      return { body: edited };
    },
    rejectGuideReview: async ({ params, body, by }) => ({
      body: await guideHouse.rejectReview(params.channel, body, by()),
    }),
  };
}

function reply({ etag, ...guide }: ChannelGuide & { readonly etag: string }) {
  return { body: guide, version: etag };
}

type Ref = { readonly guideSource: number; readonly guideId: string };

/** What guides say now of some of their channels, by source and key. */
async function listed(channels: GuideChannels, refs: readonly Ref[]): Promise<ReadonlyMap<string, ListedGuideChannel>> {
  const wanted = new Set(refs.map(keyOf));
  const found = new Map<string, ListedGuideChannel>();
  for (const source of new Set(refs.map(({ guideSource }) => guideSource))) {
    const accepts = (one: { guideSource: number; guideKey: string }) =>
      wanted.has(`${one.guideSource} ${one.guideKey}`);
    const { items } = await channels.search({ source, accepts }, { after: null, limit: wanted.size });
    for (const item of items) found.set(`${source} ${item.guideKey}`, item);
  }
  return found;
}

function keyOf({ guideSource, guideId }: Ref): string {
  return `${guideSource} ${linkKey(guideId)}`;
}

/** What the guide calls it now; where it does not know it, what was known of it stays. */
function namesIn(known: ReadonlyMap<string, ListedGuideChannel>, ref: Ref): { readonly names?: readonly string[] } {
  const names = known.get(keyOf(ref))?.names.map(({ text }) => text);
  return names === undefined ? {} : { names };
}

type ListedLink = GuideLink & { readonly name: string; readonly state: 'live' | 'empty' | 'gone' };

/** Links with their states; with a filter, the first page that holds any of that state. */
async function linksIn(
  state: ListedLink['state'] | undefined,
  channels: GuideChannels,
  pages: (paging: Paging) => Promise<Page<GuideLink & { readonly name: string }>>,
  paging: Paging,
): Promise<Page<ListedLink>> {
  for (let after = paging.after; ; ) {
    const { items, next } = await pages({ ...paging, after });
    const known = await listed(channels, items);
    const shown = items.map((link): ListedLink => ({ ...link, state: stateOf(known.get(keyOf(link))) }));
    const matching = shown.filter((link) => state === undefined || link.state === state);
    if (matching.length > 0 || next === null) return { items: matching, next };
    after = next;
  }
}

function stateOf(channel: ListedGuideChannel | undefined): ListedLink['state'] {
  if (channel === undefined) return 'gone';
  return channel.near > 0 ? 'live' : 'empty';
}
