import type { ServerResponse } from 'node:http';
import { WeirError } from '../../lib/errors.js';
import type { Scope } from '../../model/access.js';
import type { CatalogueEvent } from '../../model/event.js';
import type { Caller, Context } from '../context.js';
import type { eventOperations } from '../contract/event.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';
import { redactChange, redactJob, shownTo } from '../redact.js';

/** Milliseconds; shorter than a connection may be silent, here and in the proxies that are usual. */
const heartbeat = 10_000;
/** Bytes that may wait for a listener: one that does not read them is disconnected, and asks again when it does. */
const mostWaiting = 256 * 1024;
const mostListeners = 200;

type Options = Pick<ApiOptions, 'events' | 'access'>;

/** Server-sent events (HTML §9.2). An event that was missed is not told again: what it was about can be read. */
export function eventHandlers({ events, access }: Options): Handlers<typeof eventOperations> {
  let listeners = 0;
  return {
    listenToEvents({ ctx, caller }) {
      if (listeners >= mostListeners) {
        throw new WeirError('limit-reached', 'Too many listen already. Close another page of Weir.');
      }
      listeners += 1;
      ctx.res.once('close', () => {
        listeners -= 1;
      });
      begin(ctx);
      if (ctx.method === 'HEAD') ctx.res.end();
      else tell(ctx.res, caller, { events, access });
      return Promise.resolve(undefined);
    },
  };
}

function begin(ctx: Context): void {
  ctx.respond = false;
  ctx.status = 200;
  ctx.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
  ctx.flushHeaders();
}

/** A key that is revoked meanwhile, here or by the command, is told nothing more. */
function tell(response: ServerResponse, caller: Caller, { events, access }: Options): void {
  const isValid = async () => {
    if (caller.id === null) return true;
    return (await access.listKeys()).some(({ id, revokedAt }) => id === caller.id && revokedAt === null);
  };
  let last = Promise.resolve();
  const send = (text: string) => {
    last = last.then(async () => {
      if (response.closed) return;
      if (response.writableLength > mostWaiting || !(await isValid())) response.destroy();
      else response.write(text);
    });
  };
  send(': hello\n\n');
  const beat = setInterval(() => send(':\n\n'), heartbeat);
  const off = events.on((event) =>
    send(`event: ${event.type}\ndata: ${JSON.stringify(shown(event, caller.scope))}\n\n`),
  );
  response.once('close', () => {
    clearInterval(beat);
    off();
  });
}

function shown(event: CatalogueEvent, scope: Scope): CatalogueEvent {
  if (event.type === 'job') return { ...event, job: shownTo(scope, event.job, redactJob) };
  if (event.type === 'change') return { ...event, change: shownTo(scope, event.change, redactChange) };
  return event;
}
