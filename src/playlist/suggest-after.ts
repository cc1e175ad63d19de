import type { Listing } from '../store/listing.js';
import type { Find, SuggestionFinds } from '../store/suggestion-finds.js';
import { suggest } from './suggest.js';

type Parts = { readonly listing: Listing; readonly finds: SuggestionFinds };

/** Pairs that are suggested at one time; more would not be looked at. */
const limit = 1000;

/**
 * Looks for channels that may be one, after a list entered service. `suspects` are pairs of entries: the one that was at an
 * address, and the one that is there now.
 */
export async function suggestAfter(
  { listing, finds }: Parts,
  suspects: readonly (readonly [was: number, is: number])[],
): Promise<void> {
  const owners = finds.channelsOf(suspects.flat());
  const reason =
    'The address is the same, name, group and guide id are others: perhaps the provider gave the place to another channel.';
  const found = suspects.flatMap((_, index): Find[] => {
    const [channel, other] = [owners[2 * index] ?? null, owners[2 * index + 1] ?? null];
    return channel === null || other === null || channel === other ? [] : [{ kind: 'suspect', channel, other, reason }];
  });
  await finds.add(found);
  const { pairs } = suggest(listing.names(), { sources: listing.sources(), limit });
  await finds.replace(pairs);
}
