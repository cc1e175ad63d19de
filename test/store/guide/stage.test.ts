import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packAirings, packTexts } from '../../../src/store/guide/packed.js';
import {
  body,
  countOf,
  counts,
  ended,
  hour,
  look,
  newYear,
  publish,
  type Said,
  setUp,
  shown,
  stage,
} from './fixture.js';

const news: Said = { key: 'one', start: newYear, stop: newYear + hour, title: 'News' };
const film: Said = { key: 'one', start: newYear + hour, stop: newYear + 3 * hour, title: 'Film' };
const talk: Said = { key: 'one', start: newYear + hour, stop: newYear + 3 * hour, title: 'Talk' };

test('what is staged is seen when it is published and not before', async (t) => {
  const { store } = await setUp(t);
  const { snapshot, channels } = await stage(store, 1, [news, film]);
  assert.deepEqual(shown(store, channels), []);
  const before = store.generation();
  await store.stage.publish({ ...ended(1), snapshot, counts, kept: channels, manner: '1' });
  assert.deepEqual(shown(store, channels), ['News', 'Film']);
  assert.equal(store.generation(), before + 1);
  const feed = await store.feeds.byId(1);
  assert.deepEqual([feed?.state, feed?.service?.snapshot, feed?.service?.body], ['published', snapshot, body]);
  assert.deepEqual(store.channels.kept(1), channels);
});

test('removals and additions of a second pass are seen together when it is published', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, 1, [news, film]);
  const second = await stage(store, 1, [news, talk]);
  assert.deepEqual(shown(store, channels), ['News', 'Film']);
  assert.equal(second.texts, 1);
  await store.stage.publish({ ...ended(1), snapshot: second.snapshot, counts, kept: channels, manner: '1' });
  assert.deepEqual(shown(store, channels), ['News', 'Talk']);
});

test('a pass that is abandoned leaves the guide and the file as they were', async (t) => {
  const { store, dir } = await setUp(t);
  const { channels } = await publish(store, 1, [news, film]);
  const rows = 'SELECT * FROM programme ORDER BY channel, start, hash';
  const before = [look(dir, rows), look(dir, 'SELECT id, body FROM text'), look(dir, 'SELECT text FROM title')];
  const { snapshot } = await stage(store, 1, [news, talk]);
  await store.stage.abandon(snapshot);
  const after = [look(dir, rows), look(dir, 'SELECT id, body FROM text'), look(dir, 'SELECT text FROM title')];
  assert.deepEqual(after, before);
  assert.deepEqual(shown(store, channels), ['News', 'Film']);
  assert.equal(countOf(dir, `listed_channel WHERE snapshot = ${snapshot}`), 0);
});

test('a quarantined guide is not seen, keeps its body and waits, and what is read after it shows nothing of it', async (t) => {
  const { store, dir } = await setUp(t);
  const { channels } = await publish(store, 1, [news, film]);
  const { snapshot } = await stage(store, 1, [talk]);
  await store.stage.quarantine({ ...ended(1), snapshot, reason: 'It is a year off.', counts });
  const feed = await store.feeds.byId(1);
  assert.deepEqual([feed?.state, feed?.reason], ['quarantined', 'It is a year off.']);
  assert.deepEqual([feed?.waiting?.snapshot, feed?.waiting?.reason], [snapshot, 'It is a year off.']);
  assert.deepEqual(await store.feeds.bodies(), ['1-1']);
  assert.equal(countOf(dir, 'text'), 2);
  await publish(store, 1, [news]);
  assert.deepEqual(shown(store, channels), ['News']);
  assert.equal((await store.feeds.byId(1))?.waiting, null);
});

test('an airing that was gone and returns is shown again', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, 1, [news, film]);
  await publish(store, 1, [news]);
  assert.deepEqual(shown(store, channels), ['News']);
  await publish(store, 1, [news, film]);
  assert.deepEqual(shown(store, channels), ['News', 'Film']);
});

