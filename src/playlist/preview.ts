import { setImmediate as nextTurn } from 'node:timers/promises';
import { WeirError } from '../lib/errors.js';
import { effective } from '../model/effective.js';
import type { NewRule, RulePreview } from '../model/rule.js';
import { ruleProblem } from '../model/rule-problem.js';
import { compileRules, type Ruled, type Said } from '../model/rules.js';
import type { Store } from '../store/open.js';

/** How many of the channels that would change are shown. */
const shown = 100;

/**
 * What a rule would do, run after the rules that stand before it: which channels it takes and what it makes of them. Edits
 * of users stay over it, so a channel whose name is set does not change its name.
 * @throws WeirError `invalid` when the rule is none.
 */
export async function previewRule(store: Store, rule: NewRule): Promise<RulePreview> {
  const others = await store.snapshots.rules();
  const problem = ruleProblem(rule);
  if (problem !== null) throw new WeirError('invalid', problem);
  const own = { ...rule, enabled: true, id: Number.MAX_SAFE_INTEGER, reason: null, version: 1 };
  const sets = [compileRules(others), compileRules([...others, own]), compileRules([own])];
  const items: RulePreview['items'][number][] = [];
  let [matching, changing] = [0, 0];
  for await (const page of store.listing.pages()) {
    const saids = page.map(({ said }) => said);
    const [without = [], withIt = [], alone = []] = sets.map((set) => set.applyAll(page[0]?.source ?? 0, saids));
    for (const [index, { channel, said, ruleNumber, override }] of page.entries()) {
      const show = (ruled: Ruled | undefined) =>
        ruled === undefined ? {} : effective(said, ruled, ruleNumber, override);
      matching += Number(touches(alone[index], said));
      const fields = differences(show(without[index]), show(withIt[index]));
      if (Object.keys(fields).length === 0) continue;
      changing += 1;
      if (items.length < shown) items.push({ channel, name: said.name, fields });
    }
    await nextTurn();
  }
  const [reason] = sets
    .flatMap((set) => set.switchedOff)
    .filter(({ rule }) => rule === own.id)
    .map((off) => off.reason);
  if (reason !== undefined) throw new WeirError('invalid', reason);
  return { matching, changing, items };
}

/** Whether a rule alone makes anything of what a provider says. */
function touches(ruled: Ruled | undefined, said: Said): boolean {
  if (ruled === undefined) return false;
  return (
    ruled.hidden || ruled.numbering !== null || ruled.name !== said.name || String(ruled.groups) !== String(said.groups)
  );
}

function differences(before: object, after: object): Record<string, readonly [unknown, unknown]> {
  const values = new Map(Object.entries(after));
  const pairs = Object.entries(before).map(([field, value]) => [field, [value, values.get(field)]] as const);
  return Object.fromEntries(pairs.filter(([, [was, is]]) => JSON.stringify(was) !== JSON.stringify(is)));
}
