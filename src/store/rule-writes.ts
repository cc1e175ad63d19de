import type Database from 'better-sqlite3';
import { WeirError } from '../lib/errors.js';
import type { By } from '../model/edit.js';
import type { NewRule, Rule } from '../model/rule.js';
import { ruleProblem } from '../model/rule-problem.js';
import type { Connection } from './connection.js';
import { checkVersion } from './if-match.js';
import { type Journal, record } from './journal.js';
import { ruleOf } from './rule-row.js';

/** What users change of rules. Channels show it when the rules are applied. */
export const ruleWrites = {
  createRule({ raw }: Connection, { rule, by }: { readonly rule: NewRule; readonly by: By }) {
    const run = raw.transaction(() => {
      requireSound(rule);
      requireSource(raw, rule.source);
      let id = 0;
      const edited = record(raw, by.actor, `make a ${rule.action.kind} rule`, (journal) => {
        const add = raw.prepare(`INSERT INTO rule (kind, position, enabled, source, match, action)
          VALUES (:kind, :position, :enabled, :source, :match, :action)`);
        id = Number(add.run(columnsOf(rule)).lastInsertRowid);
        journal.made('rule', [id]);
      });
      return { ...edited, made: requireRule(raw, id) };
    });
    return run.immediate();
  },

  updateRule({ raw }: Connection, input: { readonly id: number; readonly patch: Partial<NewRule>; readonly by: By }) {
    const { id, patch, by } = input;
    const run = raw.transaction(() => {
      const rule = { ...requireRule(raw, id, by), ...patch };
      requireSound(rule);
      requireSource(raw, rule.source);
      const edited = record(raw, by.actor, `change rule ${id}`, (journal) => {
        journal.touch('rule', [[id]]);
        const set =
          raw.prepare(`UPDATE rule SET kind = :kind, position = :position, enabled = :enabled, source = :source,
          match = :match, action = :action, reason = NULL WHERE id = :id`);
        set.run({ ...columnsOf(rule), id });
      });
      return { ...edited, made: requireRule(raw, id) };
    });
    return run.immediate();
  },

  /** Of a rule that cannot be gone on with; nobody's edit. */
  switchRuleOff({ raw }: Connection, { id, reason }: { readonly id: number; readonly reason: string }): void {
    raw.prepare('UPDATE rule SET enabled = 0, reason = ?, version = version + 1 WHERE id = ?').run(reason, id);
  },

  removeRule({ raw }: Connection, { id, by }: { readonly id: number; readonly by: By }) {
    const run = raw.transaction(() => {
      requireRule(raw, id, by);
      return record(raw, by.actor, `remove rule ${id}`, (journal: Journal) => {
        journal.touch('rule', [[id]]);
        raw.prepare('DELETE FROM rule WHERE id = ?').run(id);
      });
    });
    return run.immediate();
  },
};

function requireSound(rule: NewRule): void {
  const problem = ruleProblem(rule);
  if (problem !== null) throw new WeirError('invalid', problem);
}

function columnsOf({ position, enabled, source, match, action }: NewRule) {
  const json = { match: JSON.stringify(match), action: JSON.stringify(action) };
  return { kind: action.kind, position, enabled: Number(enabled), source, ...json };
}

function requireRule(raw: Database.Database, id: number, by?: By): Rule {
  const row = raw.prepare('SELECT * FROM rule WHERE id = ?').get(id) as Parameters<typeof ruleOf>[0] | undefined;
  if (row === undefined) throw new WeirError('not-found', `There is no rule ${id}.`);
  checkVersion(row.version, by?.ifMatch, `Rule ${id}`);
  return ruleOf(row);
}

function requireSource(raw: Database.Database, source: number | null): void {
  if (source === null || raw.prepare('SELECT 1 FROM source WHERE id = ?').get(source) !== undefined) return;
  throw new WeirError('invalid', `The rule is for source ${source}, which does not exist.`);
}
