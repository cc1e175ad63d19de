import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Job } from '../../src/model/change.js';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { type Airing, guideOf, hour, readGuide } from '../support/guide-text.js';
import { ask } from '../support/http.js';
import { needs } from '../support/needs.js';
import { ended, everything, send } from '../support/rest.js';
import { tempDir } from '../support/temp.js';
import { until } from '../support/until.js';
import { startWeir } from '../support/weir.js';

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Sydney'] as const;
/** What the clocks of each show east of UTC, in hours: in winter and in summer. */
const offsets = { 'Europe/Berlin': [1, 2], 'America/New_York': [-5, -4], 'Australia/Sydney': [10, 11] } as const;
type Zone = (typeof zones)[number];
type Change = { readonly zone: Zone; readonly at: number; readonly to: 'summer' | 'winter' };

/** `YYYYMMDDhhmmss`, as clocks there show an instant. */
function clock(zone: Zone, at: number): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return format.format(at * 1000).replace(/\D/g, '');
}

function hoursEast(zone: Zone, at: number): number {
  const shown = clock(zone, at).replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z');
  return (Date.parse(shown) / 1000 - at) / hour;
}

/** The next time that clocks are put forward, and back: to the hour. */
function changesOf(zone: Zone): Change[] {
  const first = Math.ceil(Date.now() / 1000 / hour) * hour + 24 * hour;
  const [winter, summer] = offsets[zone];
  const find = (from: number, to: number) => {
    for (let at = first; at < first + 400 * 24 * hour; at += hour)
      if (hoursEast(zone, at - hour) === from && hoursEast(zone, at) === to) return at;
    throw new Error(`The clocks of ${zone} do not change.`);
  };
  return [
    { zone, at: find(winter, summer), to: 'summer' },
    { zone, at: find(summer, winter), to: 'winter' },
  ];
}

const around = [-4, -3, -2, -1, 0, 1, 2, 3];
const idOf = ({ zone, to }: Change) => `${zone.replace(/\W/g, '')}.${to}`;

/** A programme an hour around the change, as a guide writes them that knows of no zones. */
function airings(change: Change): Airing[] {
  const local = (hours: number) => clock(change.zone, change.at + hours * hour);
  return around.map((n): Airing => [idOf(change), `at ${n}`, local(n), local(n + 1)]);
}

test('hour by hour around both changes of the clocks in Berlin, New York and Sydney the guide that comes out is right', {
  skip: needs('xmllint', 'xmltv'),
}, async (t) => {
  const folder = tempDir(t);
  const changes = zones.flatMap(changesOf);
  const guides = zones.map((zone, index) => {
    const path = join(folder, `${index}.xml`);
    writeFileSync(path, guideOf(changes.filter((change) => change.zone === zone).flatMap(airings)));
    return `  - location: ${path}\n    time_zone: ${zone}\n`;
  });
  const config = join(folder, 'weir.yaml');
  writeFileSync(config, `guides:\n${guides.join('')}`);
  const playlist = changes.map(
    (change, n) => `#EXTINF:-1 tvg-id="${idOf(change)}",Zone ${n}\nudp://@239.1.0.${n}:5000\n`,
  );
  const weir = await startWeir(t, { playlist: `#EXTM3U\n${playlist.join('')}`, args: ['--config', config] });
  const channels = await everything<{ id: number }>(weir, '/channels');
  // They are about other times than now, which somebody has to say is right.
  for (const [index, change] of changes.entries()) {
    const id = zones.indexOf(change.zone) + 1;
    const { state, reason } = await weir.api<GuideSourceStatus>(`/api/v1/guide-sources/${id}`);
    if (state === 'quarantined') {
      assert.match(reason ?? '', /^Its programmes are around .* off\.$/);
      await ended(weir, await send<Job>(weir, 'POST', `/guide-sources/${id}:accept`));
    }
    const links = [{ guideSource: id, guideId: idOf(change) }];
    await send(weir, 'PATCH', `/channels/${channels[index]?.id}/guide`, { links });
  }
  const isThere = async () => {
    const guide = readGuide((await ask(weir.url, '/epg.xml')).body);
    return guide.programmes.length === changes.length * around.length ? guide : null;
  };
  const guide = await until('all programmes', isThere, { within: 30_000 });
  for (const change of changes) {
    const own = guide?.programmes.filter(({ id }) => id === idOf(change)) ?? [];
    assert.deepEqual(
      own.map(({ title, start, stop }) => [title, (start - change.at) / hour, (stop - change.at) / hour]),
      around.map((n) => [`at ${n}`, n, n + 1]),
      idOf(change),
    );
  }
});
