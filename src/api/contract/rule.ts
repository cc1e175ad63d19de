import { z } from 'zod';
import { type Rule, type RulePreview, ruleFields } from '../../model/rule.js';
import type { Operations } from './operation.js';
import { count, fieldChanges, id, idParams, line, named, order, pageOf, strict } from './shapes.js';

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, 'iu').flags === 'iu';
  } catch {
    return false;
  }
};

const match = strict({
  field: z.enum(ruleFields),
  pattern: z
    .string()
    .max(1000)
    .refine(isPattern, 'This is no regular expression of JavaScript with the flags iu.')
    .describe('A regular expression of JavaScript, flags `iu`; empty matches all.'),
});

const groups = z.array(line(200)).max(100).exactOptional();
const wholeNumber = z.int().min(0).max(999_999);

const action = z.discriminatedUnion('kind', [
  strict({ kind: z.literal('rename'), replacement: z.string().max(1000) }),
  strict({ kind: z.literal('filter'), hide: z.enum(['matching', 'others']) }),
  strict({ kind: z.literal('group'), set: groups, add: groups, remove: groups }),
  strict({
    kind: z.literal('number'),
    from: wholeNumber,
    to: wholeNumber.nullable(),
    keepProvider: z.boolean().describe('Whether the numbers of the provider stay.'),
  }),
]);

const position = order.describe('They run from the lowest to the highest.');

export const ruleSchema = named(
  'Rule',
  strict({
    id,
    position,
    enabled: z.boolean(),
    source: id.nullable(),
    match,
    action,
    reason: z.string().nullable().describe('Why Weir switched it off.'),
    version: count,
  }),
) satisfies z.ZodType<Rule>;

export const newRuleSchema = named(
  'NewRule',
  strict({
    position: position.exactOptional().describe('Behind all others, unless said.'),
    enabled: z.boolean().default(true),
    source: id.nullable().default(null).describe('The only source that it is for, or null for all.'),
    match,
    action,
  }),
);

const patch = strict({
  position: position.exactOptional(),
  enabled: z.boolean().exactOptional(),
  source: id.nullable().exactOptional(),
  match: match.exactOptional(),
  action: action.exactOptional(),
});

export const rulePreviewSchema = named(
  'RulePreview',
  strict({
    matching: count,
    changing: count,
    items: z.array(strict({ channel: id, name: z.string(), fields: fieldChanges })).describe('The first 100 of them.'),
  }),
) satisfies z.ZodType<RulePreview>;

export const ruleOperations = {
  listRules: {
    method: 'get',
    path: '/rules',
    summary: 'Lists the rules in the order in which they run',
    scope: 'read',
    answer: { status: 200, description: 'All of them.', body: pageOf('Rule', ruleSchema) },
  },
  createRule: {
    method: 'post',
    path: '/rules',
    summary: 'Makes a rule and applies it to all lists',
    scope: 'edit',
    body: newRuleSchema,
    answer: { status: 201, description: 'The rule.', body: ruleSchema, etag: true, location: true },
    errors: ['conflict'],
  },
  previewRule: {
    method: 'post',
    path: '/rules:preview',
    summary: 'Shows what a rule would do to the channels as they are',
    scope: 'read',
    body: newRuleSchema,
    answer: { status: 200, description: 'What it would change.', body: rulePreviewSchema },
  },
  getRule: {
    method: 'get',
    path: '/rules/{id}',
    summary: 'Shows a rule',
    scope: 'read',
    params: idParams,
    answer: { status: 200, description: 'The rule.', body: ruleSchema, etag: true },
  },
  updateRule: {
    method: 'patch',
    path: '/rules/{id}',
    summary: 'Changes a rule and applies all anew',
    scope: 'edit',
    params: idParams,
    conditional: true,
    body: named('RulePatch', patch),
    answer: { status: 200, description: 'The rule as it is now.', body: ruleSchema, etag: true },
    errors: ['conflict'],
  },
  removeRule: {
    method: 'delete',
    path: '/rules/{id}',
    summary: 'Removes a rule and applies the others anew',
    scope: 'edit',
    params: idParams,
    conditional: true,
    answer: { status: 204, description: 'It is removed.' },
    errors: ['conflict'],
  },
} as const satisfies Operations;
