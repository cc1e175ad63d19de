import { createReadStream, statSync } from 'node:fs';
import { serve } from '../../test/support/server.js';
import type { Owner } from '../endurance/ground.js';

/** A server of one guide on loopback. */
export type Provider = {
  readonly url: string;
  /** The file that is sent from now on. */
  file: string;
  /** Its ETag, or null for a server that has none. */
  etag: string | null;
  /** Answers with a body so far. */
  sent: number;
};

export async function startProvider(owner: Owner, file: string): Promise<Provider> {
  const state = { file, etag: null as string | null, sent: 0 };
  const base = await serve(owner, (request, response) => {
    if (state.etag !== null && request.headers['if-none-match'] === state.etag) {
      response.writeHead(304, { ETag: state.etag }).end();
      return;
    }
    state.sent += 1;
    const tag = state.etag === null ? {} : { ETag: state.etag };
    response.writeHead(200, { ...tag, 'Content-Length': statSync(state.file).size });
    createReadStream(state.file, { highWaterMark: 256 * 1024 }).pipe(response);
  });
  return Object.assign(state, { url: `${base}/guide.xml.gz` });
}
