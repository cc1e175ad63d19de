import type { Scope } from '../../model/access.js';
import type { ApiRouter, Handler } from '../context.js';
import { accessOperations } from '../contract/access.js';
import { catchupOperations } from '../contract/catchup.js';
import { changeOperations } from '../contract/change.js';
import { channelOperations } from '../contract/channel.js';
import { documentOperations } from '../contract/document.js';
import { entryOperations } from '../contract/entry.js';
import { eventOperations } from '../contract/event.js';
import { groupOperations } from '../contract/group.js';
import { guideChannelOperations } from '../contract/guide-channel.js';
import { guideLinkOperations } from '../contract/guide-link.js';
import { guideProgrammeOperations } from '../contract/guide-programme.js';
import { guideSourceOperations } from '../contract/guide-source.js';
import { jobOperations } from '../contract/job.js';
import { lineupOperations } from '../contract/lineup.js';
import { refreshOperations } from '../contract/refresh.js';
import { ruleOperations } from '../contract/rule.js';
import { sourceOperations } from '../contract/source.js';
import { streamOperations } from '../contract/stream.js';
import { suggestionOperations } from '../contract/suggestion.js';
import { addOperations, type Mount } from '../handle.js';
import { crossSite } from '../middleware/cross-site.js';
import { openApiDocument } from '../openapi.js';
import type { ApiOptions } from '../options.js';
import { accessHandlers } from './access.js';
import { catchupHandlers } from './catchup.js';
import { changeHandlers } from './changes.js';
import { channelHandlers } from './channels.js';
import { addDocsRoutes } from './docs.js';
import { entryHandlers } from './entries.js';
import { eventHandlers } from './events.js';
import { groupHandlers } from './groups.js';
import { guideChannelHandlers } from './guide-channels.js';
import { guideLinkHandlers } from './guide-links.js';
import { guideProgrammeHandlers } from './guide-programmes.js';
import { guideSourceHandlers } from './guide-sources.js';
import { jobHandlers } from './jobs.js';
import { lineupHandlers } from './lineups.js';
import { refreshHandlers } from './refreshes.js';
import { ruleHandlers } from './rules.js';
import { sourceHandlers } from './sources.js';
import { streamHandlers } from './streams.js';
import { suggestionHandlers } from './suggestions.js';

/** `/api/v1`: each table of operations with what carries it out. */
export function addRestRoutes(router: ApiRouter, options: ApiOptions, key: (scope: Scope) => Handler): void {
  const { relay, catalogue, entries, jobs, access, publicUrl, development } = options;
  router.use('/api/v1', crossSite());
  const open: Handler = (_ctx, next) => next();
  const mount: Mount = {
    router,
    access: (scope) => (scope === null ? open : key(scope)),
    base: publicUrl ?? '',
  };
  addOperations(mount, sourceOperations, sourceHandlers(options));
  addOperations(mount, refreshOperations, refreshHandlers(options));
  addOperations(mount, entryOperations, entryHandlers(entries));
  addOperations(mount, channelOperations, channelHandlers(options));
  addOperations(mount, catchupOperations, catchupHandlers(options));
  addOperations(mount, groupOperations, groupHandlers(catalogue));
  addOperations(mount, lineupOperations, lineupHandlers(options));
  addOperations(mount, ruleOperations, ruleHandlers(options));
  addOperations(mount, suggestionOperations, suggestionHandlers(options));
  addOperations(mount, guideSourceOperations, guideSourceHandlers(options));
  addOperations(mount, guideChannelOperations, guideChannelHandlers(options));
  addOperations(mount, guideLinkOperations, guideLinkHandlers(options));
  addOperations(mount, guideProgrammeOperations, guideProgrammeHandlers(options.guideReads));
  addOperations(mount, changeOperations, changeHandlers(options));
  addOperations(mount, jobOperations, jobHandlers(jobs));
  addOperations(mount, eventOperations, eventHandlers(options));
  addOperations(mount, streamOperations, streamHandlers(relay));
  addOperations(mount, accessOperations, accessHandlers(access));
  addOperations(mount, documentOperations, { getOpenApi: () => Promise.resolve({ body: openApiDocument }) });
  if (development) addDocsRoutes(router);
}
