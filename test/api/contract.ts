import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { prefix } from '../../src/api/contract/operation.js';
import { openApiDocument } from '../../src/api/openapi.js';

type Described = {
  readonly operationId: string;
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, Answered>>;
};
type Answered = {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
};
export type Exchange = {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** What was sent as JSON, or undefined. */
  readonly sent: unknown;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

const root = 'https://weir.example/openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, unicodeRegExp: true });
addFormats.default(ajv);
ajv.addSchema(openApiDocument, root);
const compiled = new Map<string, ValidateFunction>();
/** Whatever was answered, as `operationId status`. */
export const seen = new Set<string>();

const paths = Object.entries(openApiDocument.paths as Record<string, Record<string, Described>>).map(
  ([template, methods]) => ({ template, methods, pattern: patternOf(template) }),
);

/** @throws AssertionError when an answer, or a request that was taken, is not what the OpenAPI document says. */
export function checkExchange({ method, path, sent, status, headers, text }: Exchange): void {
  const what = `${method} ${path} ${status} ${text.slice(0, 500)}`;
  const found = describedAt(method, path);
  const type = headers.get('content-type')?.split(';')[0] ?? null;
  if (found === null) {
    assert.ok(status >= 400, `${what}: is not described`);
    check('#/components/schemas/Problem', JSON.parse(text), what);
    return;
  }
  const { pointer, operation } = found;
  const answer = operation.responses[status];
  assert.ok(answer, `${what}: this status is not described`);
  seen.add(`${operation.operationId} ${status}`);
  const at = answer.$ref ?? `${pointer}/responses/${status}`;
  const { headers: promised = {}, content = {} } = answer.$ref === undefined ? answer : resolve(answer.$ref);
  for (const name of Object.keys(promised)) assert.ok(headers.has(name), `${what}: has no ${name}`);
  const [expected] = Object.keys(content);
  if (expected === undefined) {
    assert.equal(text, '', `${what}: has a body`);
  } else if (method !== 'HEAD') {
    assert.equal(type, expected, what);
    check(`${at}/content/${pointerPart(expected)}/schema`, JSON.parse(text), what);
  }
  if (status < 300 && sent !== undefined && operation.requestBody !== undefined) {
    check(`${pointer}/requestBody/content/application~1json/schema`, sent, `${what}: took`);
  }
}

/** The schema at a place of the document; @throws AssertionError when a value does not have it. */
export function check(pointer: string, value: unknown, what: string): void {
  const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${root}${pointer}` });
  compiled.set(pointer, validate);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`);
}

function describedAt(method: string, path: string): { pointer: string; operation: Described } | null {
  const bare = path.slice(prefix.length).split('?')[0] ?? '';
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const { template, methods, pattern } of paths) {
    const operation = methods[name];
    if (path.startsWith(prefix) && pattern.test(bare) && operation !== undefined) {
      return { pointer: `#/paths/${pointerPart(template)}/${name}`, operation };
    }
  }
  return null;
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/:]+')}$`);
}

function resolve(ref: string): Answered {
  const { responses } = openApiDocument.components;
  return (responses[ref.split('/').at(-1) ?? ''] ?? {}) as Answered;
}

/** A member's name in a JSON pointer (RFC 6901) in a URI fragment. */
function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
}
