import { WeirError } from '../lib/errors.js';
import type { Context } from './context.js';
import { bodyLimit, type Operation } from './contract/operation.js';
import { InvalidRequest } from './invalid-request.js';

/** Of a body that is too large, so many times the limit is read all the same: who still writes does not read the answer. */
const drained = 4;

/**
 * The JSON body of a request, or undefined when it has none.
 * @throws WeirError `unsupported-media` for anything but JSON, `too-large`, `invalid` when it cannot be read.
 */
export async function readBody(ctx: Context, operation: Operation): Promise<unknown> {
  const { headers } = ctx.req;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  checkType(ctx, operation.method === 'patch');
  const bytes = await collect(ctx, operation.bodyLimit ?? bodyLimit);
  return parse(bytes);
}

function checkType(ctx: Context, merges: boolean): void {
  const types = merges ? ['application/json', 'application/merge-patch+json'] : ['application/json'];
  const [type = '', ...parameters] = ctx.get('Content-Type').toLowerCase().split(';');
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)/.exec(parameter)?.[1]).find(Boolean);
  const encoding = ctx.get('Content-Encoding').toLowerCase();
  if (types.includes(type.trim()) && (charset ?? 'utf-8') === 'utf-8' && (encoding || 'identity') === 'identity')
    return;
  throw new WeirError(
    'unsupported-media',
    `Send the body as Content-Type: ${types.join(' or ')}, UTF-8, not compressed.`,
  );
}

async function collect(ctx: Context, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const cut = limit * drained;
  let size = Number(ctx.req.headers['content-length'] ?? 0) > cut ? Number.POSITIVE_INFINITY : 0;
  // What is left unread after an error is the server's to drain: destroying the request would take the answer with it.
  const bytes = size > cut ? [] : (ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>);
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > cut) break;
    if (size <= limit) chunks.push(chunk);
  }
  if (size <= limit) return Buffer.concat(chunks);
  ctx.set('Connection', 'close');
  throw new WeirError('too-large', `The body of this request may have ${limit} bytes at most.`);
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidRequest([{ path: '', message: 'The body is not UTF-8.' }]);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const where =
      error instanceof Error ? /at position \d+(?: \(line \d+ column \d+\))?/.exec(error.message)?.[0] : null;
    throw new InvalidRequest([{ path: '', message: `The body is not JSON${where ? ` ${where}` : ''}.` }]);
  }
}
