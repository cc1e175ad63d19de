import { createHash, timingSafeEqual } from 'node:crypto';
import { WeirError } from '../../lib/errors.js';
import { type Scope, scopes } from '../../model/access.js';
import type { Caller, Context, Handler } from '../context.js';
import type { Access } from '../options.js';
import { FailedKeys } from './failed-keys.js';

/** Lets the household in, and whoever shows a valid token, in the path or as a bearer's. */
export function viewerAccess(access: Access): Handler {
  return async (ctx, next) => {
    ctx.state.token = null;
    const secret = ctx.state.pathToken ?? bearer(ctx);
    if (ctx.state.pathToken !== null || !ctx.state.isPrivate) {
      const token = secret === null || secret === '' ? null : await access.findToken(secret);
      if (token === null || secret === null) throw challenge(ctx, ['Bearer'], 'A valid token is needed: /t/TOKEN/… .');
      ctx.state.token = { id: token.id, secret };
    }
    await next();
  };
}

/**
 * Lets in whoever shows a key with that scope or a wider one, as a bearer's or as the password of Basic. A peer that shows
 * many wrong ones has to wait, but for keys that Weir made: 192 random bits are not found by trying, so that a program
 * with an old key locks nobody out who shares its address. The configured key may be a word, and waits too.
 */
export function keyAccess(access: Access, adminKey: string | null): (scope: Scope) => Handler {
  const failed = new FailedKeys();
  const find = async (secret: string, peer: string): Promise<Caller | null> => {
    const made = await access.findKey(secret);
    if (made !== null) return made;
    failed.check(peer);
    const isConfigured = adminKey !== null && sameSecret(secret, adminKey);
    return isConfigured ? { id: null, name: 'configured key', scope: 'admin' } : null;
  };
  return (needed) => async (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    const secret = bearer(ctx) ?? basicPassword(ctx);
    const caller = secret === null || secret === '' ? null : await find(secret, ctx.state.peer);
    if (caller === null) {
      if (secret !== null) failed.add(ctx.state.peer);
      throw challenge(ctx, ['Basic', 'Bearer'], 'A valid key is needed. "weir key new" makes one.');
    }
    if (scopes.indexOf(caller.scope) < scopes.indexOf(needed)) {
      throw new WeirError('forbidden', `This key has the scope ${caller.scope}, this needs ${needed}.`);
    }
    ctx.state.caller = { id: caller.id, name: caller.name, scope: caller.scope };
    await next();
  };
}

function challenge(ctx: Context, schemes: readonly string[], message: string): WeirError {
  ctx.set(
    'WWW-Authenticate',
    schemes.map((scheme) => `${scheme} realm="Weir"${scheme === 'Basic' ? ', charset="UTF-8"' : ''}`),
  );
  return new WeirError('unauthorised', message);
}

/** RFC 6750 §2.1. */
function bearer(ctx: Context): string | null {
  return /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1] ?? null;
}

/** RFC 7617 §2; the user name does not matter. */
function basicPassword(ctx: Context): string | null {
  const encoded = /^Basic +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1];
  if (encoded === undefined) return null;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  return decoded.includes(':') ? decoded.slice(decoded.indexOf(':') + 1) : null;
}

function sameSecret(one: string, other: string): boolean {
  const [left, right] = [one, other].map((secret) => createHash('sha256').update(secret).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}
