import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from './server.js';

type Owner = { after(undo: () => void): void };
type Answer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The connection is cut when so many bytes were sent. */
  readonly cutAfter?: number;
};

/** A provider of a guide on loopback whose answer is set from outside. */
export type GuideServer = {
  readonly url: string;
  /** What is answered from now on; an ETag among its headers is compared. */
  answer: Answer;
  /** Requests so far, and those that were sent a body. */
  requests: number;
  sent: number;
  /** Header fields of the last request. */
  asked: IncomingMessage['headers'];
};

export async function startGuideServer(
  owner: Owner,
  body: string | Uint8Array,
  path = '/guide.xml',
): Promise<GuideServer> {
  const state = { answer: { body } as Answer, requests: 0, sent: 0, asked: {} as IncomingMessage['headers'] };
  const base = await serve(owner, (request, response) => {
    state.requests += 1;
    state.asked = request.headers;
    const { ETag: etag } = state.answer.headers ?? {};
    if (etag !== undefined && request.headers['if-none-match'] === etag) {
      response.writeHead(304).end();
      return;
    }
    state.sent += 1;
    send(state.answer, response);
  });
  return Object.assign(state, { url: `${base}${path}` });
}

function send({ status = 200, headers = {}, body = '', cutAfter }: Answer, response: ServerResponse): void {
  response.writeHead(status, headers);
  if (cutAfter === undefined) response.end(body);
  else response.write(Buffer.from(body).subarray(0, cutAfter), () => response.destroy());
}
