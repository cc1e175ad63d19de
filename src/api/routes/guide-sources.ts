import { messageOf, WeirError } from '../../lib/errors.js';
import { readSchedule } from '../../lib/schedule.js';
import type { GuideSource, GuideSourceStatus, NewGuideSource } from '../../model/guide.js';
import { type guideSourceOperations, newGuideSourceSchema } from '../contract/guide-source.js';
import { whole } from '../contract/shapes.js';
import type { Feed } from '../guide.js';
import type { Handlers } from '../handle.js';
import { InvalidRequest, parseRequest } from '../invalid-request.js';
import { fileInFolder } from '../list-folder.js';
import type { ApiOptions } from '../options.js';
import { redactGuideSource, redactJob, redactReason, shownTo } from '../redact.js';

type Options = Pick<ApiOptions, 'guideHouse' | 'guideStore' | 'guides' | 'listFolder'>;
type Patch = Partial<Omit<NewGuideSource, 'kind'>>;

export function guideSourceHandlers(options: Options): Handlers<typeof guideSourceOperations> {
  const { guideHouse, guides } = options;
  const { feeds } = options.guideStore;
  const found = async (id: number) => required(await guideHouse.source(id));
  const status = async (source: GuideSource) =>
    statusOf(source, await feeds.byId(source.id), guideHouse.linkedBySource());
  const changeable = async (id: number) => {
    const source = await found(id);
    if (source.origin !== 'given') return source;
    throw new WeirError('conflict', 'This guide is given by flag or configuration. Change it there.');
  };
  return {
    async listGuideSources({ caller }) {
      const linked = guideHouse.linkedBySource();
      const known = new Map((await feeds.all()).map((feed) => [feed.source, feed]));
      const all = (await guideHouse.sources()).map((source) => statusOf(source, known.get(source.id) ?? null, linked));
      return { body: whole(all.map((one) => shownTo(caller.scope, one, redactGuideSource))) };
    },
    async createGuideSource({ body, by }) {
      const source = await guideHouse.add(await checked(body, options.listFolder), by());
      await guides.sourcesChanged();
      const made = await status(source);
      return { body: made, version: String(made.version), location: `/guide-sources/${made.id}` };
    },
    async getGuideSource({ params, caller }) {
      const source = await status(await found(params.id));
      return { body: shownTo(caller.scope, source, redactGuideSource), version: String(source.version) };
    },
    async updateGuideSource({ params, body, by }) {
      const before = await changeable(params.id);
      const whose = by(String(before.version));
      const source = await guideHouse.update(params.id, await patchOf(before, body, options.listFolder), whose);
      await guides.sourcesChanged();
      return { body: await status(source), version: String(source.version) };
    },
    async removeGuideSource({ params, by }) {
      const { version } = await changeable(params.id);
      await guideHouse.remove(params.id, by(String(version)));
      await guides.sourcesChanged();
    },
    ...refreshHandlers(options),
  };
}

type RefreshOperations = Pick<
  typeof guideSourceOperations,
  'refreshGuideSource' | 'acceptGuideSource' | 'listGuideRefreshes'
>;

function refreshHandlers({ guideHouse, guideStore, guides }: Options): Handlers<RefreshOperations> {
  const found = async (id: number) => required(await guideHouse.source(id));
  return {
    async refreshGuideSource({ params, caller }) {
      await found(params.id);
      const job = await guides.refresh(params.id);
      return { body: shownTo(caller.scope, job, redactJob), location: `/jobs/${job.id}` };
    },
    async acceptGuideSource({ params }) {
      await found(params.id);
      const waiting = (await guideStore.feeds.byId(params.id))?.waiting;
      if (waiting == null) throw new WeirError('conflict', 'No guide of this source waits to be accepted.');
      const job = await guides.accept(params.id, waiting.snapshot);
      return { body: job, location: `/jobs/${job.id}` };
    },
    async listGuideRefreshes({ params, query, caller }) {
      await found(params.id);
      const { items, next } = await guideStore.feeds.refreshes(params.id, query);
      const shown = items.map(({ id, cause, startedAt, endedAt, outcome, reason, counts }) => {
        const refresh = { id, cause, startedAt, endedAt, outcome, reason, counts };
        return shownTo(caller.scope, refresh, redactReason);
      });
      return { body: { items: shown, next } };
    },
  };
}

function required<T>(source: T | null): T {
  if (source === null) throw new WeirError('not-found', 'There is no such guide source.');
  return source;
}

const missingReason = 'Neither flag nor configuration nor a list names it any more.';

function statusOf(source: GuideSource, feed: Feed | null, linked: ReadonlyMap<number, number>): GuideSourceStatus {
  const isMissing = source.missingSince !== null;
  const waiting = feed?.waiting ?? null;
  return {
    ...source,
    state: isMissing ? 'missing' : (feed?.state ?? 'idle'),
    reason: isMissing ? missingReason : (feed?.reason ?? null),
    counts: feed?.service?.counts ?? null,
    linked: linked.get(source.id) ?? 0,
    failures: feed?.failures ?? 0,
    waiting: waiting && { snapshot: waiting.snapshot, since: waiting.since, reason: waiting.reason },
    nextRefreshAt: isMissing ? null : (feed?.nextRefreshAt ?? null),
    refreshedAt: feed?.refreshedAt ?? null,
    publishedAt: feed?.publishedAt ?? null,
  };
}

/** What is allowed of a new guide source is allowed of a changed one. The path of a file that stays is not looked at. */
async function patchOf(before: GuideSource, patch: Patch, folder: string | null): Promise<Patch> {
  const { kind, location, schedule, timeZone } = before;
  const asNew = parseRequest(newGuideSourceSchema, { kind, location, schedule, timeZone, ...patch });
  const { location: moved } = await checked(asNew, patch.location === undefined ? undefined : folder);
  return patch.location === undefined ? patch : { ...patch, location: moved };
}

/** How often a guide is fetched that has no schedule of its own. */
const usualSchedule = '6h';

/** `folder` undefined leaves the path of a file as it is. @throws WeirError `invalid` where source and schedule cannot be so. */
async function checked(source: NewGuideSource, folder: string | null | undefined): Promise<NewGuideSource> {
  try {
    readSchedule(source.schedule ?? usualSchedule, { timeZone: source.timeZone ?? null, source: 0 });
  } catch (error) {
    throw new InvalidRequest([{ path: 'schedule', message: messageOf(error) }]);
  }
  if (source.kind !== 'file' || folder === undefined) return source;
  return { ...source, location: await fileInFolder(source.location, folder) };
}
