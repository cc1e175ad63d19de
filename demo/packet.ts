/** Fields of MPEG-TS packets (ISO/IEC 13818-1 §2.4.3), read and written in place. Clocks are in ticks of 27 MHz. */
export const packetSize = 188;
const ticksPerBase = 300;
/** PCR base, PTS and DTS have 33 bits of 90 kHz. */
const baseLimit = 2 ** 33;

export function pidOf(packet: Uint8Array): number {
  return ((at(packet, 1) & 0x1f) << 8) | at(packet, 2);
}

export function hasPayload(packet: Uint8Array): boolean {
  return (at(packet, 3) & 0x10) !== 0;
}

export function setContinuity(packet: Uint8Array, counter: number): void {
  packet[3] = (at(packet, 3) & 0xf0) | (counter & 15);
}

/** The programme clock reference that the packet carries, or null. */
export function pcrOf(packet: Uint8Array): number | null {
  const hasAdaptation = (at(packet, 3) & 0x20) !== 0 && at(packet, 4) >= 7;
  if (!hasAdaptation || (at(packet, 5) & 0x10) === 0) return null;
  const base =
    at(packet, 6) * 2 ** 25 +
    at(packet, 7) * 2 ** 17 +
    at(packet, 8) * 2 ** 9 +
    at(packet, 9) * 2 +
    (at(packet, 10) >> 7);
  return base * ticksPerBase + ((at(packet, 10) & 1) << 8) + at(packet, 11);
}

export function shiftPcr(packet: Uint8Array, ticks: number): void {
  const pcr = pcrOf(packet);
  if (pcr === null) return;
  const shifted = (pcr + ticks) % (baseLimit * ticksPerBase);
  const base = Math.floor(shifted / ticksPerBase);
  const extension = shifted % ticksPerBase;
  for (const [index, scale] of [25, 17, 9, 1].entries()) packet[6 + index] = Math.floor(base / 2 ** scale) % 256;
  packet[10] = ((base % 2) << 7) | 0x7e | (extension >> 8);
  packet[11] = extension & 0xff;
}

/** Presentation and decoding time of the PES packet that begins here; decoding time is presentation time where it is not given. */
export type PesTimes = { readonly pts: number; readonly dts: number };

/** The times of the PES packet (§2.4.3.6) that begins in this packet, or null. */
export function timesOf(packet: Uint8Array): PesTimes | null {
  const fields = timeFields(packet);
  const [first, second] = fields.map((offset) => readTime(packet, offset));
  return first === undefined ? null : { pts: first, dts: second ?? first };
}

export function shiftTimes(packet: Uint8Array, ticks: number): void {
  for (const offset of timeFields(packet)) writeTime(packet, offset, readTime(packet, offset) + ticks);
}

/** Where the packet holds PTS and DTS. */
function timeFields(packet: Uint8Array): number[] {
  if ((at(packet, 1) & 0x40) === 0 || !hasPayload(packet)) return [];
  const start = (at(packet, 3) & 0x20) === 0 ? 4 : 5 + at(packet, 4);
  if (start + 19 > packetSize) return [];
  const isPes = at(packet, start) === 0 && at(packet, start + 1) === 0 && at(packet, start + 2) === 1;
  if (!isPes || (at(packet, start + 6) & 0xc0) !== 0x80) return [];
  return [[], [], [start + 9], [start + 9, start + 14]][at(packet, start + 7) >> 6] ?? [];
}

function readTime(packet: Uint8Array, offset: number): number {
  const high = (at(packet, offset) >> 1) & 7;
  const middle = (at(packet, offset + 1) << 7) | (at(packet, offset + 2) >> 1);
  const low = (at(packet, offset + 3) << 7) | (at(packet, offset + 4) >> 1);
  return (high * 2 ** 30 + middle * 2 ** 15 + low) * ticksPerBase;
}

function writeTime(packet: Uint8Array, offset: number, ticks: number): void {
  const base = Math.round(ticks / ticksPerBase) % baseLimit;
  const [high, middle, low] = [Math.floor(base / 2 ** 30), Math.floor(base / 2 ** 15) % 2 ** 15, base % 2 ** 15];
  packet[offset] = (at(packet, offset) & 0xf0) | (high << 1) | 1;
  packet[offset + 1] = middle >> 7;
  packet[offset + 2] = ((middle << 1) & 0xff) | 1;
  packet[offset + 3] = low >> 7;
  packet[offset + 4] = ((low << 1) & 0xff) | 1;
}

function at(packet: Uint8Array, index: number): number {
  return packet[index] ?? 0;
}
