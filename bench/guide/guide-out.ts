import { get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { dtdProblems } from '../../test/support/xmllint.js';
import { instant } from '../catalogue/house.js';
import { median } from '../statistics.js';
import type { Household } from './household.js';

export type GuideOut = {
  /** Milliseconds to the first byte of one that is made; median of so many. */
  readonly firstByte: number;
  /** Milliseconds from a change until another one is sent. */
  readonly again: number;
  /** Bytes, unpacked. */
  readonly bytes: number;
};

const path = '/epg.xml.gz?days=7';
const fetches = 20;
/** Milliseconds between two looks whether there is another one. */
const between = 20;
const patience = 60_000;

/** Fetches the packed guide of 7 days, and changes a channel so that it is made again. */
export async function measureOut({ house }: Household, faults: string[]): Promise<GuideOut> {
  const { url } = house.weir;
  const { etag, body } = await fetchGuide(url);
  const text = gunzipSync(body).toString();
  const wrong = dtdProblems({ text });
  if (wrong !== '') faults.push(`/epg.xml.gz is not valid: ${wrong.slice(0, 300)}`);
  const times: number[] = [];
  for (let count = 0; count < fetches; count += 1) times.push((await fetchGuide(url)).firstByte);
  const { items } = await house.request<{ items: { id: number; name: string }[] }>('GET', '/channels?limit=1');
  const [{ id, name } = { id: 0, name: '' }] = items;
  const changed = instant();
  await house.request('PATCH', `/channels/${id}`, { name: `${name} Plus` });
  while ((await fetchGuide(url, 'HEAD')).etag === etag) {
    if (instant() > changed + patience) throw new Error('/epg.xml.gz does not change with a name.');
    await new Promise((resolve) => setTimeout(resolve, between));
  }
  return { firstByte: median(times), again: instant() - changed, bytes: text.length };
}

type Answer = { readonly firstByte: number; readonly etag: string; readonly body: Buffer };

/** On a connection of its own, as players do. */
function fetchGuide(url: string, method = 'GET'): Promise<Answer> {
  const begun = instant();
  return new Promise((resolve, reject) => {
    const sent = get(`${url}${path}`, { agent: false, method }, (response) => {
      const chunks: Buffer[] = [];
      let firstByte = 0;
      response.on('data', (chunk: Buffer) => {
        if (chunks.length === 0) firstByte = instant() - begun;
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200
          ? resolve({ firstByte, etag: response.headers.etag ?? '', body: Buffer.concat(chunks) })
          : reject(new Error(`${path}: ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
  });
}
