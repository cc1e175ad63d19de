import { countryOfId, onlyCountry } from '../../model/country.js';
import { guideKey } from '../../model/guide.js';
import type { MatchChannel } from '../../model/guide-match.js';
import { countryOfGroup } from '../../model/title.js';
import { type Name, readNames } from './name.js';

/** A channel with its names taken apart. */
export type Wanted = {
  readonly names: readonly Name[];
  /** Its tvg-id as ids are compared; null where it means none. */
  readonly key: string | null;
  readonly country: string | null;
  readonly radio: boolean;
};

export function readWanted({ name, saidNames, tvgId, groups, radio }: MatchChannel): Wanted {
  const names = [...new Set([name, ...saidNames])].flatMap(readNames);
  const whole = guideKey(tvgId);
  const said =
    onlyCountry(names.map(({ country }) => country)) ?? countryOfId(whole) ?? onlyCountry(groups.map(countryOfGroup));
  return {
    names,
    key: whole,
    country: said,
    radio: radio || names.some((one) => one.radio),
  };
}

/** How many channels with different names may have one guide id before it is taken for a mistake of the list. */
const mostSharing = 3;

/** Finds ids that stand at channels of too many different names, such as one that a list gives to all. */
export class SharedKeys {
  readonly #names = new Map<string, Set<string>>();

  add({ key, names }: Wanted): void {
    if (key === null) return;
    const known = this.#names.get(key) ?? new Set();
    if (known.size <= mostSharing) known.add(names[0]?.bare ?? '');
    this.#names.set(key, known);
  }

  keys(): Set<string> {
    return new Set([...this.#names].filter(([, different]) => different.size > mostSharing).map(([key]) => key));
  }
}
