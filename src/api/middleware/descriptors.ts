import { DescriptorLimit } from '../../lib/descriptor-limit.js';
import { WeirError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import { Repeats } from '../../lib/repeats.js';
import { handleOf } from '../../relay/descriptor.js';
import type { Handler } from '../context.js';

/** Turns clients away while there are still descriptors to do it with: the kernel would do it without a word. */
export function descriptors(log: Log): Handler {
  const limit = new DescriptorLimit();
  const refusals = new Repeats((what, times) => log.error({ times }, what));
  return async (ctx, next) => {
    if (limit.isNear(handleOf(ctx.req.socket)?.fd ?? 0)) {
      refusals.add('out of file descriptors, a request was refused: raise the limit of open files (ulimit -n)');
      ctx.set('Connection', 'close');
      throw new WeirError('unavailable', 'Weir is out of file descriptors. Try again.', { retryAfter: 5 });
    }
    await next();
  };
}
