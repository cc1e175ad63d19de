import type { ChannelOverride } from './channel.js';
import type { Ruled, Said } from './rules.js';

/** The values of a channel that are published. */
export type Effective = Pick<ChannelOverride, 'guideShift' | 'order' | 'hints' | 'number' | 'logo' | 'tvgId'> & {
  readonly name: string;
  readonly groups: readonly string[];
  readonly hidden: boolean;
  readonly radio: boolean;
};

/**
 * What the user set, else what the rules make of it, else what the provider said. `ruleNumber` is the one that a numbering
 * rule gave once, or null. A number, logo or guide id set to the empty text is none; an empty name follows the provider.
 */
export function effective(
  said: Said,
  ruled: Ruled,
  ruleNumber: string | null,
  override: ChannelOverride | null,
): Effective {
  return {
    name: override?.name || ruled.name,
    number: chosen(override?.number, ruleNumber ?? ruled.number),
    groups: override?.groups ?? ruled.groups,
    logo: chosen(override?.logo, said.logo),
    tvgId: chosen(override?.tvgId, said.tvgId),
    guideShift: override?.guideShift ?? null,
    hidden: override?.hidden ?? ruled.hidden,
    order: override?.order ?? null,
    radio: said.radio,
    hints: override?.hints ?? null,
  };
}

function chosen(set: string | null | undefined, followed: string | null): string | null {
  return set === '' ? null : (set ?? followed);
}
