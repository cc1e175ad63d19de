import { namedClock, type ZoneClock } from '../../lib/zone-clock.js';
import { type ChannelCatchup, takesPlayseek, type Wish } from '../../model/archive.js';
import type { Headers } from '../../model/entry.js';
import { expand } from './expand.js';
import { withoutSeek } from './join.js';
import { templateOf } from './modes.js';
import { readTemplate } from './read-template.js';
import type { Instants } from './token.js';
import { clockRange, corrected } from './window.js';

/** What the provider is asked. */
export type PlannedArchive = {
  readonly url: string;
  readonly headers: Headers;
  /** `Range` of PLAY (RFC 2326 §12.29), or null. */
  readonly range: string | null;
  /** Placeholders that stayed as they are. */
  readonly unknown: readonly string[];
};

type Problem = { readonly problem: string };

const whole = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i;

type At = { readonly now: number; readonly openEnd: number | null; readonly household: ZoneClock };

/**
 * Says how a part of a channel's past is asked for. `now` and `openEnd`, what stands for an end that is open, are epoch seconds.
 * `household` is the clock of channels without a zone.
 */
export function planArchive(catchup: ChannelCatchup, wish: Wish, at: At): PlannedArchive | Problem {
  const plan = writeArchive(catchup, wish, at);
  if ('problem' in plan || whole.test(plan.url)) return plan;
  return {
    problem: 'The template gives no address with a server, and there is none of the live channel to put before it.',
  };
}

/** The same where a template need not give a whole address: it is shown as it comes. */
export function writeArchive(catchup: ChannelCatchup, wish: Wish, at: At): PlannedArchive | Problem {
  const instants = corrected(wish, catchup.correction, at.now, at.openEnd);
  const near = nearLive(catchup, instants);
  if (near !== null) return near;
  const clock = clockOf(catchup.zone, at.household);
  if (clock === null) return { problem: `There is no zone ${catchup.zone}: write it as Europe/Vienna or UTC+8.` };
  const built = templateFor(catchup);
  if ('problem' in built) return built;
  const template = readTemplate(built.template);
  const url = expand(template, instants, { zone: clock, formatted: catchup.formatted });
  return { url, headers: { ...catchup.headers, ...template.headers }, range: null, unknown: template.unknown };
}

/** What is hardly past is asked of the live address, which many carriers still have it at. */
function nearLive({ nearLive, urls, headers }: ChannelCatchup, { start, now }: Instants): PlannedArchive | null {
  const live = urls.find((url) => /^rtsp:/i.test(url));
  if (live === undefined || nearLive <= 0 || start < now - nearLive) return null;
  return { url: withoutSeek(live), headers, range: clockRange(start), unknown: [] };
}

function clockOf(zone: string | null, household: ZoneClock): ZoneClock | null {
  try {
    return zone === null ? household : namedClock(zone);
  } catch {
    return null;
  }
}

/** Behind the first address that it can be built on; else what is wrong with the first. */
function templateFor({ mode, template, urls }: ChannelCatchup): ReturnType<typeof templateOf> {
  const likely = mode === 'playseek' ? urls.filter(takesPlayseek) : [];
  const built = [...likely, ...urls].map((url) => templateOf(mode, template, url));
  return built.find((one) => 'template' in one) ?? built[0] ?? templateOf(mode, template, null);
}
