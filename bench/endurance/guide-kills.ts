import { killInImports } from '../../test/support/guide-kills.js';
import { onOwnGround, say } from './ground.js';
import type { KillsOptions } from './kills.js';

/** Kills weir at random moments of the import of a guide: the old or the new one is there afterwards, whole. */
export async function guideKills(options: KillsOptions): Promise<void> {
  await onOwnGround(async (owner) => {
    const { kills, fetching, staging } = await killInImports(owner, { ...options, say });
    say(`${kills} kills met ${fetching} guides being fetched and ${staging} being staged.`);
    return 'passed';
  });
}
