/** What a key may do; each includes the ones before it. */
export const scopes = ['read', 'edit', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** A key for the REST API. Its secret is shown once and stored hashed. */
export type ApiKey = {
  readonly id: number;
  readonly name: string;
  readonly scope: Scope;
  /** Epoch seconds. */
  readonly createdAt: number;
  /** Epoch seconds, or null while it is valid. */
  readonly revokedAt: number | null;
};

/** A viewer's token, part of the address that a player opens. Its secret is shown once and stored hashed. */
export type AccessToken = {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  readonly revokedAt: number | null;
};
