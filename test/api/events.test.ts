import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import type { Events } from '../../src/api/catalogue.js';
import { eventSchema } from '../../src/api/contract/event.js';
import type { CatalogueEvent } from '../../src/model/event.js';
import { ask } from '../support/http.js';
import { until } from '../support/until.js';
import { check } from './contract.js';
import { m3u, startHousehold } from './household.js';
import { bearer, secrets, startApi } from './support.js';

/** Events by hand, and how many listen. */
function handMade() {
  const listeners = new Set<(event: CatalogueEvent) => void>();
  const events: Events = {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const tell = (event: CatalogueEvent) => {
    for (const listener of listeners) listener(event);
  };
  return { events, tell, listeners };
}

async function listen(
  t: TestContext,
  url: string,
  secret: string,
): Promise<{ response: IncomingMessage; text: () => string }> {
  const asked = get(`${url}/api/v1/events`, { headers: bearer(secret) });
  asked.on('error', () => {});
  t.after(() => asked.destroy());
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', () => {});
  return { response, text: () => text };
}

function eventsIn(text: string): CatalogueEvent[] {
  const blocks = text.split('\n\n').filter((block) => block.startsWith('event: '));
  return blocks.map((block) => {
    const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
    const event = eventSchema.parse(JSON.parse(data)) as CatalogueEvent;
    check('#/components/schemas/Event', JSON.parse(data), data);
    assert.equal(event.type, name);
    return event;
  });
}

test('whoever listens is told of edits, jobs, sources and the catalogue as they happen', async (t) => {
  const house = await startHousehold(t);
  const { response, text } = await listen(t, house.url, secrets.admin);
  assert.equal(response.headers['content-type'], 'text/event-stream');
  const { id } = await house.addList(m3u(['One', 'udp://@239.1.1.1:5000']));
  await house.job(await house.ask('POST', `/sources/${id}:refresh`));
  const [channel] = await house.channels();
  await house.done('PATCH', `/channels/${channel?.id}`, { body: { name: 'Eins' } });
  const seen = () => eventsIn(text()).map(({ type }) => type);
  await until('all kinds of events', () =>
    ['source', 'job', 'catalogue', 'change'].every((type) => seen().some((one) => one === type)),
  );
});

test('what is secret in an event is told to administrators alone', async (t) => {
  const { events, tell, listeners } = handMade();
  const { url } = await startApi(t, { events });
  const admin = await listen(t, url, secrets.admin);
  const reader = await listen(t, url, secrets.read);
  await until('both to listen', () => listeners.size === 2);
  const times = { createdAt: 1, startedAt: 1, endedAt: 2 };
  const result = { changes: [{ fields: { url: ['http://host/u/p', 'http://host/u/q'] } }] };
  tell({
    type: 'job',
    job: { id: 1, kind: 'refresh', state: 'done', subject: 1, progress: 1, ...times, result, reason: null },
  });
  await until('the event', () => eventsIn(reader.text()).length + eventsIn(admin.text()).length === 2);
  assert.match(admin.text(), /http:\/\/host\/u\/p/);
  assert.match(reader.text(), /http:\/\/host\/…/);
  assert.doesNotMatch(reader.text(), /\/u\//);
});

test('whoever listens with a key that is revoked is let go, and told nothing more', async (t) => {
  const house = await startHousehold(t);
  await house.addList(m3u(['One', 'udp://@239.1.1.1:5000']));
  const [channel] = await house.channels();
  const body = { name: 'guest', scope: 'read' };
  const { id, secret } = await house.done<{ id: number; secret: string }>('POST', '/keys', { body });
  const { response, text } = await listen(t, house.url, secret);
  await until('it to be told', () => text() !== '');
  assert.equal((await house.ask('DELETE', `/keys/${id}`)).status, 204);
  await house.done('PATCH', `/channels/${channel?.id}`, { body: { name: 'Eins' } });
  await until('it to be let go', () => response.closed);
  // What the list had to tell may still be on its way when the key begins to listen; the edit comes after the key is gone.
  const told = eventsIn(text()).map(({ type }) => type);
  assert.ok(!told.includes('change'), told.join());
});

test('a listener that reads nothing is let go, with what waited for it; one that leaves is forgotten', async (t) => {
  const { events, tell, listeners } = handMade();
  const { url } = await startApi(t, { events });
  const slow = await listen(t, url, secrets.read);
  const quick = await listen(t, url, secrets.read);
  await until('both to listen', () => listeners.size === 2);
  slow.response.pause();
  const change = { at: 1, actor: 'x', summary: 'x'.repeat(200_000), rows: 1, undoneBy: null };
  for (let id = 1; listeners.size === 2; id += 1) {
    assert.ok(id < 200, 'nobody is let go');
    tell({ type: 'change', change: { id, ...change } });
    await until('the other one to be told', () => quick.text().includes(`"change":{"id":${id},`));
  }
  assert.equal(listeners.size, 1);
  tell({ type: 'source', id: 7 });
  await until('the other one to be told', () => quick.text().includes('"id":7'));
  quick.response.destroy();
  await until('it to be forgotten', () => listeners.size === 0);
});

test('a listener to whom nothing happens is kept, by a line every 10 s', { timeout: 60_000 }, async (t) => {
  const { events, tell } = handMade();
  const { url } = await startApi(t, { events });
  const { response, text } = await listen(t, url, secrets.read);
  await until('two lines', () => text() === ': hello\n\n:\n\n:\n\n', { within: 30_000 });
  tell({ type: 'catalogue', generation: 5 });
  await until('the event', () => eventsIn(text()).length === 1);
  assert.equal(response.closed, false);
});

test('more than 200 listeners are refused, HEAD does not listen, and stopping ends them all', {
  timeout: 60_000,
}, async (t) => {
  const { events, listeners } = handMade();
  const { url, api } = await startApi(t, { events });
  const head = await ask(url, '/api/v1/events', { method: 'HEAD', headers: bearer(secrets.read) });
  assert.deepEqual([head.status, head.headers.get('content-type'), head.body], [200, 'text/event-stream', '']);
  const all = await Promise.all(Array.from({ length: 200 }, () => listen(t, url, secrets.read)));
  assert.equal(listeners.size, 200);
  const refused = await ask(url, '/api/v1/events', { headers: bearer(secrets.read) });
  assert.equal(refused.status, 503);
  assert.equal((JSON.parse(refused.body) as { code: string }).code, 'limit-reached');
  assert.equal((await ask(url, '/api/v1/events')).status, 401);
  await api.stop();
  await until('all of them to end', () => all.every(({ response }) => response.closed));
  assert.equal(listeners.size, 0);
});
