import type { Programme } from '../../../src/model/programme.js';

/** Seconds of a day on which the tests take place. */
export const day = Date.UTC(2024, 0, 2) / 1000;

/** `10:40` of that day, `1:00` behind `+` of the day after. */
export function at(clock: string): number {
  const [, next, hours, minutes] = /^(\+?)(\d+):(\d+)$/.exec(clock) ?? [];
  return day + (next === '+' ? 86_400 : 0) + Number(hours) * 3600 + Number(minutes) * 60;
}

export function airing(title: string, start: string, stop: string | null, description?: string): Programme {
  const descs = description === undefined ? {} : { descs: [{ text: description, lang: null }] };
  return {
    start: at(start),
    stop: stop === null ? null : at(stop),
    content: { titles: [{ text: title, lang: null }], ...descs },
  };
}

/** `A 10:40-11:40`, one for each item. */
export function told(
  items: readonly { readonly start: number; readonly stop: number; readonly content: Programme['content'] }[],
): string[] {
  return items.map(({ start, stop, content }) => `${content.titles[0]?.text} ${clock(start)}-${clock(stop)}`);
}

function clock(time: number): string {
  const text = new Date(time * 1000).toISOString().slice(11, 16);
  return time >= day + 86_400 ? `+${text}` : text;
}
