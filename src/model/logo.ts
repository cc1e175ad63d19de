/** A picture of a channel, ready to be served. */
export type Logo = {
  /** Of its own bytes, whatever its server said. */
  readonly mime: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** @throws WeirError `unavailable` when it was taken out of the cache in between. */
  read(): Promise<Uint8Array>;
};
