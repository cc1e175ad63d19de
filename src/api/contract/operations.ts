import { accessOperations } from './access.js';
import { catchupOperations } from './catchup.js';
import { changeOperations } from './change.js';
import { channelOperations } from './channel.js';
import { documentOperations } from './document.js';
import { entryOperations } from './entry.js';
import { eventOperations } from './event.js';
import { groupOperations } from './group.js';
import { guideChannelOperations } from './guide-channel.js';
import { guideLinkOperations } from './guide-link.js';
import { guideProgrammeOperations } from './guide-programme.js';
import { guideSourceOperations } from './guide-source.js';
import { jobOperations } from './job.js';
import { lineupOperations } from './lineup.js';
import type { Operations } from './operation.js';
import { refreshOperations } from './refresh.js';
import { ruleOperations } from './rule.js';
import { sourceOperations } from './source.js';
import { streamOperations } from './stream.js';
import { suggestionOperations } from './suggestion.js';

/** The operations of the REST API by tag, in the order of the document. */
export const operationsByTag = {
  Sources: { ...sourceOperations, ...refreshOperations },
  Entries: entryOperations,
  Channels: { ...channelOperations, ...catchupOperations },
  Groups: groupOperations,
  'Line-ups': lineupOperations,
  Rules: ruleOperations,
  Suggestions: suggestionOperations,
  Guides: { ...guideSourceOperations, ...guideChannelOperations, ...guideLinkOperations },
  Programmes: guideProgrammeOperations,
  Changes: changeOperations,
  Jobs: jobOperations,
  Events: eventOperations,
  Streams: streamOperations,
  Access: accessOperations,
  Document: documentOperations,
} as const satisfies Readonly<Record<string, Operations>>;
