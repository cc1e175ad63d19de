import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Change, Job } from '../../src/model/change.js';
import type { ChannelGuide, GuideLink, GuideSourceStatus } from '../../src/model/guide.js';
import type { Page } from '../../src/model/page.js';
import type { Matches } from '../../src/store/guide-house.js';
import { guideIs, servedGuide, xmltv } from './guide-source.js';
import { type Household, m3u, startHousehold } from './household.js';

type Problem = { readonly code: string; readonly detail: string };
type GuideChannel = {
  readonly guideId: string;
  readonly names: readonly { text: string }[];
  readonly channels: readonly number[];
};
type ListedLink = GuideLink & { readonly name: string; readonly state: string };
type Review = { readonly channel: number; readonly candidates: readonly { readonly guideId: string }[] };

const nothing: Matches = { auto: [], drop: [], relink: [], review: [], clear: [] };
const channels = m3u(
  ['One', 'udp://@239.1.1.1:5000', 'tvg-id="One.UK"'],
  ['Two', 'udp://@239.1.1.2:5000'],
  ['Three', 'udp://@239.1.1.3:5000'],
);

/** Three channels, and a guide in service. */
async function setUp(t: TestContext, guide = xmltv({ 'one.uk': 'One', two: 'Zoë 二', old: 'Old' })) {
  const house = await startHousehold(t);
  await house.addList(channels);
  const served = await servedGuide(t, guide);
  const { id } = await house.done<GuideSourceStatus>('POST', '/guide-sources', {
    body: { kind: 'url', location: served.url },
  });
  await guideIs(house, id, 'published');
  const ids = (await house.channels()).map((channel) => channel.id);
  const [one = 0, two = 0, three = 0] = ids;
  return { house, served, source: id, one, two, three };
}

/** Pairs of an id and how many channels are linked to it. */
async function listed(house: Household, query = '') {
  const { items } = await house.get<Page<GuideChannel>>(`/guide-channels${query}`);
  return items.map(({ guideId, channels: linked }) => [guideId, linked.length]);
}

test('channels of guides are searched by id and every name, linked or not', async (t) => {
  const { house, source, one } = await setUp(t);
  assert.deepEqual(await listed(house), [
    ['one.uk', 0],
    ['two', 0],
    ['old', 0],
  ]);
  assert.deepEqual(await listed(house, '?q=ZOE'), [['two', 0]]);
  assert.deepEqual(await listed(house, `?q=${encodeURIComponent('二')}&source=${source}`), [['two', 0]]);
  assert.deepEqual(await listed(house, '?source=999'), []);
  const links = [{ guideSource: source, guideId: 'One.uk' }];
  await house.done('PATCH', `/channels/${one}/guide`, { body: { links } });
  assert.deepEqual(await listed(house, '?linked=true'), [['one.uk', 1]]);
  assert.deepEqual(await listed(house, '?linked=false'), [
    ['two', 0],
    ['old', 0],
  ]);
  const first = await house.get<Page<GuideChannel>>('/guide-channels?limit=2');
  assert.deepEqual(await listed(house, `?limit=2&after=${first.next}`), [['old', 0]]);
});

test('links are set by hand, the best first, with what the guide calls them, and given up again', async (t) => {
  const { house, source, one } = await setUp(t);
  const at = `/channels/${one}/guide`;
  const links = [{ guideSource: source, guideId: 'one.uk', shift: -19_800 }];
  const placeholder = { minutes: 60, title: '{name}' };
  const set = await house.done<ChannelGuide>('PATCH', at, { as: 'edit', body: { links, placeholder, mode: 'manual' } });
  assert.deepEqual([set.mode, set.placeholder, set.links.length], ['manual', placeholder, 1]);
  const [link] = set.links;
  assert.deepEqual(
    [link?.guideId, link?.shift, link?.origin, link?.locked, link?.names],
    ['one.uk', -19_800, 'user', true, ['One']],
  );
  assert.equal((await house.get<GuideSourceStatus>(`/guide-sources/${source}`)).linked, 1);
  const back = await house.done<ChannelGuide>('PATCH', at, { body: { links: null } });
  assert.deepEqual([back.mode, back.links, back.placeholder], ['auto', [], placeholder]);
  const jobs = (await house.get<Page<Job>>('/jobs')).items;
  assert.ok(
    jobs.some(({ kind }) => kind === 'guide-match'),
    'it is linked automatically again',
  );
  const [giving] = (await house.get<Page<Change>>('/changes')).items;
  await house.done('POST', `/changes/${giving?.id}:undo`, { as: 'edit' });
  assert.deepEqual(
    (await house.get<ChannelGuide>(at)).links.map(({ guideId }) => guideId),
    ['one.uk'],
  );
});

