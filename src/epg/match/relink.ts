import { readNames } from './name.js';
import type { GuideIndex } from './targets.js';

/** A link whose guide channel is gone, and the names that this had. */
export type LostLink = { readonly id: number; readonly guideKey: string; readonly names: readonly string[] };
export type Relinked = {
  readonly id: number;
  readonly guideId: string;
  /** That it has now. */
  readonly names: readonly string[];
  readonly reasons: readonly string[];
};

/**
 * Finds the channels of links again whose ids a guide has changed: the one channel that has the same names. One that several
 * may be, or that links of different ids want, stays lost.
 */
export function relink(links: readonly LostLink[], index: GuideIndex): Relinked[] {
  const found = links.flatMap((link) => {
    if (index.byKey.has(link.guideKey)) return [];
    const bares = new Set(
      link.names.flatMap((name) => readNames(name).map(({ bare }) => bare)).filter((bare) => bare !== ''),
    );
    const targets = new Set([...bares].flatMap((bare) => index.byBare.get(bare) ?? []));
    const [target] = targets;
    return target === undefined || targets.size > 1 ? [] : [{ link, target }];
  });
  const wanting = new Map<string, Set<string>>();
  for (const { link, target } of found) {
    const keys = wanting.get(target.key) ?? new Set();
    wanting.set(target.key, keys.add(link.guideKey));
  }
  return found
    .filter(({ target }) => wanting.get(target.key)?.size === 1)
    .map(({ link, target: { target } }) => ({
      id: link.id,
      guideId: target.guideId,
      names: target.names,
      reasons: [`The guide calls ${link.guideKey} ${target.guideId} now: the names are the same.`],
    }));
}
