import assert from 'node:assert/strict';
import { readAsJellyfin, readAsKodi } from './readers/xmltv-times.js';
import { dtdProblems } from './xmllint.js';

/** A programme of a guide that is put out; epoch seconds. */
export type Shown = {
  readonly id: string;
  readonly title: string;
  readonly start: number;
  readonly stop: number;
};
export type ShownGuide = { readonly ids: readonly string[]; readonly programmes: readonly Shown[] };

/** Reads a guide that is put out, after it was found valid by the DTD, with the time readers of Kodi and Jellyfin, who agree. */
export function readGuide(xml: string): ShownGuide {
  assert.equal(dtdProblems({ text: xml }), '');
  const programme = /<programme start="([^"]*)" stop="([^"]*)" channel="([^"]*)"><title[^>]*>([^<]*)/g;
  const programmes = [...xml.matchAll(programme)].map(([, start = '', stop = '', id = '', title = '']) => {
    return { id, title, start: timeOf(start), stop: timeOf(stop) };
  });
  assert.equal(programmes.length, xml.split('<programme').length - 1);
  return { ids: [...xml.matchAll(/<channel id="([^"]*)"/g)].map(([, id = '']) => id), programmes };
}

function timeOf(text: string): number {
  const read = readAsKodi(text);
  assert.equal(readAsJellyfin(text), read, text);
  return read;
}

/** What an id shows at an instant; the titles of all, so that two at once are seen. */
export function shownAt({ programmes }: ShownGuide, id: string, at: number): string {
  const on = programmes.filter((one) => one.id === id && one.start <= at && at < one.stop);
  return on.map(({ title }) => title).join(' and ');
}

/** A programme as guides write it: id, title, and epoch seconds or a time as it is written. */
export type Airing = readonly [id: string, title: string, start: number | string, stop: number | string];

/** An XMLTV guide with a `<channel>` for each id, named as it. */
export function guideOf(airings: readonly Airing[], tail = '</tv>\n'): string {
  const ids = [...new Set(airings.map(([id]) => id))];
  const channels = ids.map((id) => `<channel id="${id}"><display-name>${id} TV</display-name></channel>\n`);
  const programmes = airings.map(
    ([id, title, start, stop]) =>
      `<programme start="${written(start)}" stop="${written(stop)}" channel="${id}"><title>${title}</title></programme>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n${channels.join('')}${programmes.join('')}${tail}`;
}

function written(time: number | string): string {
  if (typeof time === 'string') return time;
  return `${new Date(time * 1000).toISOString().replace(/[-:T]|\.\d+Z/g, '')} +0000`;
}

export const hour = 3600;
/** The start of this hour, epoch seconds: guides are judged by the clock. */
export const thisHour = Math.floor(Date.now() / 1000 / hour) * hour;

/** So many programmes of an hour each, from an hour on that is counted from this one. */
export function hourly(id: string, title: string, from: number, count: number): Airing[] {
  return Array.from({ length: count }, (_, n): Airing => {
    const start = thisHour + (from + n) * hour;
    return [id, `${title} ${from + n}`, start, start + hour];
  });
}
