import type { Hash } from 'node:crypto';

type Payload = {
  readonly update: (chunk: Uint8Array) => void;
  /** In base64url. */
  readonly digest: () => string;
};

/** Bytes of a header without name and the like. */
const fixed = 10;
const hasExtra = 4;
const hasName = 8;
const hasComment = 16;
const hasCheck = 2;
/** Bytes that a header may have; what is longer is hashed with it. */
const longest = 64 * 1024;

/**
 * Hashes a body without its gzip header (RFC 1952 §2.3): servers that pack a guide for each request write the time into it, or
 * another name.
 */
export function payloadHash(hash: Hash): Payload {
  let head: Uint8Array | null = new Uint8Array(0);
  const begin = (bytes: Uint8Array, start: number) => {
    head = null;
    hash.update(bytes.subarray(start));
  };
  return {
    update(chunk) {
      if (head === null) {
        hash.update(chunk);
        return;
      }
      head = Buffer.concat([head, chunk]);
      const end = headerEnd(head);
      if (end !== null) begin(head, end);
      else if (head.length > longest) begin(head, 0);
    },
    digest() {
      if (head !== null) begin(head, 0);
      return hash.digest('base64url');
    },
  };
}

/** Where the header ends: 0 when there is none, null when more of it is to come. */
function headerEnd(head: Uint8Array): number | null {
  if (head.length < 2) return null;
  if (head[0] !== 0x1f || head[1] !== 0x8b) return 0;
  if (head.length < fixed) return null;
  const flags = head[3] ?? 0;
  let at: number | null = fixed;
  if (flags & hasExtra) at += 2 + (head[at] ?? 0) + (head[at + 1] ?? 0) * 256;
  if (flags & hasName) at = afterZero(head, at);
  if (flags & hasComment && at !== null) at = afterZero(head, at);
  if (at !== null && flags & hasCheck) at += 2;
  return at !== null && at <= head.length ? at : null;
}

function afterZero(head: Uint8Array, from: number): number | null {
  const zero = head.indexOf(0, from);
  return zero < 0 ? null : zero + 1;
}
