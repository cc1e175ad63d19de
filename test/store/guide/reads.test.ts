import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachGuideStore, readGuideStore } from '../../../src/store/guide/open.js';
import type { GuideWrites } from '../../../src/store/guide/writes.js';
import { createWriter } from '../../../src/store/writer.js';
import { countOf, counts, day, ended, hour, newYear, publish, type Said, setUp, shown, stage } from './fixture.js';

const at = (hours: number, title: string, key = 'one'): Said => {
  return { key, start: newYear + hours * hour, stop: newYear + (hours + 1) * hour, title };
};

test('programmes of a window are those that overlap it, sorted by start', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, 1, [at(3, 'D'), at(0, 'A'), at(2, 'C'), at(1, 'B')]);
  assert.deepEqual(shown(store, channels, newYear + hour, newYear + 3 * hour), ['B', 'C']);
  assert.deepEqual(shown(store, channels, newYear + hour - 1, newYear + 3 * hour + 1), ['A', 'B', 'C', 'D']);
  assert.deepEqual(store.programmes(channels, newYear + 4 * hour, newYear + 5 * hour), new Map());
});

test('a programme whose stop is not said is found for a day, and its stop is null', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, 1, [{ key: 'one', start: newYear, title: 'Open' }]);
  const [found] = [...store.programmes(channels, newYear + day - 1, newYear + day).values()];
  assert.deepEqual(found, [{ start: newYear, stop: null, content: { titles: [{ text: 'Open', lang: null }] } }]);
  assert.deepEqual(shown(store, channels, newYear + day, newYear + 2 * day), []);
});

test('airings hold the same as programmes, their contents read when asked for', async (t) => {
  const { store } = await setUp(t);
  const { channels } = await publish(store, 1, [at(0, 'A'), at(1, 'B')]);
  store.read(() => {
    const airings = [...store.airings(channels, newYear, newYear + day).values()].flat();
    const eager = [...store.programmes(channels, newYear, newYear + day).values()].flat();
    assert.deepEqual(
      airings.map(({ start, stop, content }) => ({ start, stop, content })),
      eager,
    );
    assert.equal(airings.length, 2);
  });
});

test('reads together see the guide of one instant though another is published meanwhile', async (t) => {
  const { store, dir } = await setUp(t);
  const { channels, snapshot } = await publish(store, 1, [at(0, 'Old')]);
  const second = await stage(store, 1, [at(0, 'New')]);
  const other = readGuideStore(dir);
  t.after(() => other.close());
  const titles = () => {
    const found = other.programmes(channels, 0, 2 ** 40);
    return [...found.values()].flat().map(({ content }) => content.titles[0]?.text);
  };
  const publication = { ...ended(1), snapshot: second.snapshot, counts, kept: channels, manner: '1' };
  const writer = createWriter<GuideWrites>(store.connect());
  let publishing: Promise<void> | null = null;
  other.read(() => {
    assert.deepEqual(titles(), ['Old']);
    publishing = writer.call('publishGuide', publication);
    const end = performance.now() + 5000;
    while (countOf(dir, `feed WHERE snapshot = ${snapshot}`) === 1) assert.ok(performance.now() < end);
    assert.deepEqual(titles(), ['Old']);
  });
  assert.deepEqual(titles(), ['New']);
  await publishing;
});

test('another thread stages through a port and reads with a connection of its own', async (t) => {
  const { store, dir } = await setUp(t);
  const other = attachGuideStore({ dir, port: store.connect() });
  t.after(() => other.close());
  await other.feeds.setState(7, 'fetching');
  assert.equal((await store.feeds.byId(7))?.state, 'fetching');
  assert.deepEqual(await other.feeds.all(), await store.feeds.all());
});

test('a search finds titles without case and accents, and Chinese of two characters', async (t) => {
  const { store } = await setUp(t);
  const said = [at(0, 'Zoë & Çelik'), at(1, 'ZOE again'), at(2, '中央新闻联播'), at(3, 'Other')];
  const { channels } = await publish(store, 1, said);
  const find = async (q: string, from = 0, to = 2 ** 40) => {
    const { items } = await store.titles(q, from, to, { after: null, limit: 10 });
    return items.map(({ title }) => title);
  };
  assert.deepEqual(await find('zoe'), ['ZOE again', 'Zoë & Çelik']);
  assert.deepEqual(await find('Zoë'), ['ZOE again', 'Zoë & Çelik']);
  assert.deepEqual(await find('celik zoe'), ['Zoë & Çelik']);
  assert.deepEqual(await find('新闻'), ['中央新闻联播']);
  assert.deepEqual(await find('again', newYear + 2 * hour), []);
  assert.deepEqual(await find('&'), []);
  const page = await store.titles('other', newYear, newYear + day, { after: null, limit: 10 });
  const start = newYear + 3 * hour;
  assert.deepEqual(
    page.items.map(({ place: _place, ...airing }) => airing),
    [{ guideChannel: channels[0], start, stop: start + hour, title: 'Other' }],
  );
});

test('a search shows what is in service only, page by page, each airing once', async (t) => {
  const { store } = await setUp(t);
  const said = Array.from({ length: 60 }, (_, n) => at(n, `Show ${n % 4}`, n % 2 === 0 ? 'one' : 'two'));
  await publish(store, 1, [...said, at(100, 'Show that is gone')]);
  await publish(store, 1, said);
  const found: string[] = [];
  for (let after: string | null = null, more = true; more; more = after !== null) {
    const page = await store.titles('show', 0, 2 ** 40, { after, limit: 7 });
    assert.ok(page.items.length <= 7);
    found.push(...page.items.map(({ title, start }) => `${title} ${start}`));
    after = page.next;
  }
  const sorted = said.map(({ title, start }) => `${title} ${start}`).sort();
  assert.deepEqual(found, sorted);
});

test('guide channels are found by id and name, in pages, of one source or of all, and as the caller accepts', async (t) => {
  const { store } = await setUp(t);
  const keys = Array.from({ length: 700 }, (_, n) => at(0, 'News', `ch${n}.uk`));
  await publish(store, 1, keys);
  await publish(store, 2, [at(0, 'News', 'ch1.uk'), at(0, 'News', 'zdf.de')]);
  const ids = async (filter: Parameters<typeof store.channels.search>[0]) => {
    const found: string[] = [];
    for (let after: string | null = null, more = true; more; more = after !== null) {
      const page = await store.channels.search(filter, { after, limit: 300 });
      found.push(...page.items.map(({ guideSource, guideId }) => `${guideSource} ${guideId}`));
      after = page.next;
    }
    return found;
  };
  assert.equal((await ids({})).length, 702);
  assert.equal(new Set(await ids({})).size, 702);
  assert.deepEqual(await ids({ q: 'NAME ch1uk' }), []);
  assert.deepEqual(await ids({ q: 'name CH699' }), ['1 ch699.uk']);
  assert.deepEqual(await ids({ q: 'ch1.uk' }), ['1 ch1.uk', '2 ch1.uk']);
  assert.deepEqual(await ids({ source: 2 }), ['2 ch1.uk', '2 zdf.de']);
  assert.deepEqual(await ids({ accepts: ({ guideKey }) => guideKey === 'zdf.de' }), ['2 zdf.de']);
  assert.deepEqual([...store.channels.facts(1)].length, 700);
  assert.deepEqual([...store.channels.ids(2, ['zdf.de', 'none']).keys()], ['zdf.de']);
});
