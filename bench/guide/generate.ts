import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { seeded } from '../../test/support/random.js';
import { sentence, sentences, words } from './text.js';

export type GuideOptions = {
  readonly channels: number;
  readonly days: number;
  /** Epoch seconds, midnight UTC. */
  readonly firstDay: number;
  /** Share of programmes that were shown on one of the three days before, to the letter. */
  readonly reruns: number;
};
export type Written = { readonly bytes: number; readonly programmes: number };

const day = 86_400;
/** Bytes that are handed on at once. */
const piece = 256 * 1024;
/** Programmes of a day. */
const [fewest, most] = [10, 12];
/** Channels that fill a megabyte in 14 days, about. */
export const channelsPerMegabyte = 10;

export function guideIdOf(channel: number): string {
  return `nova${channel}.de`;
}

export function nameOf(channel: number): string {
  return `Nova ${words(seeded(channel + 1), 2)} ${channel}`;
}

/**
 * Writes an XMLTV guide as big providers have them, packed: channels first, then the programmes of one after another, 10 to 12 a
 * day of 650 bytes each. The same options make the same bytes, and a day is the same whichever the first one is.
 */
export async function writeGuide(path: string, options: GuideOptions): Promise<Written> {
  let bytes = 0;
  let programmes = 0;
  const pieces = function* () {
    for (const { text, count } of guideText(options)) {
      const chunk = Buffer.from(text);
      bytes += chunk.length;
      programmes += count;
      yield chunk;
    }
  };
  await pipeline(Readable.from(pieces()), createGzip(), createWriteStream(path));
  return { bytes, programmes };
}

/** In pieces, each with how many programmes begin in it. */
export function* guideText(options: GuideOptions): Generator<{ text: string; count: number }> {
  let text =
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n<tv generator-info-name="bench">\n';
  let count = 0;
  for (const part of parts(options)) {
    text += part.text;
    count += part.count;
    if (text.length < piece) continue;
    yield { text, count };
    text = '';
    count = 0;
  }
  yield { text: `${text}</tv>\n`, count };
}

function* parts({ channels, days, firstDay, reruns }: GuideOptions): Generator<{ text: string; count: number }> {
  for (let channel = 0; channel < channels; channel += 1) yield { text: channelElement(channel), count: 0 };
  const first = Math.round(firstDay / day);
  for (let channel = 0; channel < channels; channel += 1) {
    for (let date = first; date < first + days; date += 1) yield dayOf(channel, date, reruns);
  }
}

function channelElement(channel: number): string {
  const id = guideIdOf(channel);
  const name = nameOf(channel);
  return `  <channel id="${id}">\n    <display-name lang="de">${name}</display-name>\n    <display-name>${name} HD</display-name>\n    <icon src="http://images.example.net/logos/${channel}.png" />\n  </channel>\n`;
}

/** From midnight to midnight, without gaps, on the five minutes. */
function dayOf(channel: number, date: number, reruns: number): { text: string; count: number } {
  const random = seeded(channel * 100_003 + date);
  const count = fewest + Math.floor(random() * (most - fewest + 1));
  const step = 288 / count;
  let text = '';
  let start = 0;
  for (let place = 0; place < count; place += 1) {
    const stop = place === count - 1 ? 288 : Math.round(step * (place + 0.7 + random() * 0.6));
    const shown = random() < reruns ? date - 1 - Math.floor(random() * 3) : date;
    const at = (fives: number) => timeOf(date * day + fives * 300);
    text += `  <programme start="${at(start)}" stop="${at(stop)}" channel="${guideIdOf(channel)}">\n${contentOf(channel, shown, place)}  </programme>\n`;
    start = stop;
  }
  return { text, count };
}

function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().replace(/[-:T]|\.\d+Z/g, '')} +0000`;
}

const categories = ['Series', 'News', 'Movie', 'Sport', 'Documentary', 'Children', 'Music', 'Arts &amp; Culture'];

/** What is said of a programme: no two are alike, for each has a picture of its own. */
function contentOf(channel: number, date: number, place: number): string {
  const random = seeded((channel * 20_011 + date) * 17 + place);
  const pick = (count: number) => Math.floor(random() * count);
  const [season, episode] = [pick(12), pick(24)];
  const credits =
    random() < 0.3
      ? `    <credits>\n      <director>${words(random, 2)}</director>\n      <actor role="${words(random, 1)}">${words(random, 2)}</actor>\n      <actor>${words(random, 2)}</actor>\n    </credits>\n`
      : '';
  return [
    `    <title lang="de">${words(random, 1 + pick(4))}</title>\n`,
    random() < 0.6 ? `    <sub-title lang="de">${sentence(random, 5)}</sub-title>\n` : '',
    `    <desc lang="de">${sentences(random, 50 + pick(230))}</desc>\n`,
    credits,
    `    <date>${1980 + pick(45)}</date>\n`,
    `    <category lang="en">${categories[pick(categories.length)]}</category>\n`,
    `    <icon src="http://images.example.net/p/${channel}-${date}-${place}.jpg" />\n`,
    random() < 0.5 ? `    <episode-num system="xmltv_ns">${season}.${episode}.</episode-num>\n` : '',
    random() < 0.3 ? `    <rating system="FSK">\n      <value>${[0, 6, 12, 16][pick(4)]}</value>\n    </rating>\n` : '',
  ].join('');
}
