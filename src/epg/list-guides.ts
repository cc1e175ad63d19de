import type { GuideHouse } from '../store/guide-house.js';

/** Takes over which guides the lists in service name. Resolves with whether guide sources came or went. */
export async function nameListGuides(
  house: Pick<GuideHouse, 'guideUrls' | 'nameByList'>,
  fromLists: boolean,
): Promise<boolean> {
  let changed = false;
  for (const { source, urls } of house.guideUrls()) {
    if (await house.nameByList(source, fromLists ? urls : [])) changed = true;
  }
  return changed;
}
