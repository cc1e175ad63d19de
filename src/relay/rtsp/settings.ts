import type { ArchivePlan } from '../contract.js';
import type { DialogueOptions } from './dialogue.js';
import type { SessionArchive } from './note.js';

/** What holds of all sessions. */
export type RtspSettings = {
  /** What servers are told that we are. */
  readonly userAgent: string;
  readonly transport: DialogueOptions['transport'];
  readonly nat: DialogueOptions['nat'];
  /** The first and the last UDP port for media. */
  readonly ports: { readonly least: number; readonly most: number };
  /** Ports that Weir listens on: no server is asked there. */
  readonly ownPorts: readonly number[];
  /** Plans an archive again of which the pump knows and this process does not; null when that cannot be done. */
  readonly planAgain: (archive: SessionArchive) => Promise<Pick<ArchivePlan, 'from'> | null>;
};
