import { killAgainAndAgain } from '../../test/support/kills.js';
import { onOwnGround, say } from './ground.js';

export type KillsOptions = { readonly count: number; readonly seed: number };

/** Kills weir at random moments of refreshes and edits of more than 10,000 channels: nothing may be half done afterwards. */
export async function kills(options: KillsOptions): Promise<void> {
  await onOwnGround(async (owner) => {
    const { killed, faults } = await killAgainAndAgain(owner, { ...options, say });
    say(`${killed.kills} kills, ${killed.starts} of them while weir started, met`);
    say(
      `${killed.refreshes} lists being staged, ${killed.rules} rules and ${killed.bigEdits} big edits being carried out.`,
    );
    say(`${faults.length} faults`);
    return faults.length === 0 ? 'passed' : 'failed';
  });
}
