import { seeded } from './random.js';

/** What a bad network and odd senders do to datagrams; every share is 0…1. */
export type Impairment = {
  readonly loss?: number;
  /** Share of datagrams that come up to `within` places late. */
  readonly disorder?: number;
  readonly within?: number;
  readonly duplicates?: number;
  /** Shares of datagrams whose RTP header has contributing sources, an extension, padding at the end. */
  readonly csrc?: number;
  readonly extension?: number;
  readonly padding?: number;
  /** Share of datagrams with fewer than seven TS packets. */
  readonly short?: number;
  /** Datagrams that are no media, for each that is; `strayBytes` long. */
  readonly stray?: number;
  readonly strayBytes?: number;
};

/** Decides datagram by datagram, the same for the same seed. */
export class Impairer {
  readonly #what: Impairment;
  readonly #random: () => number;
  /** Datagrams held back, by the place at which they go out. */
  readonly #held: { due: number; datagram: Buffer }[] = [];
  #place = 0;

  constructor(what: Impairment, seed: number) {
    this.#what = what;
    this.#random = seeded(seed);
  }

  /** True in `share` of the cases. */
  chance(share: number | undefined): boolean {
    return share !== undefined && share > 0 && this.#random() < share;
  }

  /** A whole number from 1 to `most`. */
  upTo(most: number): number {
    return 1 + Math.floor(this.#random() * most);
  }

  /** Whether the next datagram is lost on the way. */
  loses(): boolean {
    return this.chance(this.#what.loss);
  }

  /** How many TS packets the next datagram holds. */
  packets(): number {
    return this.chance(this.#what.short) ? this.upTo(6) : 7;
  }

  /** Takes the next datagram and returns those that go out now: disorder, duplicates and strays are made here. */
  pass(datagram: Buffer | null): Buffer[] {
    this.#place += 1;
    if (datagram !== null) {
      const late = this.chance(this.#what.disorder) ? this.upTo(this.#what.within ?? 16) : 0;
      this.#held.push({ due: this.#place + late, datagram });
      if (this.chance(this.#what.duplicates)) this.#held.push({ due: this.#place + late + this.upTo(8), datagram });
    }
    if (this.chance(this.#what.stray)) this.#held.push({ due: this.#place, datagram: this.#stray() });
    return this.#release(this.#place);
  }

  /** Everything that is still held back. */
  flush(): Buffer[] {
    return this.#release(Number.POSITIVE_INFINITY);
  }

  /** An RTP packet (RFC 3550 §5.1) around a payload, with what the impairment adds to its header. */
  rtp(payload: Buffer, sequence: number, ssrc: number, timestamp: number): Buffer {
    const csrc = this.chance(this.#what.csrc) ? this.upTo(3) : 0;
    const extension = this.chance(this.#what.extension) ? this.upTo(4) : 0;
    const padding = this.chance(this.#what.padding) ? 4 * this.upTo(4) : 0;
    const header = Buffer.alloc(12 + 4 * csrc + (extension > 0 ? 4 + 4 * extension : 0), 0x47);
    header[0] = 0x80 | (padding > 0 ? 0x20 : 0) | (extension > 0 ? 0x10 : 0) | csrc;
    header[1] = 33;
    header.writeUInt16BE(sequence & 0xffff, 2);
    header.writeUInt32BE(timestamp >>> 0, 4);
    header.writeUInt32BE(ssrc >>> 0, 8);
    if (extension > 0) header.writeUInt32BE(0xbede0000 + extension, 12 + 4 * csrc);
    const tail = Buffer.alloc(padding);
    if (padding > 0) tail[padding - 1] = padding;
    return Buffer.concat([header, payload, tail]);
  }

  #release(place: number): Buffer[] {
    const due = this.#held.filter((entry) => entry.due <= place).sort((one, other) => one.due - other.due);
    if (due.length > 0) this.#held.splice(0, this.#held.length, ...this.#held.filter((entry) => entry.due > place));
    return due.map((entry) => entry.datagram);
  }

  #stray(): Buffer {
    const bytes = Buffer.alloc(this.#what.strayBytes ?? 84);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(this.#random() * 256);
    return bytes;
  }
}
