import type { GuideChannel, GuideProblem } from '../../model/guide.js';
import type { ParseOptions } from './elements.js';

/** Tells of a problem; the offset is that of the element. */
export type TellProblem = (code: GuideProblem['code'], message: string) => void;

/** Reads a `<channel>` element; null, and told, when it has no id or cannot be read. Never throws. */
export function parseChannel(bytes: Uint8Array, options: ParseOptions, tell: TellProblem): GuideChannel | null {
  tell('unreadable', `Not yet: ${bytes.length} ${options.declared}`);
  return null;
}
