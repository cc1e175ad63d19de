import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { until } from '../../test/support/until.js';
import { adminKey, type Weir } from '../../test/support/weir.js';
import { now } from '../clock.js';

/** One event of `/api/v1/events`, as far as it is looked at here, and when it came: milliseconds of `instant`. */
type Told = {
  readonly at: number;
  readonly type: string;
  readonly id?: number;
  readonly job?: { readonly state: string };
};
type Refresh = { readonly id: number; readonly outcome: string; readonly counts: Readonly<Record<string, number>> };

/** Milliseconds that a list of 100,000 may take on a slow machine that is busy. */
const patience = 180_000;

/** Milliseconds of CLOCK_MONOTONIC. */
export function instant(): number {
  return Number(now()) / 1e6;
}

/** A `weir serve` as a person has it who imports lists: asked and told by the REST API only. */
export class House {
  readonly weir: Weir;
  readonly #events: Told[] = [];
  readonly #listening = new AbortController();

  constructor(weir: Weir) {
    this.weir = weir;
  }

  async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const headers = { Authorization: `Bearer ${adminKey}`, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${this.weir.url}/api/v1${path}`, { method, headers, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`);
    return JSON.parse(text) as T;
  }

  /** Listens to what happens, until it is closed. */
  async listen(): Promise<void> {
    const headers = { Authorization: `Bearer ${adminKey}` };
    const answer = await fetch(`${this.weir.url}/api/v1/events`, { headers, signal: this.#listening.signal });
    if (answer.body === null) throw new Error('There are no events.');
    void this.#read(answer.body).catch(() => undefined);
  }

  close(): void {
    this.#listening.abort();
  }

  /** When the first event that `is` this came after an instant. */
  async told(what: string, after: number, is: (event: Told) => boolean): Promise<number> {
    const found = () => this.#events.find((event) => event.at > after && is(event));
    return (await until(what, found, { within: patience })).at;
  }

  /** When the catalogue was told to be another one after an instant, and a refresh later than `last` had published it. */
  async published(source: number, after: number, last: number): Promise<number> {
    let seen = after;
    for (;;) {
      const at = await this.told('the catalogue to be another one', seen, ({ type }) => type === 'catalogue');
      const refresh = await this.lastRefresh(source);
      if (refresh !== null && refresh.id > last) return at;
      seen = at;
    }
  }

  async lastRefresh(source: number): Promise<Refresh | null> {
    const page = await this.request<{ items: Refresh[] }>('GET', `/sources/${source}/refreshes?limit=1`);
    return page.items[0] ?? null;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of body) {
      const at = instant();
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) this.#events.push({ at, ...(JSON.parse(data) as Omit<Told, 'at'>) });
      }
    }
  }
}

export type ListAnswer = {
  readonly took: number;
  readonly status: number;
  readonly etag: string;
  readonly body: Uint8Array;
};

/** Fetches the playlist, as a player does: on a connection of its own. */
export function fetchList(url: string, etag?: string): Promise<ListAnswer> {
  const begun = instant();
  const headers = etag === undefined ? {} : { 'If-None-Match': etag };
  return new Promise((resolve, reject) => {
    const sent = get(`${url}/playlist.m3u`, { agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const took = instant() - begun;
        const { statusCode: status = 0, headers: said } = response;
        resolve({ took, status, etag: said.etag ?? '', body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
  });
}

/** Milliseconds of CPU, of user and system, that a process and its threads have used, those that ended too. */
export function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  // utime and stime are the 14th and 15th field, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Writes a list where weir may read it. */
export function writeList(folder: string, text: string): string {
  const path = join(folder, 'big.m3u');
  writeFileSync(path, text);
  return path;
}
