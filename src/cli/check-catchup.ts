import { now } from '../lib/clock.js';
import { WeirError } from '../lib/errors.js';
import { utc } from '../lib/zone-clock.js';
import { type ArchiveMode, type ChannelCatchup, takesPlayseek } from '../model/archive.js';
import { type PlannedArchive, writeArchive } from '../relay/catchup/plan.js';
import type { CatchupAsked } from './catchup-options.js';

/**
 * Prints the address that would be asked, and below it what else there is to say of it.
 * @throws WeirError when there is none.
 */
export function checkCatchup(asked: CatchupAsked): void {
  const { start, end = null, now: at = now() } = asked;
  const plan = writeArchive(catchupOf(asked), { start, end }, { now: at, openEnd: null, household: utc });
  if ('problem' in plan) throw new WeirError('invalid', plan.problem);
  process.stdout.write(asked.json ? `${JSON.stringify(plan)}\n` : reportOf(plan));
}

function catchupOf(asked: CatchupAsked): ChannelCatchup {
  const { template = null, zone, url, correction, formatted, nearLive } = asked;
  const said = { mode: 'override', days: 'default', correction: 'override', zone: 'override' } as const;
  const urls = url === undefined ? [] : [url];
  const limits = { days: 0, sessions: null, headers: {}, interface: null };
  return { channel: 0, mode: modeOf(asked), template, zone, correction, formatted, nearLive, urls, said, ...limits };
}

function modeOf({ mode, template, url }: CatchupAsked): ArchiveMode {
  if (mode !== undefined) return mode;
  return (template ?? '').trim() === '' && url !== undefined && takesPlayseek(url) ? 'playseek' : 'default';
}

function reportOf({ url, headers, range, unknown }: PlannedArchive): string {
  const lines = [
    url,
    ...unknown.map((placeholder) => `placeholders unknown: ${placeholder}`),
    ...(range === null ? [] : [`range: ${range}`]),
    ...Object.entries(headers).map(([name, value]) => `header: ${name}: ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}
