import type { Selectable } from 'kysely';
import type { Rule, RuleAction, RuleMatch } from '../model/rule.js';
import type { Tables } from './tables.js';

export function ruleOf(row: Selectable<Tables['rule']>): Rule {
  const { id, position, enabled, source, reason, version } = row;
  const match = JSON.parse(row.match) as RuleMatch;
  const action = JSON.parse(row.action) as RuleAction;
  return { id, position, enabled: enabled === 1, source, match, action, reason, version };
}
