import { type Handler, serve } from './server.js';

type Owner = { after(undo: () => void): void };

/** A provider on loopback whose answer is set from outside, and changes from one request to the next. */
export type ListServer = {
  /** Where its list is. */
  readonly url: string;
  /** What is answered from now on. */
  answer: Handler;
  /** Requests so far. */
  requests: number;
};

/** Starts one that answers with a list. */
export async function startListServer(owner: Owner, list: string): Promise<ListServer> {
  const state = { answer: withList(list), requests: 0 };
  const base = await serve(owner, (request, response) => {
    state.requests += 1;
    state.answer(request, response);
  });
  return Object.assign(state, { url: `${base}/list.m3u` });
}

export function withList(list: string): Handler {
  return (_, response) => void response.writeHead(200, { 'Content-Type': 'audio/x-mpegurl' }).end(list);
}
