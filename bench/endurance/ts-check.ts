const packetSize = 188;
/** Of the first video component, as ffmpeg numbers it. */
const videoPid = 0x100;

/** Checks a body of MPEG-TS of any programme from its first byte on: sync bytes, and continuity of every PID (ISO/IEC 13818-1 §2.4.3.3). */
export class TsCheck {
  packets = 0;
  syncErrors = 0;
  continuityErrors = 0;
  readonly #counters = new Map<number, number>();
  #rest: Buffer = Buffer.alloc(0);

  push(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (; at + packetSize <= data.length; at += packetSize) this.#packet(data.subarray(at, at + packetSize));
    this.#rest = data.subarray(at);
  }

  get errors(): number {
    return this.syncErrors + this.continuityErrors;
  }

  #packet(packet: Buffer): void {
    this.packets += 1;
    if (packet[0] !== 0x47) {
      this.syncErrors += 1;
      return;
    }
    const pid = pidOf(packet, 0);
    const control = packet[3] ?? 0;
    if (pid === 0x1fff || (control & 0x10) === 0) return;
    const last = this.#counters.get(pid);
    if (last !== undefined && (control & 15) !== ((last + 1) & 15)) this.continuityErrors += 1;
    this.#counters.set(pid, control & 15);
  }
}

/** Where the first picture of a body is. */
export type FirstPicture = {
  /** Bytes up to the second picture's first packet: enough to decode the first one. */
  readonly bytes: number;
  /** Up to the first one's last byte. */
  readonly end: number;
};

/** Finds it once the second picture has begun; null before. A picture is a PES packet, as ffmpeg makes them. */
export function firstPictureIn(body: Buffer): FirstPicture | null {
  let end = 0;
  let begun = 0;
  for (let at = 0; at + packetSize <= body.length; at += packetSize) {
    if (pidOf(body, at) !== videoPid) continue;
    if (((body[at + 1] ?? 0) & 0x40) !== 0) begun += 1;
    if (begun === 2) return { bytes: at, end };
    end = at + packetSize;
  }
  return null;
}

function pidOf(bytes: Buffer, at: number): number {
  return bytes.readUInt16BE(at + 1) & 0x1fff;
}