test('a link that cannot be is refused, and one over a change of somebody else too', async (t) => {
  const { house, source, one } = await setUp(t);
  const at = `/channels/${one}/guide`;
  const refused = async (body: object) => (await house.ask<Problem>('PATCH', at, { body })).status;
  assert.equal(await refused({ links: [{ guideSource: 999, guideId: 'x' }] }), 400);
  assert.equal(await refused({ links: [{ guideSource: source, guideId: ' ' }] }), 400);
  assert.equal(await refused({ mode: 'perhaps' }), 400);
  assert.equal(await refused({ placeholder: { minutes: 4, title: 'A' } }), 400);
  const { headers } = await house.ask('GET', at);
  const ifMatch = { 'If-Match': headers.get('etag') ?? '' };
  assert.equal((await house.ask('PATCH', at, { body: { mode: 'none' }, headers: ifMatch })).status, 200);
  assert.equal((await house.ask('PATCH', at, { body: { mode: 'auto' }, headers: ifMatch })).status, 412);
});

test('links tell whether their guide has programmes, none, or does not know them', async (t) => {
  const { house, source, one, two, three } = await setUp(
    t,
    `${xmltv({ 'one.uk': 'One' })}`.replace(
      '</tv>',
      '<channel id="two"><display-name>Two</display-name></channel></tv>',
    ),
  );
  const ids = new Map([
    [one, 'ONE.UK'],
    [two, 'two'],
    [three, 'nowhere'],
  ]);
  for (const [channel, guideId] of ids) {
    await house.done('PATCH', `/channels/${channel}/guide`, { body: { links: [{ guideSource: source, guideId }] } });
  }
  const states = async (query: string) => {
    const { items } = await house.get<Page<ListedLink>>(`/guide-links${query}`);
    return items.map(({ name, state }) => `${name} ${state}`);
  };
  assert.deepEqual(await states(''), ['One live', 'Two empty', 'Three gone']);
  assert.deepEqual(await states('?state=gone&limit=1'), ['Three gone']);
  assert.deepEqual(await states('?origin=auto'), []);
  assert.deepEqual(await states(`?source=${source}&state=live`), ['One live']);
});

test('the queue of what is not sure is answered: one candidate for good, the others never again', async (t) => {
  const { house, source, one, two } = await setUp(t);
  const candidate = (guideId: string) => {
    return {
      guideSource: source,
      guideId,
      names: [],
      score: 0.7,
      reasons: ['Its name is like the channel.'],
      vetoes: [],
    };
  };
  const review = [one, two].map((channel) => {
    return { channel, why: 'ambiguous' as const, candidates: [candidate('one.uk'), candidate('two')] };
  });
  await house.options.store.guideHouse.writeMatches({ ...nothing, review });
  const queue = async () => (await house.get<Page<Review>>('/guide-review')).items.map(({ channel }) => channel);
  assert.deepEqual(await queue(), [one, two]);
  const accepted = { guideSource: source, guideId: 'two' };
  assert.equal(
    (await house.ask('POST', `/guide-review/${one}:accept`, { body: { ...accepted, guideId: 'old' } })).status,
    400,
  );
  await house.done('POST', `/guide-review/${one}:accept`, { as: 'edit', body: accepted });
  await house.done('POST', `/guide-review/${two}:reject`, { as: 'edit', body: { guideId: 'one.uk' } });
  assert.deepEqual(await queue(), [two]);
  await house.done('POST', `/guide-review/${two}:reject`);
  assert.deepEqual(await queue(), []);
  assert.equal((await house.ask('POST', `/guide-review/${two}:reject`)).status, 404);
  const { links } = await house.get<ChannelGuide>(`/channels/${one}/guide`);
  assert.deepEqual(
    links.map(({ guideId, origin }) => [guideId, origin]),
    [['two', 'user']],
  );
});

test('to match channels is a job that tells what it did', async (t) => {
  const { house } = await setUp(t);
  const job = await house.job(await house.ask<Job>('POST', '/channels:match', { as: 'edit' }));
  assert.deepEqual([job.kind, job.state], ['guide-match', 'done']);
  assert.deepEqual(job.result, { accepted: 0, review: 0, kept: 0, relinked: 0 });
});
