import type { Listing } from '../store/listing.js';
import type { Find, SuggestionFinds } from '../store/suggestion-finds.js';
import { suggest } from './suggest.js';

type Parts = { readonly listing: Listing; readonly finds: SuggestionFinds };

/** Pairs that are suggested at one time; more would not be looked at. */
const limit = 1000;

/** Two entries: the one that was at an address, and the one that is there now. */
export type Suspect = { readonly was: number; readonly is: number; readonly reason: string };

/** Looks for channels that may be one, after a list entered service. */
export async function suggestAfter({ listing, finds }: Parts, suspects: readonly Suspect[]): Promise<void> {
  const owners = finds.channelsOf(suspects.flatMap(({ was, is }) => [was, is]));
  const found = suspects.flatMap(({ reason }, index): Find[] => {
    const [channel, other] = [owners[2 * index] ?? null, owners[2 * index + 1] ?? null];
    return channel === null || other === null || channel === other ? [] : [{ kind: 'suspect', channel, other, reason }];
  });
  await finds.add(found);
  const { pairs } = suggest(listing.names(), { sources: listing.sources(), limit });
  await finds.replace(pairs);
}
