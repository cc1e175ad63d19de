import { WeirError } from '../../lib/errors.js';
import type { Relay } from '../../relay/contract.js';
import { whole } from '../contract/shapes.js';
import type { streamOperations } from '../contract/stream.js';
import type { Handlers } from '../handle.js';

export function streamHandlers(relay: Relay): Handlers<typeof streamOperations> {
  const noStream = () => new WeirError('not-found', 'There is no such stream.');
  return {
    listStreams: async () => ({ body: whole(await relay.streams()) }),
    async getStream({ params }) {
      const stream = await relay.stream(params.id);
      if (stream === null) throw noStream();
      return { body: stream };
    },
    async closeStream({ params }) {
      if (!(await relay.closeStream(params.id))) throw noStream();
    },
    listViewers: async () => ({ body: whole(await relay.viewers()) }),
    async closeViewer({ params }) {
      if (!(await relay.closeViewer(params.id))) throw new WeirError('not-found', 'There is no such viewer.');
    },
  };
}
