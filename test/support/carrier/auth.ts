import { createHash, randomBytes } from 'node:crypto';
import type { State } from './state.js';

/** Asks for a password, and checks what comes (RFC 7616, RFC 7617). */
export class Gate {
  readonly #state: State;
  #nonce = randomBytes(8).toString('hex');
  /** Those that hold. One who counts uses gives each who asks one of its own. */
  readonly #held = new Set([this.#nonce]);
  /** Those that held before. */
  readonly #before = new Set<string>();
  /** Nonce and count of each request that came with one. */
  readonly #counts = new Set<string>();

  constructor(state: State) {
    this.#state = state;
  }

  /** From now on another nonce holds. */
  renew(): void {
    for (const nonce of this.#held) this.#before.add(nonce);
    this.#held.clear();
    this.#another();
  }

  #another(): void {
    this.#nonce = randomBytes(8).toString('hex');
    this.#held.add(this.#nonce);
  }

  /** Null when a request may pass, else the headers that it is refused with. */
  refusal(method: string, url: string, authorization: string | undefined): string[] | null {
    if (this.#state.has('q22') || !this.#state.has('q23', 'q24', 'q25')) {
      const { user, password } = this.#state;
      const right = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      return authorization === right ? null : ['WWW-Authenticate: Basic realm="carrier"'];
    }
    const given = fieldsOf(authorization ?? '');
    const { nonce } = given;
    // A goodbye was written when the session began.
    const farewell = method === 'TEARDOWN' && this.#before.has(nonce ?? '');
    const stale = nonce !== undefined && !this.#held.has(nonce) && !farewell;
    if (!stale && this.#isRight(method, url, given)) return null;
    return this.#challenges(stale);
  }

  #challenges(stale: boolean): string[] {
    if (this.#state.has('q24')) this.#another();
    const common = `realm="carrier", nonce="${this.#nonce}"${stale ? ', stale=true' : ''}`;
    const plain = `WWW-Authenticate: Digest ${common}`;
    if (!this.#state.has('q24')) return [plain];
    return [plain, `WWW-Authenticate: Digest ${common}, algorithm=SHA-256, qop="auth", opaque="0paque"`];
  }

  #isRight(method: string, url: string, given: Record<string, string>): boolean {
    const { user, password } = this.#state;
    const counted = this.#state.has('q24');
    const hash = (text: string) =>
      createHash(counted ? 'sha256' : 'md5')
        .update(text)
        .digest('hex');
    const own = hash(`${user}:carrier:${password}`);
    const what = hash(`${method}:${url}`);
    const { uri, username, realm, nonce, nc, cnonce, algorithm, opaque, response } = given;
    if (uri !== url || username !== user || realm !== 'carrier') return false;
    if (!counted) return response === hash(`${own}:${nonce}:${what}`);
    const use = `${nonce} ${nc}`;
    if (algorithm !== 'SHA-256' || opaque !== '0paque' || this.#counts.has(use)) return false;
    if (response !== hash(`${own}:${nonce}:${nc}:${cnonce}:auth:${what}`)) return false;
    this.#counts.add(use);
    return true;
  }
}

function fieldsOf(authorization: string): Record<string, string> {
  if (!/^Digest /i.test(authorization)) return {};
  const fields: Record<string, string> = {};
  for (const [, name = '', quoted, bare = ''] of authorization.slice(7).matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g)) {
    fields[name.toLowerCase()] = quoted ?? bare;
  }
  return fields;
}
