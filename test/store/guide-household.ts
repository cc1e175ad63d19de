import type { TestContext } from 'node:test';
import type { MatchCandidate } from '../../src/model/guide-match.js';
import type { Matches, NewAutoLink } from '../../src/store/guide-house.js';
import type { Store } from '../../src/store/open.js';
import { type Line, publish, setUp } from './fixture.js';

export const page = { after: null, limit: 10 };
/** A run of the matcher that found nothing. */
export const nothing: Matches = { auto: [], drop: [], relink: [], review: [], clear: [] };

/** Three guides, 1 before 2 before 3, and channels A, B and C. */
export async function household(
  t: TestContext,
  lines: readonly Line[] = [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
) {
  const { store, dir } = await setUp(t);
  const { channels } = await publish(store, '/a.m3u', lines);
  await store.guideHouse.give([{ location: '/1.xml' }, { location: '/2.xml' }, { location: '/3.xml' }]);
  const [a = 0, b = 0, c = 0] = channels;
  return { store, dir, house: store.guideHouse, a, b, c };
}

export function auto(channel: number, guideSource: number, guideId: string): NewAutoLink {
  return { channel, guideSource, guideId, score: 0.9, reasons: ['Its name is the channel.'], names: [guideId] };
}

export function candidate(guideSource: number, guideId: string): MatchCandidate {
  return { guideSource, guideId, names: [guideId], score: 0.7, reasons: [], vetoes: [] };
}

/** Of a channel: guide source, id and origin of each link, the best first. */
export function linked({ guideHouse }: Store, channel: number) {
  const links = guideHouse.linksOf([channel]).get(channel)?.links ?? [];
  return links.map(({ guideSource, guideId, origin, rank }) => [guideSource, guideId, origin, rank]);
}

export const lastChange = async (store: Store) => (await store.editReads.changes(page)).items[0]?.id ?? 0;
