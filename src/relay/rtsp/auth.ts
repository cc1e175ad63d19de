/** What a server asks for (RFC 7616, RFC 7617). */
export type Challenge = {
  readonly scheme: 'basic' | 'digest';
  readonly realm: string;
  readonly nonce: string | null;
  readonly algorithm: 'MD5' | 'MD5-sess' | 'SHA-256' | 'SHA-256-sess';
  readonly qop: 'auth' | null;
  readonly opaque: string | null;
};

/** The account of an address, and how far its use has come. */
export type Credentials = {
  readonly user: string;
  readonly password: string;
  /** Null until a server has asked: then Basic is sent ahead. */
  readonly challenge: Challenge | null;
  /** Requests that used the nonce of the challenge so far. */
  readonly count: number;
};
