/** Of RTP as a carrier sends it: payload type 33, a clock of 90 kHz (RFC 3550 §5.1, RFC 2250). */
export class RtpMaker {
  readonly ssrc: number;
  #sequence = 0;
  #packets = 0;
  #bytes = 0;

  constructor(ssrc: number) {
    this.ssrc = ssrc;
  }

  wrap(payload: Buffer, time: number): Buffer {
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0x8021, 0);
    head.writeUInt16BE(this.#sequence, 2);
    head.writeUInt32BE(time % 2 ** 32, 4);
    head.writeUInt32BE(this.ssrc, 8);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#packets += 1;
    this.#bytes += payload.length;
    return Buffer.concat([head, payload]);
  }

  /** A sender report and a CNAME (§6.4.1, §6.5). */
  report(time: number): Buffer {
    const report = Buffer.alloc(28);
    report.writeUInt32BE(0x80c80006, 0);
    report.writeUInt32BE(this.ssrc, 4);
    report.writeUInt32BE(Math.floor(Date.now() / 1000) + 2_208_988_800, 8);
    report.writeUInt32BE(time % 2 ** 32, 16);
    report.writeUInt32BE(this.#packets, 20);
    report.writeUInt32BE(this.#bytes, 24);
    return Buffer.concat([report, this.#name()]);
  }

  /** The same with the word that it was the last (§6.6). */
  bye(time: number): Buffer {
    const bye = Buffer.alloc(8);
    bye.writeUInt32BE(0x81cb0001, 0);
    bye.writeUInt32BE(this.ssrc, 4);
    return Buffer.concat([this.report(time), bye]);
  }

  #name(): Buffer {
    const name = Buffer.alloc(20);
    name.writeUInt32BE(0x81ca0004, 0);
    name.writeUInt32BE(this.ssrc, 4);
    name[8] = 1;
    name[9] = 7;
    name.write('carrier', 10, 'latin1');
    return name;
  }
}
