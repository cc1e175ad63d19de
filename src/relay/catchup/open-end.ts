import { momentOf, type Token } from './token.js';

/** Behind the digits of an instant, where a provider wants to be told that they are UTC. */
const suffix = '(?:GMT|UTC|Z)?';
const dash = new RegExp(`^${suffix}-$`, 'i');
const inside = /^[^&#/?-]*$/;
const behind = new RegExp(`^${suffix}(?=[&#]|$)`, 'i');

/** What is left out of a template while its end is open. */
export type OpenEnd = {
  /** The first token behind it. */
  readonly next: number;
  /** Characters at the beginning of that token which go too. */
  readonly skipped: number;
};

/**
 * Whether the end at `index` is the second half of `begin-end`, which providers understand with nothing behind its hyphen. Null when it is
 * not, and something must be written.
 */
export function openEndAt(tokens: readonly Token[], index: number): OpenEnd | null {
  const between = tokens[index - 1];
  if (momentOf(tokens[index]) !== 'end' || momentOf(tokens[index - 2]) !== 'start') return null;
  if (between?.kind !== 'text' || !dash.test(between.text) || !isValue(tokens, index)) return null;
  const next = pastEnd(tokens, index);
  const token = tokens[next];
  if (token === undefined) return { next, skipped: 0 };
  const rest = token.kind === 'text' ? behind.exec(token.text) : null;
  return rest === null ? null : { next, skipped: rest[0].length };
}

/** In a path there is nobody who understands half of it. */
function isValue(tokens: readonly Token[], index: number): boolean {
  return tokens.slice(0, index).some((token) => token.kind === 'text' && token.text.includes('='));
}

/** Also where it is written in several placeholders: `{utcend:Ymd}T{utcend:HMS}`. */
function pastEnd(tokens: readonly Token[], index: number): number {
  let next = index + 1;
  for (;;) {
    const token = tokens[next];
    if (momentOf(token) === 'end') next += 1;
    else if (token?.kind === 'text' && inside.test(token.text) && momentOf(tokens[next + 1]) === 'end') next += 2;
    else return next;
  }
}

/** Whether there are ends that something must be written for: a length is one. */
export function needsEnd(tokens: readonly Token[]): boolean {
  for (let index = 0; index < tokens.length; index += 1) {
    if (tokens[index]?.kind === 'duration') return true;
    if (momentOf(tokens[index]) !== 'end') continue;
    const open = openEndAt(tokens, index);
    if (open === null) return true;
    index = open.next - 1;
  }
  return false;
}
