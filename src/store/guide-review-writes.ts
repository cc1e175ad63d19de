import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import type { By, Edited } from '../model/edit.js';
import { linkKey } from '../model/guide.js';
import type { MatchCandidate } from '../model/guide-match.js';
import { named, requireChannels } from './channel-ids.js';
import type { Connection } from './connection.js';
import type { GuideRef } from './guide-house.js';
import { ownLinks, putLinks } from './guide-link-edits.js';
import { unranked } from './guide-link-row.js';
import { dropCandidates, storedCandidates } from './guide-review.js';
import { type Journal, record } from './journal.js';

/** What users answer to what the matcher is not sure of. */
export const guideReviewWrites = {
  acceptReview(
    { raw }: Connection,
    { channel, candidate, by }: { readonly channel: number; readonly candidate: GuideRef; readonly by: By },
  ): Edited {
    const run = raw.transaction(() => {
      requireChannels(raw, [channel]);
      const [chosen] = among(raw, channel, candidate);
      if (chosen === undefined)
        throw new WeirError('invalid', 'This is none of the candidates. Set it as a link instead.');
      const summary = `link ${named(raw, [channel])} to ${chosen.guideId} of guide source ${chosen.guideSource}`;
      return record(raw, by.actor, summary, (journal) => {
        const { guideSource, guideId, names } = chosen;
        const others = ownLinks(raw, channel).filter((link) => link.guideSource !== guideSource);
        putLinks(raw, journal, channel, [...others, { guideSource, guideId, names, rank: unranked }]);
      });
    });
    return run.immediate();
  },

  rejectReview(
    { raw }: Connection,
    { channel, which, by }: { readonly channel: number; readonly which: Partial<GuideRef>; readonly by: By },
  ): Edited {
    const run = raw.transaction(() => {
      requireChannels(raw, [channel]);
      const rejected = among(raw, channel, which);
      if (rejected.length === 0) throw new WeirError('invalid', 'This is none of the candidates.');
      const [first] = rejected;
      const what = rejected.length > 1 ? `${rejected.length} guide channels` : (first?.guideId ?? '');
      return record(raw, by.actor, `keep ${what} from ${named(raw, [channel])}`, (journal) => {
        for (const candidate of rejected) reject(raw, journal, channel, candidate);
        dropCandidates(raw, channel, isMeant(which));
      });
    });
    return run.immediate();
  },
};

/** Of which candidates it is said: what is left out stands for any. */
function isMeant(which: Partial<GuideRef>): (candidate: MatchCandidate) => boolean {
  const { guideSource, guideId } = which;
  const key = guideId === undefined ? undefined : linkKey(guideId);
  return (one) => {
    const isOfSource = guideSource === undefined || one.guideSource === guideSource;
    return isOfSource && (key === undefined || linkKey(one.guideId) === key);
  };
}

/** @throws WeirError `not-found` when nothing of the channel is to be reviewed. */
function among(raw: Database.Database, channel: number, which: Partial<GuideRef>): MatchCandidate[] {
  const found = storedCandidates(raw, channel);
  if (found === null) throw new WeirError('not-found', `Nothing of channel ${channel} is to be reviewed.`);
  return found.filter(isMeant(which));
}

function reject(raw: Database.Database, journal: Journal, channel: number, candidate: MatchCandidate): void {
  const add = raw.prepare('INSERT OR IGNORE INTO guide_rejection (channel, guide_source, guide_key) VALUES (?, ?, ?)');
  const { changes, lastInsertRowid } = add.run(channel, candidate.guideSource, linkKey(candidate.guideId));
  if (changes === 1) journal.made('guide_rejection', [Number(lastInsertRowid)]);
}
