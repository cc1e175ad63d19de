import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import type { ErrorCode } from '../lib/errors.js';
import { version } from '../lib/version.js';
import { keptChanges } from '../model/change.js';
import { type Operation, prefix } from './contract/operation.js';
import { operationsByTag } from './contract/operations.js';
import { problemSchema } from './contract/problem.js';
import { statuses } from './middleware/errors.js';
import { type Json, namedSchemas, schemaAt } from './schema.js';

const tags: Readonly<Record<keyof typeof operationsByTag, string>> = {
  Sources: 'Lists of channels: addresses, files or text, how they are refreshed, and what each refresh changed.',
  Entries: 'The lines of the lists as their providers wrote them.',
  Channels:
    'What Weir publishes. What a user sets on a channel wins over rules, and these over what the provider says.',
  Groups: 'The groups of the channels.',
  'Line-ups': 'Selections of channels with an order and numbers of their own.',
  Rules: 'Changes of what providers say, made to every list anew.',
  Suggestions: 'Pairs of channels that may be one.',
  Guides: 'Guides of programmes (XMLTV): where they come from, and which of their channels speak for which of ours.',
  Programmes: 'What channels show: the guides of each merged, gaps of one filled by the next.',
  Changes: `What users changed; each of these can be undone. The newest ${keptChanges} are kept, or fewer, of a million rows together.`,
  Jobs: 'Work that takes a while.',
  Events: 'What happens, as it happens.',
  Streams: 'What the relay receives, and who watches it.',
  Access: 'Keys for this API and tokens of viewers.',
  Document: 'The description of this API.',
};

const description = `Everything that Weir knows and does, for programs.

Every request but that for this document needs a key with the scope that the operation names (\`read\`, \`edit\` or \`admin\`;
each includes the ones before it), as a Bearer token or as the password of Basic. Too many wrong ones from one address are
answered 429, and the configured key from there too. Long lists come in pages: \`next\` is what \`after\` has to be for the page that follows. Each page is of
the list as it stands then: what is moved between two may come twice, or not at all. PATCH changes the
fields that are sent, null clears one, and objects and arrays in it replace what was there. Fields and parameters that are
not known are refused. Times are epoch seconds. Errors are RFC 9457 problem documents whose \`code\` is stable.`;

/** The OpenAPI 3.1 document of the REST API, made from the same tables as its routes. */
export const openApiDocument = createDocument();

function createDocument() {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Weir',
      version,
      summary: 'IPTV middleware',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: prefix, description: 'The Weir that this document comes from.' }],
    security: [{ bearer: [] }, { basic: [] }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    paths: createPaths(),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A key, as `weir key new` makes them.' },
        basic: { type: 'http', scheme: 'basic', description: 'Any name, and a key as the password.' },
      },
      schemas: namedSchemas(),
      responses: createProblems(),
    },
  };
}

function createPaths(): Record<string, Json> {
  const paths: Record<string, Json> = {};
  for (const [tag, operations] of Object.entries(operationsByTag)) {
    for (const [id, operation] of Object.entries<Operation>(operations)) {
      const path = paths[operation.path] ?? {};
      paths[operation.path] = { ...path, [operation.method]: describeOperation(id, tag, operation) };
    }
  }
  return paths;
}

function describeOperation(operationId: string, tag: string, operation: Operation): Json {
  const { summary, scope, body } = operation;
  const parameters = [...parametersIn('path', operation.params), ...parametersIn('query', operation.query)];
  return {
    operationId,
    tags: [tag],
    summary,
    description: scope === null ? 'Needs no key.' : `Needs a key of scope ${scope}.`,
    ...(scope === null ? { security: [] } : {}),
    parameters: [...parameters, ...conditionHeaders(operation)],
    ...(body === undefined ? {} : { requestBody: describeBody(operation, body) }),
    responses: { ...describeAnswer(operation), ...problemsOf(operation) },
  };
}

