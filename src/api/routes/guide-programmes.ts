import { now } from '../../lib/clock.js';
import { WeirError } from '../../lib/errors.js';
import type { Paging } from '../../model/page.js';
import { type TimelineItem, viewOf } from '../../model/programme.js';
import type { guideProgrammeOperations } from '../contract/guide-programme.js';
import { whole } from '../contract/shapes.js';
import type { GuideReads } from '../guide.js';
import type { Handlers } from '../handle.js';
import { InvalidRequest } from '../invalid-request.js';

const day = 86_400;
/** Seconds that may be asked for at once. */
const longest = 31 * day;

export function guideProgrammeHandlers(reads: GuideReads): Handlers<typeof guideProgrammeOperations> {
  return {
    async listProgrammes({ query: { channel, from: start, to, ...paging } }) {
      const { from, until } = spanOf(start, to, day);
      return { body: await pageOfProgrammes(reads, channel, { from, until }, paging) };
    },
    async listNow({ query: { channels, at, next } }) {
      const shown = await reads.now(channels, at ?? now(), next);
      const items = shown.map((one) => {
        return { channel: one.channel, now: one.now && viewOf(one.now), next: one.next.map(viewOf) };
      });
      return { body: whole(items) };
    },
    async searchProgrammes({ query: { q, from: start, to, ...paging } }) {
      const { from, until } = spanOf(start, to, 14 * day);
      const { items, next } = await reads.search(q, from, until, paging);
      return { body: { items: items.map(({ channel, item }) => ({ channel, ...viewOf(item) })), next } };
    },
    async listGuideCoverage({ query: { state, ...paging } }) {
      return { body: await reads.coverage({ state }, paging) };
    },
  };
}

type Span = { readonly from: number; readonly until: number };

/** @throws WeirError `invalid` for one that is empty or too long. */
function spanOf(start: number | undefined, end: number | undefined, usual: number): Span {
  const from = start ?? now();
  const until = end ?? from + usual;
  const wrong = (message: string) => new InvalidRequest([{ path: 'to', message }]);
  if (until <= from) throw wrong('It is not after `from`.');
  if (until - from > longest) throw wrong('It is more than 31 days after `from`.');
  return { from, until };
}

/** Behind the channel and start of the last one of the page before; of that channel on, the timelines are read again. */
async function pageOfProgrammes(
  reads: GuideReads,
  channels: readonly number[],
  { from, until }: Span,
  { after, limit }: Paging,
) {
  const place = placeOf(after, channels);
  const rest = channels.slice(place === null ? 0 : place.index);
  const timelines = await reads.timelines(rest, from, until);
  const items = rest.flatMap((channel) => (timelines.get(channel) ?? []).map((item) => shown(channel, item)));
  const behind = place === null ? items : items.filter((item) => item.channel !== rest[0] || item.start > place.start);
  const last = behind.length > limit ? behind[limit - 1] : undefined;
  return { items: behind.slice(0, limit), next: last === undefined ? null : `${last.channel}.${last.start}` };
}

function shown(channel: number, item: TimelineItem) {
  const { guideSource = null, guideId = null } = item.from ?? {};
  return { channel, ...viewOf(item), guideSource, guideId };
}

/** @throws WeirError `invalid` */
function placeOf(after: string | null, channels: readonly number[]): { index: number; start: number } | null {
  if (after === null) return null;
  const [, channel, start] = /^(\d{1,15})\.(\d{1,15})$/.exec(after) ?? [];
  const index = channels.indexOf(Number(channel));
  if (index < 0)
    throw new WeirError('invalid', 'The page asked for is none: `after` is to be the `next` of the page before.');
  return { index, start: Number(start) };
}
