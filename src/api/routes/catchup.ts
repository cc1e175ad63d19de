import { now as realNow } from '../../lib/clock.js';
import { WeirError } from '../../lib/errors.js';
import type { ChannelCatchup, Wish } from '../../model/archive.js';
import { type TimelineItem, viewOf } from '../../model/programme.js';
import { planArchive } from '../../relay/catchup/plan.js';
import type { catchupOperations } from '../contract/catchup.js';
import type { Handlers } from '../handle.js';
import { InvalidRequest } from '../invalid-request.js';
import type { ApiOptions } from '../options.js';

type Options = Pick<ApiOptions, 'catchups' | 'guideReads' | 'clock'>;

/** Seconds before a programme within which a start means that one: players begin early. */
const early = 300;

type Parts = { readonly catchup: ChannelCatchup; readonly wish: Wish; readonly now: number };

export function catchupHandlers({ catchups, guideReads, clock }: Options): Handlers<typeof catchupOperations> {
  const asked = async ({ catchup, wish, now }: Parts) => {
    const { channel } = catchup;
    const around = await guideReads.timelines([channel], wish.start, wish.start + early + 1);
    const programme = meantBy(around.get(channel) ?? [], wish.start);
    const [onAir] = await guideReads.now([channel], now, 0);
    const plan = planArchive(catchup, wish, { now, openEnd: onAir?.now?.stop ?? null, household: clock });
    const shown = 'problem' in plan ? plan : { ...plan, headers: Object.keys(plan.headers) };
    return { ...shown, programme: programme && viewOf(programme) };
  };
  return {
    async getChannelCatchup({ params, query: { start, end, now = realNow() } }) {
      const wish = wishOf(start, end, now);
      const catchup = await catchups.of(params.id);
      if (catchup === null) throw new WeirError('not-found', 'There is no such channel, or it has no archive.');
      const { channel: _channel, urls: _urls, headers: _headers, interface: _interface, ...shown } = catchup;
      const nothing = { url: null, range: null, headers: [], unknown: [], problem: null, programme: null };
      const address = wish === null ? {} : await asked({ catchup, wish, now });
      return { body: { ...shown, wish, now, ...nothing, ...address } };
    },
  };
}

/** @throws WeirError `invalid` */
function wishOf(start: number | undefined, end: number | undefined, now: number): Wish | null {
  const wrong = (path: string, message: string) => new InvalidRequest([{ path, message }]);
  if (start === undefined) {
    if (end !== undefined) throw wrong('end', 'It needs a `start`.');
    return null;
  }
  if (start > now) throw wrong('start', 'It has not happened yet.');
  if (end !== undefined && end <= start) throw wrong('end', 'It is not after `start`.');
  return { start, end: end ?? null };
}

/** The programme that a start means. */
function meantBy(items: readonly TimelineItem[], at: number): TimelineItem | null {
  const begins = items.find(({ start }) => start >= at && start <= at + early);
  return begins ?? items.find(({ start, stop }) => start <= at && stop > at) ?? null;
}
