import type Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';

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
};

export type Context = ParameterizedContext<RequestState>;
export type Handler = Middleware<RequestState>;
export type ApiRouter = Router<RequestState>;
