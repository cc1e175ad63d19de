import type { ServerResponse } from 'node:http';
import { WeirError } from '../../lib/errors.js';
import type { Scope } from '../../model/access.js';
import type { CatalogueEvent } from '../../model/event.js';
import type { Events } from '../catalogue.js';
import type { Context } from '../context.js';
import type { eventOperations } from '../contract/event.js';
import type { Handlers } from '../handle.js';
import { redactChange, redactJob, shownTo } from '../redact.js';

/** Milliseconds; shorter than a connection may be silent, here and in the proxies that are usual. */
const heartbeat = 10_000;
/** Bytes that may wait for a listener: one that does not read them is disconnected, and asks again when it does. */
const mostWaiting = 256 * 1024;
const mostListeners = 200;

/** Server-sent events (HTML §9.2). An event that was missed is not told again: what it was about can be read. */
export function eventHandlers(events: Events): Handlers<typeof eventOperations> {
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
      else tell(ctx.res, events, caller.scope);
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

function tell(response: ServerResponse, events: Events, scope: Scope): void {
  const send = (text: string) => {
    if (response.writableLength > mostWaiting) response.destroy();
    else response.write(text);
  };
  send(': hello\n\n');
  const beat = setInterval(() => send(':\n\n'), heartbeat);
  const off = events.on((event) => send(`event: ${event.type}\ndata: ${JSON.stringify(shown(event, scope))}\n\n`));
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
