import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);

/** A body as it is kept: what came compressed stays as it is, anything else is gzip at its quickest, beside this thread. */
export async function packed(body: Uint8Array): Promise<Uint8Array> {
  return isCompressed(body) ? body : await compress(body, { level: 1 });
}

/** gzip (RFC 1952 §2.3.1), xz, zip by their first bytes. */
function isCompressed([first, second, third]: Uint8Array): boolean {
  return (
    (first === 0x1f && second === 0x8b) ||
    (first === 0xfd && second === 0x37 && third === 0x7a) ||
    (first === 0x50 && second === 0x4b)
  );
}
