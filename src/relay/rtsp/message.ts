/** A request or an answer of RTSP (RFC 2326 §4). */
export type RtspMessage = {
  /** Its first line, as it came. */
  readonly start: string;
  /** By name, in lower case; the values of one that came several times in their order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
};

export declare class MessageReader {
  /**
   * Takes what was read. Interleaved frames that come between messages are kept, whole, for the pump.
   * @throws RtspFault when it is no RTSP, or too long.
   */
  feed(bytes: Buffer): RtspMessage[];
  /** What stands behind the last message: frames, and what is no whole message yet. */
  rest(): Buffer;
}
