import { createHash } from 'node:crypto';
import { WeirError } from '../lib/errors.js';
import type { Context } from './context.js';

/**
 * The ETag of a representation: the version that a change of it is checked against, where it has one, a hyphen, and the
 * hash of what is shown. Without quotes.
 */
export function etagOf(text: string, version: string | undefined): string {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return version === undefined ? hash : `${version}-${hash}`;
}

/**
 * What If-Match (RFC 9110 §13.1.1) says against the version that stands there: returned when it names that one, undefined
 * when there is no such header or it takes any.
 * @throws WeirError `precondition-failed` when it names another.
 */
export function matchVersion(ctx: Context, version: string): string | undefined {
  const header = ctx.get('If-Match').trim();
  if (header === '' || header === '*') return undefined;
  // Only what was changed by users counts: a refresh in between overwrites nothing of theirs.
  if (tagsOf(header).some(({ tag, weak }) => !weak && tag.split('-')[0] === version)) return version;
  throw new WeirError('precondition-failed', 'It was changed by somebody else since it was read. Read it again.');
}

/**
 * Whether If-None-Match (RFC 9110 §13.1.2) names that ETag. A `Cache-Control: no-cache` beside it, as fetch() of a browser
 * sends it, is meant for caches: we are the origin.
 */
export function isKnown(ctx: Context, etag: string): boolean {
  const header = ctx.get('If-None-Match').trim();
  return header === '*' || tagsOf(header).some(({ tag }) => tag === etag);
}

function tagsOf(header: string): { readonly tag: string; readonly weak: boolean }[] {
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].map(([, weak, tag = '']) => ({ tag, weak: weak !== undefined }));
}
