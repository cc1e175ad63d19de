import { z } from 'zod';
import { components } from './contract/shapes.js';

export type Json = Record<string, unknown>;

const options = {
  io: 'input',
  uri: (id: string) => `#/components/schemas/${id}`,
  // That integers are exact needs not be said of each.
  override: ({ jsonSchema }: { jsonSchema: Json }) => {
    const { maximum, minimum } = jsonSchema;
    if (maximum === Number.MAX_SAFE_INTEGER) Reflect.deleteProperty(jsonSchema, 'maximum');
    if (minimum === Number.MIN_SAFE_INTEGER) Reflect.deleteProperty(jsonSchema, 'minimum');
  },
} as const;

/** Every schema that has a name, as the OpenAPI document holds them: JSON Schema 2020-12, one pointing at another. */
export function namedSchemas(): Record<string, Json> {
  const { schemas } = z.toJSONSchema(components, options);
  const pairs = Object.entries(schemas).map(([id, schema]) => [id, bare(schema)]);
  return Object.fromEntries(pairs) as Record<string, Json>;
}

/** A schema at its place in the document: where it has a name, what points at it. */
export function schemaAt(schema: z.ZodType): Json {
  const id = components.get(schema)?.id;
  return id === undefined ? bare(z.toJSONSchema(schema, options)) : { $ref: options.uri(id) };
}

function bare({ $schema: _dialect, $id: _id, ...schema }: Json): Json {
  return schema;
}
