import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { prefix } from '../../src/api/contract/operation.js';
import type { ApiOptions } from '../../src/api/options.js';
import { createApi } from '../../src/api/server.js';
import type { Scope } from '../../src/model/access.js';
import type { Job } from '../../src/model/change.js';
import type { ChannelDetail, ChannelStatus } from '../../src/model/channel.js';
import type { Page } from '../../src/model/page.js';
import type { SourceStatus } from '../../src/model/source.js';
import { until } from '../support/until.js';
import { checkExchange } from './contract.js';
import { bearer, realOptions, secrets } from './support.js';

export type Sent = {
  readonly as?: Scope | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Answer<T = Record<string, never>> = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
};

/** The real API over a real catalogue, asked as a program would; every answer is held against the OpenAPI document. */
export class Household {
  readonly url: string;
  readonly options: Awaited<ReturnType<typeof realOptions>>;
  readonly #keys: Readonly<Record<Scope, string>>;

  constructor(url: string, options: Awaited<ReturnType<typeof realOptions>>, keys: Readonly<Record<Scope, string>>) {
    this.url = url;
    this.options = options;
    this.#keys = keys;
  }

  /** `path` is behind `/api/v1`; as an administrator unless another scope, or null for no key, is said. */
  async ask<T = Record<string, never>>(method: string, path: string, sent: Sent = {}): Promise<Answer<T>> {
    const { as = 'admin', body, text = body === undefined ? undefined : JSON.stringify(body) } = sent;
    const headers = {
      ...(as === null ? {} : bearer(this.#keys[as])),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...sent.headers,
    };
    const response = await fetch(`${this.url}${prefix}${path}`, {
      method,
      headers,
      ...(text === undefined ? {} : { body: text }),
    });
    const { status } = response;
    const answered = await response.text();
    const exchange = { method, path: `${prefix}${path}`, status, headers: response.headers, text: answered };
    checkExchange({ ...exchange, sent: body });
    return { status, headers: response.headers, body: (answered === '' ? null : JSON.parse(answered)) as T };
  }

  /** The body of a request that has to succeed. */
  async get<T>(path: string, sent: Sent = {}): Promise<T> {
    return await this.done<T>('GET', path, sent);
  }

  async done<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    const { status, body } = await this.ask<T>(method, path, sent);
    assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  async channels(query = ''): Promise<readonly ChannelStatus[]> {
    return (await this.get<Page<ChannelStatus>>(`/channels${query}`)).items;
  }

  async channel(name: string): Promise<ChannelDetail> {
    const found = (await this.channels('?limit=1000')).find((channel) => channel.name === name);
    assert.ok(found, `there is no channel ${name}`);
    return await this.get<ChannelDetail>(`/channels/${found.id}`);
  }

  /** Adds a list by its text and waits until it is in service. */
  async addList(content: string, more: Record<string, unknown> = {}): Promise<SourceStatus> {
    const { id } = await this.done<SourceStatus>('POST', '/sources', { body: { kind: 'inline', content, ...more } });
    const source = await this.settled(id);
    assert.equal(source.state, 'published', source.reason ?? '');
    return source;
  }

  async settled(id: number): Promise<SourceStatus> {
    return await until(
      `source ${id} to be refreshed`,
      async () => {
        const source = await this.get<SourceStatus>(`/sources/${id}`);
        return ['published', 'quarantined', 'failed'].includes(source.state) ? source : null;
      },
      { within: 20_000 },
    );
  }

  /** What became of the job that an answer points at. */
  async job(answer: Answer<Job>): Promise<Job> {
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    const location = answer.headers.get('location') ?? '';
    assert.equal(location, `${prefix}/jobs/${answer.body.id}`);
    return await until(
      'the job to end',
      async () => {
        const job = await this.get<Job>(location.slice(prefix.length));
        return job.state === 'done' || job.state === 'failed' ? job : null;
      },
      { within: 20_000 },
    );
  }
}

export async function startHousehold(t: TestContext, given: Partial<ApiOptions> = {}): Promise<Household> {
  const options = await realOptions(t);
  await options.playlists.start();
  await options.guides.start();
  const made = async (scope: Scope) => (await options.store.access.createKey(`${scope} key`, scope)).secret;
  const keys = { read: await made('read'), edit: await made('edit'), admin: secrets.admin };
  const api = createApi({ ...options, ...given, listen: [{ address: '127.0.0.1', port: 0 }] });
  const [url = ''] = await api.start();
  t.after(() => api.stop());
  return new Household(url, options, keys);
}

/** A list of entries: name, address, more attributes. */
export function m3u(...entries: readonly (readonly [name: string, url: string, attributes?: string])[]): string {
  const texts = entries.map(([name, url, attributes = '']) => `#EXTINF:-1 ${attributes},${name}\n${url}\n`);
  return `#EXTM3U\n${texts.join('')}`;
}

/** So many multicast channels `Channel 1` and so on, in groups `Group 0` to `Group 9`. */
export function many(count: number): string {
  return m3u(
    ...Array.from({ length: count }, (_, n) => {
      const group = `group-title="Group ${n % 10}"`;
      return [`Channel ${n + 1}`, `udp://@239.2.${n >> 8}.${n & 255}:5000`, group] as const;
    }),
  );
}

export function writeList(dir: string, name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}