test('the same content at several times and on several channels is stored once', async (t) => {
  const { store, dir } = await setUp(t);
  const again = [0, 5, 10].map((hours) => ({
    ...news,
    start: newYear + hours * hour,
    stop: newYear + (hours + 1) * hour,
  }));
  const { channels } = await publish(store, 1, [...again, { ...news, key: 'two' }]);
  assert.deepEqual(shown(store, channels), ['News', 'News', 'News', 'News']);
  assert.deepEqual([countOf(dir, 'text'), countOf(dir, 'title')], [1, 1]);
});

test('the same id in two sources is two guide channels, each with what its own source says', async (t) => {
  const { store } = await setUp(t);
  const first = await publish(store, 1, [news]);
  const second = await publish(store, 2, [talk]);
  assert.notEqual(first.channels[0], second.channels[0]);
  assert.deepEqual([shown(store, first.channels), shown(store, second.channels)], [['News'], ['Talk']]);
});

test('texts that cannot be read are taken back with the airings that have them', async (t) => {
  const { store, dir } = await setUp(t);
  const { snapshot, channels } = await stage(store, 1, [news, film]);
  const [text] = look<{ id: number }>(dir, "SELECT id FROM text WHERE instr(body, 'Film')");
  await store.stage.dropTexts(snapshot, [text?.id ?? 0]);
  await store.stage.publish({ ...ended(1), snapshot, counts, kept: channels, manner: '1' });
  assert.deepEqual(shown(store, channels), ['News']);
  assert.deepEqual([countOf(dir, 'text'), countOf(dir, 'programme'), countOf(dir, 'title_text')], [1, 1, 1]);
  await store.prune(new Map(channels.map((channel) => [channel, hour])), newYear);
  assert.equal(countOf(dir, 'title'), 1);
});

test('a back-fill adds channels to the listing that it completes', async (t) => {
  const { store } = await setUp(t);
  const base = await publish(store, 1, [news]);
  const listing = (await store.feeds.byId(1))?.service?.listing ?? 0;
  const { snapshot, nextText } = await store.stage.begin({ source: 1, listing, body });
  const [two = 0] = await store.stage.channelIds(1, [{ key: 'two', guideId: 'Two' }]);
  await store.stage.texts(snapshot, packTexts([{ id: nextText, title: 'Show', body: '{"titles":[{"text":"Show"}]}' }]));
  await store.stage.airings(snapshot, packAirings([[two, newYear, 0, 99, nextText]]));
  await store.stage.publish({ ...ended(1), snapshot, counts, kept: [two], manner: '1' });
  assert.deepEqual(shown(store, [...base.channels, two]), ['News', 'Show']);
  await store.prune(new Map([...base.channels, two].map((channel) => [channel, hour])), newYear);
  assert.deepEqual(
    [...store.channels.facts(1)].map(({ guideId }) => guideId),
    ['one'],
  );
  assert.deepEqual(store.channels.kept(1), [...base.channels, two]);
});

test('a pass that begins undoes what another left half done, and that one is told when it writes on', async (t) => {
  const { store } = await setUp(t);
  const lost = await stage(store, 1, [news]);
  const { channels } = await publish(store, 1, [film]);
  const late = store.stage.airings(lost.snapshot, packAirings([[channels[0] ?? 0, newYear, 0, 1, 1]]));
  await assert.rejects(late, { code: 'conflict' });
  const publishing = store.stage.publish({ ...ended(1), snapshot: lost.snapshot, counts, kept: [], manner: '1' });
  await assert.rejects(publishing, { code: 'conflict' });
  assert.deepEqual(shown(store, channels), ['Film']);
});

test('a text that is refused takes its whole chunk back, and titles of it can be staged again', async (t) => {
  const { store, dir } = await setUp(t);
  const { snapshot, nextText } = await store.stage.begin({ source: 1, listing: null, body });
  const publishing = { ...ended(1), snapshot, counts, kept: [], manner: '1' };
  const text = (title: string) => ({ id: nextText, title, body: '{}' });
  await assert.rejects(store.stage.texts(snapshot, packTexts([text('News'), text('Film')])));
  assert.equal(countOf(dir, 'text'), 0);
  await store.stage.texts(snapshot, packTexts([text('News')]));
  await store.stage.publish(publishing);
  assert.equal(countOf(dir, 'title'), 1);
  assert.deepEqual(look(dir, 'SELECT i.text FROM text t JOIN title i ON i.id = t.title'), [{ text: 'News' }]);
});
