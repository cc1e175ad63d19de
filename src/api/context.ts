import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Scope } from '../model/access.js';

/** What the middleware found out about a request before a route gets it. */
export type RequestState = {
  /** Secret of `/t/{token}/…`; the rest of the path is what the routes see. */
  pathToken: string | null;
  /** Whom the request was sent to, `name[:port]`, checked. */
  host: string;
  scheme: 'http' | 'https';
  /** The client's address, or `unknown` when a proxy did not say it. */
  peer: string;
  /** Whether it comes from the household. */
  isPrivate: boolean;
  /** The token that let it in, or null when none was needed. */
  token: { readonly id: number; readonly secret: string } | null;
  /** Whose key let it in; absent where none was needed. */
  caller?: Caller;
};

/** Whoever showed a key; `id` is null for the configured one. */
export type Caller = { readonly id: number | null; readonly name: string; readonly scope: Scope };

export type Context = ParameterizedContext<RequestState>;
export type Handler = Middleware<RequestState>;
export type ApiRouter = Router<RequestState>;
