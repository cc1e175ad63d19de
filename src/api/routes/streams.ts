import { WeirError } from '../../lib/errors.js';
import type { Relay } from '../../relay/contract.js';
import { whole } from '../contract/shapes.js';
import type { streamOperations } from '../contract/stream.js';
import type { Handlers } from '../handle.js';
import { redactUpstream, shownTo } from '../redact.js';

export function streamHandlers(relay: Relay): Handlers<typeof streamOperations> {
  const noStream = () => new WeirError('not-found', 'There is no such stream.');
  return {
    async listStreams({ caller }) {
      const streams = await relay.streams();
      return { body: whole(streams.map((stream) => shownTo(caller.scope, stream, redactUpstream))) };
    },
    async getStream({ params, caller }) {
      const stream = await relay.stream(params.id);
      if (stream === null) throw noStream();
      return { body: shownTo(caller.scope, stream, redactUpstream) };
    },
    async closeStream({ params }) {
      if (!(await relay.closeStream(params.id))) throw noStream();
    },
    async listViewers({ caller }) {
      const viewers = await relay.viewers();
      return { body: whole(viewers.map((viewer) => shownTo(caller.scope, viewer, redactUpstream))) };
    },
    async closeViewer({ params }) {
      if (!(await relay.closeViewer(params.id))) throw new WeirError('not-found', 'There is no such viewer.');
    },
  };
}