function describeBody({ method, bodyOptional }: Operation, body: z.ZodType): Json {
  const media = { schema: schemaAt(body) };
  const merged = method === 'patch' ? { 'application/merge-patch+json': media } : {};
  return { required: bodyOptional !== true, content: { 'application/json': media, ...merged } };
}

function parametersIn(place: 'path' | 'query', schema: z.ZodObject | undefined): Json[] {
  const { properties = {}, required = [] } = schema === undefined ? {} : schemaAt(schema);
  return Object.entries(properties as Record<string, Json>).map(([name, { description: text, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || (required as string[]).includes(name),
    ...(text === undefined ? {} : { description: text }),
    schema: rest,
  }));
}

function conditionHeaders({ conditional, method, answer }: Operation): Json[] {
  const header = (name: string, text: string) => ({
    name,
    in: 'header',
    required: false,
    description: text,
    schema: { type: 'string' },
  });
  return [
    ...(conditional ? [header('If-Match', 'The ETag that is to be changed; when another one stands there: 412.')] : []),
    ...(answer.etag && method === 'get' ? [header('If-None-Match', 'The ETag that is known already: then 304.')] : []),
  ];
}

function describeAnswer({ method, answer }: Operation): Record<string, Json> {
  const header = (text: string) => ({ required: true, description: text, schema: { type: 'string' } });
  const headers = {
    ...(answer.etag ? { ETag: header('Names this state of it.') } : {}),
    ...(answer.location ? { Location: header('Where it is.') } : {}),
  };
  const type = answer.type ?? 'application/json';
  const content = answer.body === undefined ? {} : { content: { [type]: contentOf(answer.type, answer.body) } };
  const described = { description: answer.description, headers, ...content };
  const unchanged = {
    description: 'What is known already stands.',
    headers: { ETag: header('Names this state of it.') },
  };
  return { [answer.status]: described, ...(answer.etag && method === 'get' ? { 304: unchanged } : {}) };
}

/** Of events the schema is that of one event's data. */
function contentOf(type: string | undefined, body: z.ZodType): Json {
  if (type === undefined) return { schema: schemaAt(body) };
  return { schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schemaAt(body) } };
}

/** Codes that every operation of this form answers. */
function codesOf({ scope, params, body, conditional, errors = [] }: Operation): readonly ErrorCode[] {
  return [
    ...(scope === null ? [] : (['invalid', 'unauthorised', 'too-many-requests'] as const)),
    // A Host that is not ours, a page of another site, or a key that allows less.
    'forbidden',
    ...(params === undefined ? [] : (['not-found'] as const)),
    ...(body === undefined ? [] : (['too-large', 'unsupported-media'] as const)),
    ...(conditional ? (['precondition-failed'] as const) : []),
    ...errors,
    'unavailable',
    'internal',
  ];
}

function problemsOf(operation: Operation): Record<string, Json> {
  const codes = [...codesOf(operation), ...(operation.method === 'post' ? (['unsupported-media'] as const) : [])];
  const found = [...new Set(codes.map((code) => statuses[code]))].sort();
  return Object.fromEntries(found.map((status) => [status, { $ref: `#/components/responses/${problemName(status)}` }]));
}

function createProblems(): Record<string, Json> {
  const used = Object.values(operationsByTag).flatMap((operations) =>
    Object.values<Operation>(operations).map(problemsOf),
  );
  const found = [...new Set(used.flatMap((problems) => Object.keys(problems)))].sort();
  return Object.fromEntries(
    found.map((status) => [
      problemName(Number(status)),
      {
        description: STATUS_CODES[Number(status)] ?? status,
        headers: retryHeader(Number(status)),
        content: { 'application/problem+json': { schema: schemaAt(problemSchema) } },
      },
    ]),
  );
}

function retryHeader(status: number): Json {
  if (status !== 429) return {};
  return { 'Retry-After': { required: true, description: 'Seconds to wait.', schema: { type: 'integer' } } };
}

function problemName(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replace(/[^A-Za-z]/g, '');
}
