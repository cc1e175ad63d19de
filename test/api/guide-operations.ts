import type { TestContext } from 'node:test';
import type { Job } from '../../src/model/change.js';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { guideIs, servedGuide, xmltv } from './guide-source.js';
import type { Household } from './household.js';

/** A body that each operation of guides takes. */
export const guideBodies: Readonly<Record<string, unknown>> = {
  createGuideSource: { kind: 'url', location: 'http://127.0.0.1:9/' },
  updateGuideSource: { name: 'A' },
  updateChannelGuide: { mode: 'manual' },
  acceptGuideReview: { guideSource: 1, guideId: 'a' },
  rejectGuideReview: { guideSource: 1 },
};

/** Uses every operation of guides once, and removes what it added; resolves with a path of each that reads. */
export async function useGuides(t: TestContext, house: Household, channel: number): Promise<readonly string[]> {
  const source = await twice(t, house);
  const at = `/guide-sources/${source}`;
  const body = { kind: 'url', location: 'http://a:SECRET@192.0.2.1/SECRET', enabled: false };
  const secret = await house.done<GuideSourceStatus>('POST', '/guide-sources', { body });
  await house.done('PATCH', `/guide-sources/${secret.id}`, { body: { headers: { Cookie: 'SECRET' } } });
  const removed = await house.done<GuideSourceStatus>('POST', '/guide-sources', {
    body: { ...body, location: 'http://192.0.2.1/' },
  });
  await house.done('DELETE', `/guide-sources/${removed.id}`);
  const links = [{ guideSource: source, guideId: 'one' }];
  await house.done('PATCH', `/channels/${channel}/guide`, { body: { links } });
  await house.job(await house.ask<Job>('POST', '/channels:match'));
  await review(house, source, channel);
  return [
    ...['/guide-sources', at, `/guide-sources/${secret.id}`, `${at}/refreshes`, '/guide-channels', '/guide-links'],
    ...[`/channels/${channel}/guide`, '/guide-review', `/programmes?channel=${channel}`],
    ...[`/programmes/now?channels=${channel}`, '/programmes/search?q=one', '/guide-coverage'],
  ];
}

/** A guide that was taken over, and then a worse one by hand. */
async function twice(t: TestContext, house: Household): Promise<number> {
  const served = await servedGuide(t, xmltv({ one: 'One', two: 'Two' }));
  const location = `${served.url}?token=SECRET`;
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', { body: { kind: 'url', location } });
  await guideIs(house, id, 'published');
  served.text = xmltv({ one: 'One' }, 12);
  await house.job(await house.ask<Job>('POST', `/guide-sources/${id}:refresh`));
  await guideIs(house, id, 'quarantined');
  await house.job(await house.ask<Job>('POST', `/guide-sources/${id}:accept`));
  return id;
}

async function review(house: Household, guideSource: number, channel: number): Promise<void> {
  const candidates = ['one', 'two'].map((guideId) => {
    return { guideSource, guideId, names: [guideId], score: 0.7, reasons: [], vetoes: [] };
  });
  const found = {
    auto: [],
    drop: [],
    relink: [],
    review: [{ channel, why: 'unsure' as const, candidates }],
    clear: [],
  };
  await house.options.store.guideHouse.writeMatches(found);
  await house.done('POST', `/guide-review/${channel}:reject`, { body: { guideId: 'two' } });
  await house.get('/guide-review');
  await house.done('POST', `/guide-review/${channel}:accept`, { body: { guideSource, guideId: 'one' } });
}
