import { z } from 'zod';

/** Schemas that the OpenAPI document names, by their ids. */
export const components = z.registry<{ id: string }>();

/** Gives a schema its name in the OpenAPI document. */
export function named<T extends z.ZodType>(id: string, schema: T): T {
  components.add(schema, { id });
  return schema;
}

/** An object that has these fields alone: any other is refused by name, with the ones that there are. */
export function strict<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, knownOnly(Object.keys(shape)));
}

/** What a refusal of other names says. */
export function knownOnly(names: readonly string[]) {
  return {
    error: (issue: z.core.$ZodRawIssue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const unknown = issue.keys.map((key) => JSON.stringify(key)).join(', ');
      return `Unknown field ${unknown}. ${names.length === 0 ? 'There are none here.' : `Known are ${names.join(', ')}.`}`;
    },
  };
}

export const count = z.int().min(0);
export const id = z.int().min(1);
/** Epoch seconds. */
export const instant = z.int().describe('Epoch seconds.');
export const seconds = z.number().min(0);

/** Text of one line, without control characters and halves of characters. */
export const line = (longest: number) =>
  z
    .string()
    .min(1, { abort: true })
    .max(longest)
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, 'Line ends and other control characters are not allowed.');

/** A text that people see. */
export const shownName = (longest: number) => line(longest).regex(/\S/, 'A name is more than blanks.');

const hasScheme = (address: string, schemes: RegExp): boolean =>
  URL.canParse(address) && schemes.test(new URL(address).protocol);
/** An absolute address of one of the schemes. */
export const address = (schemes: RegExp, message: string) =>
  line(8192).refine((text) => hasScheme(text, schemes), message);
export const webAddress = address(/^https?:$/, 'This is no http:// or https:// address.');
export const channelNumber = line(20)
  .regex(/^\S+$/, 'A channel number has no spaces.')
  .describe('As text: 7.10 is not 7.1.');
export const order = z.number().min(-1e9).max(1e9);

/** The parameter of a path that is an id. */
export const idParams = strict({ id: z.coerce.number().int().min(1) });

const limit = z.coerce.number().int().min(1).max(1000).default(100).describe('How many items a page has at most.');
/** It may hold the title of a programme. */
const after = line(8192).nullable().default(null).describe('The `next` of the page before.');
export const pagingShape = { limit, after };
export const pagingQuery = strict(pagingShape);

/** A part of a longer list: `next` is what `after` has to be for the part that follows, null at the end. */
export function pageOf<T extends z.ZodType>(name: string, item: T) {
  return named(`${name}Page`, strict({ items: z.array(item), next: z.string().nullable() }));
}

/** By name of the field: before and after. */
export const fieldChanges = z.record(z.string(), z.tuple([z.unknown(), z.unknown()]));

export type List<T> = { readonly items: readonly T[]; readonly next: null };

/** A list that is always answered whole. */
export function whole<T>(items: readonly T[]): List<T> {
  return { items, next: null };
}
