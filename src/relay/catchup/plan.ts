import { namedClock, type ZoneClock } from '../../lib/zone-clock.js';
import type { ChannelCatchup, Wish } from '../../model/archive.js';
import type { Headers } from '../../model/entry.js';
import { expand } from './expand.js';
import { withoutParameters } from './join.js';
import { takesPlayseek, templateOf } from './modes.js';
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

const seekNames: ReadonlySet<string> = new Set(['playseek', 'tvdr']);
const whole = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i;

/**
 * Says how a part of a channel's past is asked for. `now` and `openEnd`, what stands for an end that is open, are epoch seconds.
 * `household` is the clock of channels without a zone.
 */
export function planArchive(
  catchup: ChannelCatchup,
  wish: Wish,
  at: { readonly now: number; readonly openEnd: number | null; readonly household: ZoneClock },
): PlannedArchive | Problem {
  const instants = corrected(wish, catchup.correction, at.now, at.openEnd);
  const near = nearLive(catchup, instants);
  if (near !== null) return near;
  const clock = clockOf(catchup.zone, at.household);
  if (clock === null) return { problem: `There is no zone ${catchup.zone}: write it as Europe/Vienna or UTC+8.` };
  const built = templateFor(catchup);
  if ('problem' in built) return built;
  const template = readTemplate(built.template);
  const url = expand(template, instants, { zone: clock, formatted: catchup.formatted });
  if (!whole.test(url))
    return { problem: 'The template gives no address with a server: it needs one of the live channel before it.' };
  return { url, headers: { ...catchup.headers, ...template.headers }, range: null, unknown: template.unknown };
}

/** What is hardly past is asked of the live address, which many carriers still have it at. */
function nearLive({ nearLive, urls, headers }: ChannelCatchup, { start, now }: Instants): PlannedArchive | null {
  const live = urls.find((url) => /^rtsp:/i.test(url));
  if (live === undefined || nearLive <= 0 || start < now - nearLive) return null;
  return { url: withoutParameters(live, seekNames), headers, range: clockRange(start), unknown: [] };
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
  const fitting = mode === 'playseek' ? urls.filter(takesPlayseek) : urls;
  const built = (fitting.length === 0 ? [null] : fitting).map((url) => templateOf(mode, template, url));
  const [first = { problem: 'The channel has no address.' }] = built;
  return built.find((one) => 'template' in one) ?? first;
}
