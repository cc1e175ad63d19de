import { z } from 'zod';
import { WeirError } from '../lib/errors.js';
import type { By } from '../model/edit.js';
import { readBody } from './body.js';
import { etagOf, isKnown, matchVersion } from './conditional.js';
import type { ApiRouter, Caller, Context, Handler } from './context.js';
import { type Operation, type Operations, prefix } from './contract/operation.js';
import { strict } from './contract/shapes.js';
import { InvalidRequest, parseRequest } from './invalid-request.js';

/** A request as its handler gets it: read by the contract. */
export type Request<O extends Operation> = {
  readonly params: Part<O, 'params'>;
  readonly query: Part<O, 'query'>;
  readonly body: Part<O, 'body'>;
  readonly caller: Caller;
  /** Who does it. Given the version that stands there, with what If-Match says. @throws WeirError `precondition-failed` */
  readonly by: (version?: string) => By;
  readonly ctx: Context;
};
type Part<O, K extends string> = O extends Readonly<Record<K, infer S extends z.ZodType>> ? z.output<S> : undefined;

/** What a handler answers with: nothing where there is no body, or where it writes its answer itself. */
export type Reply<O extends Operation> = O['answer'] extends { readonly type: string }
  ? undefined
  : O['answer'] extends { readonly body: infer S extends z.ZodType }
    ? Answer<Frozen<z.output<S>>> &
        (O['answer'] extends { readonly location: true } ? { readonly location: string } : unknown)
    : undefined;
type Answer<T> = {
  readonly body: T;
  /** Behind `prefix`: where the resource or the job is. */
  readonly location?: string;
  /** What a change of it is checked against. */
  readonly version?: string;
};
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** What carries out the operations of a table. */
export type Handlers<T extends Operations> = {
  readonly [K in keyof T]: (request: Request<T[K]>) => Promise<Reply<T[K]>>;
};

type AnyRequest = Omit<Request<Operation>, 'params' | 'query' | 'body'> & Record<'params' | 'query' | 'body', unknown>;
type AnyHandler = (request: AnyRequest) => Promise<Answer<unknown> | undefined>;

export type Mount = {
  readonly router: ApiRouter;
  /** The access rule of a scope; null is open. */
  readonly access: (scope: Operation['scope']) => Handler;
  /** What stands in front of paths in Location: the public address, or nothing. */
  readonly base: string;
};

/** Makes the routes of a table of operations. */
export function addOperations<T extends Operations>(mount: Mount, operations: T, handlers: Handlers<T>): void {
  for (const [name, operation] of Object.entries(operations)) {
    // The table and the handlers have the same names, and each handler takes what its operation's schemas read.
    add(mount, operation, handlers[name] as unknown as AnyHandler);
  }
}

function add({ router, access, base }: Mount, operation: Operation, handler: AnyHandler): void {
  const { path, names } = pathPattern(operation.path);
  router.register(
    path,
    [operation.method],
    [
      access(operation.scope),
      async (ctx) => {
        const request = await readRequest(ctx, operation, paramsOf(ctx, path, names));
        const reply = await handler(request);
        if (ctx.respond !== false) answer(ctx, operation, reply, base);
      },
    ],
    { pathAsRegExp: true },
  );
}

async function readRequest(ctx: Context, operation: Operation, params: Record<string, string>): Promise<AnyRequest> {
  const { query, body } = operation;
  const { caller } = ctx.state;
  const actor = { key: caller?.id ?? null, name: caller?.name ?? '' };
  return {
    params: readParams(operation, params),
    query: parseRequest(query ?? (operation.scope === null ? anything : nothing), readQuery(ctx)),
    body: body === undefined ? undefined : parseRequest(body, await readWhole(ctx, operation)),
    caller: caller ?? { id: null, name: '', scope: 'read' },
    by: (version) => ({ actor, ifMatch: version === undefined ? undefined : matchVersion(ctx, version) }),
    ctx,
  };
}

/** Queries of operations that have none; whoever needs no key may be a tool that adds something of its own. */
const nothing = strict({});
const anything = z.unknown();

/** A path that cannot be one of ours names nothing. */
function readParams({ params }: Operation, written: Record<string, string>): unknown {
  if (params === undefined) return undefined;
  const { success, data } = params.safeParse(written);
  if (!success) throw new WeirError('not-found', 'There is nothing under this path.');
  return data;
}

/** Each parameter is said once. */
function readQuery(ctx: Context): Record<string, string> {
  const search = new URLSearchParams(ctx.querystring);
  for (const name of search.keys()) {
    if (search.getAll(name).length > 1)
      throw new InvalidRequest([{ path: name, message: 'It is said more than once.' }]);
  }
  return Object.fromEntries(search);
}

async function readWhole(ctx: Context, operation: Operation): Promise<unknown> {
  const body = await readBody(ctx, operation);
  if (body !== undefined) return body;
  if (operation.bodyOptional) return {};
  throw new InvalidRequest([{ path: '', message: 'This request needs a body. Send JSON.' }]);
}

function answer(ctx: Context, { answer: said }: Operation, reply: Answer<unknown> | undefined, base: string): void {
  ctx.status = said.status;
  if (reply === undefined) return;
  if (reply.location !== undefined) ctx.set('Location', `${base}${prefix}${reply.location}`);
  const text = JSON.stringify(reply.body);
  if (said.etag) {
    const etag = etagOf(text, reply.version);
    ctx.etag = etag;
    if (['GET', 'HEAD'].includes(ctx.method) && isKnown(ctx, etag)) {
      ctx.status = 304;
      return;
    }
  }
  ctx.body = text;
  ctx.type = 'application/json';
}

/** `/sources/{id}:refresh` as a pattern with its parameters' names; a colon ends a parameter: in values it is encoded. */
function pathPattern(template: string): { path: RegExp; names: string[] } {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const source = `${prefix}${template}`.replaceAll('.', '\\.').replace(/\{\w+\}/g, '([^/:]+)');
  return { path: new RegExp(`^${source}$`), names };
}

function paramsOf(ctx: Context, path: RegExp, names: readonly string[]): Record<string, string> {
  const values = path.exec(ctx.path)?.slice(1) ?? [];
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
  } catch {
    throw new WeirError('not-found', 'There is nothing under this path.');
  }
}
