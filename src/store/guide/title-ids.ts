/** Bits of a hash: a safe integer has 53. */
const lowBits = 20;

/**
 * The number of a title: the same for the same text always, so that nothing is looked up. 52 bits, evenly spread: of a million
 * titles two have the same in one guide of ten thousand, and a search finds the programmes of both by each.
 */
export function titleId(title: string): number {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15;
  for (let index = 0; index < title.length; index += 1) {
    const unit = title.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    low = Math.imul(low ^ unit, 0xc2b2ae35);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = mixed(high ^ Math.imul(low, 0x27d4eb2f));
  low = mixed(low ^ Math.imul(high, 0x165667b1));
  return high * 2 ** lowBits + (low >>> (32 - lowBits));
}

/** Every bit of the answer depends on all of `bits`. */
function mixed(bits: number): number {
  const first = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  const second = Math.imul(first ^ (first >>> 15), 0x846ca68b);
  return (second ^ (second >>> 16)) >>> 0;
}
