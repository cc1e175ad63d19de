import type { Programme } from '../../model/programme.js';

/** Epoch seconds, half open. */
export type Span = { readonly start: number; readonly stop: number };

/** The place of a programme in a timeline. What is said of it is not looked at before it has to be: stores read it then. */
export type Slot = Span & { readonly said: Programme };
export type OpenSlot = { readonly start: number; readonly stop: number | null; readonly said: Programme };

/** Of two, the one of which more is said; the first of those of which as much is. */
export function richer(one: Programme, other: Programme): Programme {
  return JSON.stringify(other.content).length > JSON.stringify(one.content).length ? other : one;
}
