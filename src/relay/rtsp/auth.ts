import { createHash, randomBytes } from 'node:crypto';

/** What a server asks for (RFC 7616, RFC 7617). */
export type Challenge = {
  readonly scheme: 'basic' | 'digest';
  readonly realm: string;
  readonly nonce: string | null;
  readonly algorithm: 'MD5' | 'MD5-sess' | 'SHA-256' | 'SHA-256-sess';
  readonly qop: 'auth' | null;
  readonly opaque: string | null;
  /** Ours, for as long as the nonce holds: the -sess algorithms want the first one kept. */
  readonly cnonce: string;
  /** It only finds the nonce too old: the account was right. */
  readonly stale: boolean;
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

/** Weakest first. */
const algorithms = ['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'] as const;

/** The strongest of what the values of `WWW-Authenticate` offer and Weir knows; null when it knows none. */
export function strongest(values: readonly string[]): Challenge | null {
  const offered = values.flatMap(readChallenges).map(known);
  return offered.reduce((best, other) => (rank(other) > rank(best) ? other : best), null);
}

/**
 * What `Authorization` says in one request. Its use counts: see `spent`. `uri` is the address of the request line.
 */
export function authorization(credentials: Credentials, method: string, uri: string): string {
  const { user, password, challenge, count } = credentials;
  if (challenge === null || challenge.scheme === 'basic') {
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  }
  const { realm, nonce, algorithm, qop, opaque, cnonce } = challenge;
  const nc = (count + 1).toString(16).padStart(8, '0');
  const response = responseOf(challenge, { user, password, method, uri, nc });
  const isSession = algorithm.endsWith('-sess');
  const parts = [
    `username=${quoted(user)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce ?? '')}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    ...(algorithm === 'MD5' ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop === null ? [] : [`qop=${qop}`, `nc=${nc}`]),
    ...(qop === null && !isSession ? [] : [`cnonce="${cnonce}"`]),
  ];
  return `Digest ${parts.join(', ')}`;
}

/** The same account after so many more requests. */
export function spent(credentials: Credentials, requests = 1): Credentials {
  return { ...credentials, count: credentials.count + requests };
}

/**
 * The same account for what the values of `WWW-Authenticate` ask for: a nonce that is known already goes on counting. Null when they ask
 * for nothing that Weir knows, or for Basic, which was sent and would be refused again.
 */
export function challenged(before: Credentials, values: readonly string[]): Credentials | null {
  const { user, password } = before;
  const challenge = strongest(values);
  if (challenge === null) return null;
  if (challenge.scheme === 'digest') {
    const isKnown = before.challenge?.nonce === challenge.nonce;
    return { user, password, challenge, count: isKnown ? before.count : 0 };
  }
  return before.challenge?.scheme === 'digest' ? { user, password, challenge, count: 0 } : null;
}

type Asked = { user: string; password: string; method: string; uri: string; nc: string };

/** RFC 7616 §3.4.1; without qop RFC 2617 §3.2.2.1. */
function responseOf(challenge: Challenge, { user, password, method, uri, nc }: Asked): string {
  const { realm, algorithm, qop, cnonce } = challenge;
  const nonce = challenge.nonce ?? '';
  const hash = (text: string) =>
    createHash(algorithm.startsWith('MD5') ? 'md5' : 'sha256')
      .update(text)
      .digest('hex');
  const account = hash(`${user}:${realm}:${password}`);
  const secret = algorithm.endsWith('-sess') ? hash(`${account}:${nonce}:${cnonce}`) : account;
  const request = hash(`${method}:${uri}`);
  return hash(qop === null ? `${secret}:${nonce}:${request}` : `${secret}:${nonce}:${nc}:${cnonce}:${qop}:${request}`);
}

type Offered = { readonly scheme: string; readonly values: ReadonlyMap<string, string> };

/** One field may hold several challenges, with commas between them and inside them (RFC 9110 §11.6.1). */
function readChallenges(text: string): Offered[] {
  const found: { scheme: string; values: Map<string, string> }[] = [];
  for (const [, name = '', quotedValue, plain] of text.matchAll(
    /([A-Za-z][\w-]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/g,
  )) {
    const value = quotedValue?.replace(/\\(.)/g, '$1') ?? plain;
    if (value === undefined) found.push({ scheme: name.toLowerCase(), values: new Map() });
    else found.at(-1)?.values.set(name.toLowerCase(), value);
  }
  return found;
}

/** Null for what Weir does not know. */
function known({ scheme, values }: Offered): Challenge | null {
  const realm = values.get('realm') ?? '';
  const cnonce = randomBytes(8).toString('hex');
  const none = { nonce: null, algorithm: 'MD5', qop: null, opaque: null, cnonce, stale: false } as const;
  if (scheme === 'basic') return { scheme, realm, ...none };
  const wanted = (values.get('algorithm') ?? 'MD5').toLowerCase();
  const algorithm = algorithms.find((name) => name.toLowerCase() === wanted);
  const nonce = values.get('nonce');
  const qops = values
    .get('qop')
    ?.toLowerCase()
    .split(/[\s,]+/);
  const isAuth = qops === undefined || qops.includes('auth') || qops.join('') === '';
  if (scheme !== 'digest' || algorithm === undefined || nonce === undefined || !isAuth) return null;
  const qop = qops?.includes('auth') === true ? 'auth' : null;
  const stale = values.get('stale')?.toLowerCase() === 'true';
  return { scheme, realm, nonce, algorithm, qop, opaque: values.get('opaque') ?? null, cnonce, stale };
}

function rank(challenge: Challenge | null): number {
  if (challenge === null) return 0;
  return challenge.scheme === 'basic' ? 1 : 2 + algorithms.indexOf(challenge.algorithm);
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
