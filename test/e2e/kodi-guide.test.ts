import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ProgrammeView } from '../../src/model/programme.js';
import { type Airing, guideOf, hour, hourly, readGuide, shownAt, thisHour } from '../support/guide-text.js';
import { ask } from '../support/http.js';
import { startKodi } from '../support/kodi.js';
import { needs } from '../support/needs.js';
import { buildStreet } from '../support/netns.js';
import { privateNetwork } from '../support/private-network.js';
import { everything } from '../support/rest.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir, type Weir } from '../support/weir.js';

const skip = privateNetwork() || needs('kodi', 'xvfb', 'pulseaudio', 'xmllint', 'xmltv');
const numbers = Array.from({ length: 50 }, (_, n) => n);
const idOf = (n: number) => `channel${n}.de`;
const nameOf = (n: number) => `Channel ${n}`;
const playlist = `#EXTM3U
${numbers.map((n) => `#EXTINF:-1 tvg-id="${idOf(n)}",${nameOf(n)}\nudp://@239.1.21.${n}:5000\n`).join('')}`;

/** Hours that a guide has, counted from this one. */
const [from, count] = [-6, 60];
/** Every fifth channel of the first guide has a gap around now, which the second fills. */
const hasGap = (n: number) => n < 20 && n % 5 === 0;
const gap = { from: -1, to: 3 };
/** The third guide is late by so many seconds. */
const late = 5.5 * hour;

function firstGuide(): Airing[] {
  return numbers.slice(0, 20).flatMap((n) => {
    const whole = hourly(idOf(n), `First ${n}`, from, count);
    const isOutside = ([, , start]: Airing) => {
      const at = (Number(start) - thisHour) / hour;
      return at < gap.from || at >= gap.to;
    };
    return hasGap(n) ? whole.filter(isOutside) : whole;
  });
}

function secondGuide(): Airing[] {
  const own = numbers.filter((n) => hasGap(n) || (n >= 20 && n < 38));
  return own.flatMap((n) => hourly(idOf(n), `Second ${n}`, from, count));
}

function thirdGuide(): Airing[] {
  const own = numbers.slice(38).flatMap((n) => hourly(idOf(n), `Third ${n}`, from, count));
  return own.map(([id, title, start, stop]): Airing => [id, title, Number(start) + late, Number(stop) + late]);
}

/** What has to be on at an instant. */
function expected(n: number, at: number): string {
  const guide = n < 20 && !hasGap(n) ? 'First' : n < 38 ? 'Second' : 'Third';
  return `${guide} ${n} ${Math.floor((at - thisHour) / hour)}`;
}

function writeConfig(folder: string): string {
  const write = (name: string, airings: readonly Airing[]) => {
    const path = join(folder, name);
    writeFileSync(path, guideOf(airings));
    return path;
  };
  const guides = [
    `  - ${write('first.xml', firstGuide())}`,
    `  - ${write('second.xml', secondGuide())}`,
    `  - location: ${write('third.xml', thirdGuide())}\n    shift: -5h30m`,
  ];
  const config = join(folder, 'weir.yaml');
  writeFileSync(config, `guides:\n${guides.join('\n')}\n`);
  return config;
}

/** What the API says is on now, in the order of the channels. */
async function onNow(weir: Weir, ids: readonly number[]): Promise<(string | null)[]> {
  const { items } = await weir.api<{ items: { now: ProgrammeView | null }[] }>(
    `/api/v1/programmes/now?channels=${ids.join(',')}`,
  );
  return items.map(({ now }) => now?.title ?? null);
}

test('Kodi shows what is on now for 50 channels of three guides, gaps of one filled by another, one that is late put right', {
  skip,
  timeout: 240_000,
}, async (t) => {
  const street = buildStreet(1);
  t.after(street.close);
  const weir = await startWeir(t, { playlist, args: ['--config', writeConfig(tempDir(t))] });
  const channels = await everything<{ id: number; name: string }>(weir, '/channels');
  const byName = new Map(channels.map(({ name, id }) => [name, id]));
  const ids = numbers.map((n) => byName.get(nameOf(n)) ?? 0);
  const titles = () => numbers.map((n) => expected(n, Date.now() / 1000));
  const same = (shown: readonly unknown[]) => JSON.stringify(shown) === JSON.stringify(titles());
  await until('the API to say what is on', async () => same(await onNow(weir, ids)), { within: 60_000 });

  // While another one is made the one before is sent, and Kodi asks once.
  const isOut = async () => {
    const guide = readGuide((await ask(weir.url, '/epg.xml')).body);
    return same(numbers.map((n) => shownAt(guide, idOf(n), Date.now() / 1000)));
  };
  await until('the guide to say what is on', isOut, { within: 60_000 });

  const kodi = await startKodi(t, `${weir.url}/playlist.m3u?profile=kodi`);
  const isRight = async () => {
    const now = await kodi.onNow('tv');
    assert.deepEqual(
      numbers.map((n) => now.get(nameOf(n)) ?? null),
      titles(),
    );
    return true;
  };
  await until('Kodi to show what is on', isRight, { within: 90_000 });

  const listed = await kodi.channels('tv');
  for (const n of [0, 25, 49]) {
    const channel = listed.find(({ name }) => name === nameOf(n));
    assert.ok(channel);
    const programmes = await kodi.programmes(channel);
    for (const hours of [0, 5, 20]) {
      const at = thisHour + hours * hour;
      const on = programmes.find(({ start, stop }) => start <= at && at < stop);
      const title = hasGap(n) && hours >= gap.to ? `First ${n} ${hours}` : expected(n, at);
      assert.deepEqual(on, { title, start: at, stop: at + hour }, nameOf(n));
    }
  }
});
