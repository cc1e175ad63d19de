import type { Crowds, Pair } from './pairs.js';
import { isBetter, outranks } from './rank.js';

type Side = 'previous' | 'next';

/**
 * Goes through the pairs that are the best beyond doubt of both their entries, until there is none; each takes its entries out,
 * so that what they stood in the way of can be judged. Which comes first makes no difference: a pair that is the best stays so.
 */
export class Resolver {
  private readonly byEntry = { previous: new Map<number, Pair[]>(), next: new Map<number, Pair[]>() };
  private readonly settled = { previous: new Set<number>(), next: new Set<number>() };
  private readonly crowds: Crowds;

  constructor(pairs: readonly Pair[], crowds: Crowds) {
    this.crowds = crowds;
    for (const pair of pairs) {
      add(this.byEntry.previous, pair.previous, pair);
      add(this.byEntry.next, pair.next, pair);
    }
  }

  run(settle: (pair: Pair) => void): void {
    const waiting = [...this.byEntry.previous.keys()];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      const pair = this.settled.previous.has(index) ? null : this.bestOf('previous', index);
      if (pair === null || this.bestOf('next', pair.next) !== pair) continue;
      this.settled.previous.add(pair.previous);
      this.settled.next.add(pair.next);
      settle(pair);
      waiting.push(...this.freedBy(pair));
    }
  }

  /** The pair of an entry that is better than every other one that is open, or null. */
  private bestOf(side: Side, index: number): Pair | null {
    let best: Pair | null = null;
    const open = (this.byEntry[side].get(index) ?? []).filter((pair) => this.isOpen(pair));
    for (const pair of open) {
      if (best === null || isBetter(pair, best)) best = pair;
    }
    const winner = best;
    if (winner === null || open.some((pair) => pair !== winner && !isBetter(winner, pair))) return null;
    const isHidden = this.crowds[side].get(index)?.some((evidence) => !outranks(winner.evidence, evidence)) ?? false;
    return isHidden ? null : winner;
  }

  /** Previous entries that may have a best pair now. */
  private freedBy({ previous, next }: Pair): number[] {
    const rivals = (this.byEntry.next.get(next) ?? []).map((pair) => pair.previous);
    const others = (this.byEntry.previous.get(previous) ?? []).flatMap(
      (pair) => this.byEntry.next.get(pair.next)?.map((one) => one.previous) ?? [],
    );
    return [...new Set([...rivals, ...others])].filter((index) => !this.settled.previous.has(index));
  }

  private isOpen({ previous, next }: Pair): boolean {
    return !(this.settled.previous.has(previous) || this.settled.next.has(next));
  }
}

function add(entries: Map<number, Pair[]>, index: number, pair: Pair): void {
  const pairs = entries.get(index);
  if (pairs === undefined) entries.set(index, [pair]);
  else pairs.push(pair);
}
