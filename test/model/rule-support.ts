import type { ChannelOverride } from '../../src/model/channel.js';
import type { Rule, RuleAction, RuleField } from '../../src/model/rule.js';
import type { Ruled, Said } from '../../src/model/rules.js';

export const nothingSet: ChannelOverride = {
  name: null,
  number: null,
  logo: null,
  groups: null,
  tvgId: null,
  guideShift: null,
  hidden: null,
  order: null,
  catchup: null,
  hints: null,
};

export function said(some: Partial<Said>): Said {
  return {
    name: 'A',
    number: null,
    groups: [],
    logo: null,
    tvgId: null,
    radio: false,
    url: 'udp://239.0.0.1:1234',
    ...some,
  };
}

export function ruled(some: Partial<Ruled>): Ruled {
  const { name = 'A', number = null, groups = [], hidden = false, numbering = null } = some;
  return { name, number, groups, hidden, numbering };
}

let ids = 0;

/** A rule on the name for all sources; each later one stands behind those before. */
export function rule(
  action: RuleAction,
  pattern = '',
  some: Partial<Omit<Rule, 'action' | 'match'>> & { readonly field?: RuleField } = {},
): Rule {
  const { field = 'name', ...rest } = some;
  ids += 1;
  return {
    id: ids,
    position: ids,
    enabled: true,
    source: null,
    reason: null,
    version: 1,
    match: { field, pattern },
    action,
    ...rest,
  };
}
