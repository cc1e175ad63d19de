/** MPEG-TS (ISO/IEC 13818-1) made so that every packet that arrives can be told: which one it is, whose, and how old. */
export const packetSize = 188;
export const pids = { pat: 0, pmt: 0x1000, media: 0x100, null: 0x1fff } as const;

/** Where a media packet holds what identifies it. */
export const place = { magic: 152, tag: 156, number: 160, sentAt: 164, end: 172 } as const;
export const magic = 0x57454952;

type MakerOptions = {
  /** Tells one source's packets from another's. */
  readonly tag: number;
  /** Number of the first media packet. */
  readonly first: number;
  /** Media packets between two PAT and PMT; none at all when 0. */
  readonly tablesEvery: number;
  /** Media packets between two random-access points. */
  readonly pictureEvery: number;
};

/** An endless TS of one programme: tables, and media packets that are numbered and carry the time they were made. */
export class TsMaker {
  readonly #options: MakerOptions;
  readonly #counters = new Map<number, number>();
  /** PIDs of the tables that come before the next media packet. */
  readonly #tables: number[] = [];
  /** Number of the media packet in front of which the tables were sent last. */
  #tabled = -1;
  #number: number;

  constructor(options: MakerOptions) {
    this.#options = options;
    this.#number = options.first;
  }

  /** Number of the next media packet. */
  get number(): number {
    return this.#number;
  }

  /** The next packet, its 188 bytes owned by the caller. */
  next(): Buffer {
    const table = this.#tables.shift();
    if (table !== undefined) return this.#table(table);
    const { first, tablesEvery, pictureEvery } = this.#options;
    const since = this.#number - first;
    if (tablesEvery > 0 && since % tablesEvery === 0 && this.#tabled !== this.#number) {
      this.#tabled = this.#number;
      this.#tables.push(pids.pmt);
      return this.#table(pids.pat);
    }
    return this.#media(since % pictureEvery === 0);
  }

  #table(pid: number): Buffer {
    const packet = Buffer.alloc(packetSize, 0xff);
    this.#header(packet, pid, true, 0x10);
    packet[4] = 0;
    (pid === pids.pat ? patSection : pmtSection).copy(packet, 5);
    return packet;
  }

  #media(picture: boolean): Buffer {
    const number = this.#number++;
    const packet = Buffer.alloc(packetSize, number & 0xff);
    this.#header(packet, pids.media, picture, picture ? 0x30 : 0x10);
    if (picture) writePictureStart(packet, performanceTime());
    packet.writeUInt32BE(magic, place.magic);
    packet.writeUInt32BE(this.#options.tag, place.tag);
    packet.writeUInt32BE(number, place.number);
    packet.writeDoubleBE(performanceTime(), place.sentAt);
    return packet;
  }

  #header(packet: Buffer, pid: number, start: boolean, control: number): void {
    const counter = this.#counters.get(pid) ?? 0;
    this.#counters.set(pid, (counter + 1) & 15);
    packet[0] = 0x47;
    packet[1] = (start ? 0x40 : 0) | (pid >> 8);
    packet[2] = pid & 0xff;
    packet[3] = control | counter;
  }
}

/** A packet of PID 0x1fff, to be thrown away by whoever receives it (§2.4.3.3). */
export function nullPacket(): Buffer {
  const packet = Buffer.alloc(packetSize, 0xff);
  packet.writeUInt32BE(0x471fff10, 0);
  return packet;
}

/** Milliseconds on a clock that all processes of one machine share. */
export function performanceTime(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Adaptation field with random_access_indicator and PCR, then a PES header and an H.264 access unit's start. */
function writePictureStart(packet: Buffer, milliseconds: number): void {
  const clock = Math.floor(milliseconds * 90) % 2 ** 32;
  packet[4] = 7;
  packet[5] = 0x50;
  packet.writeUInt32BE(Math.floor(clock / 2), 6);
  packet.writeUInt16BE(((clock & 1) << 15) | 0x7e00, 10);
  Buffer.from('000001e0000080000000000001091000000001658880', 'hex').copy(packet, 12);
}

/** CRC-32 as sections use it (annex A): polynomial 0x04C11DB7, no reflection. */
export function sectionCrc(bytes: Buffer): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

function withCrc(hex: string): Buffer {
  const body = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(sectionCrc(body));
  return Buffer.concat([body, crc]);
}

/** Programme 1 with its map on PID 0x1000. */
const patSection = withCrc('00 b00d 0001 c1 00 00 0001 f000');
/** One H.264 stream on PID 0x100, which carries the PCR. */
const pmtSection = withCrc('02 b012 0001 c1 00 00 e100 f000 1b e100 f000');
