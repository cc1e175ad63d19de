import { messageOf, WeirError } from './errors.js';

/** What codes of Node, undici and zlib mean to whoever reads why a download failed. */
const meanings: readonly (readonly [code: RegExp, meaning: string])[] = [
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'the name of the server cannot be looked up'],
  [/^E(?:HOST|NET)UNREACH$/, 'there is no way to the server'],
  [/^ETIMEDOUT$/, 'the server does not accept connections'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'the connection was cut off'],
  [/^HPE_INVALID_(?:CHUNK_SIZE|EOF_STATE)$/, 'the connection was cut off'],
  [/^(?:UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'the head of the answer is larger than 16 kB'],
  [/^HPE_/, 'the server does not speak HTTP'],
  [/^(?:Z_|ERR__ERROR_FORMAT|ERR_BROTLI)/, 'the compressed body is broken'],
  [/CERT|^UNABLE_TO_|^ERR_TLS_CERT/, 'the certificate of the server is not valid'],
  [/^(?:ERR_SSL|EPROTO)/, 'the server does not speak TLS'],
];
const late = /^UND_ERR_(?:HEADERS_TIMEOUT|BODY_TIMEOUT|CONNECT_TIMEOUT)$/;

/** Says what went wrong between us and a server, in words that hold no address and no credentials. */
export function failureOf(error: unknown, proxied: boolean): WeirError {
  const code = codeOf(error);
  if (late.test(code)) return new WeirError('upstream-timeout', 'The server has fallen silent.');
  const what = proxied ? 'The download through the proxy' : 'The download';
  return new WeirError('upstream-refused', `${what} failed: ${reasonOf(code, messageOf(error))}.`);
}

/** The parser of undici names no code where the first bytes are wrong. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && error.code !== undefined) return String(error.code);
  return error.name === 'HTTPParserError' ? 'HPE_INVALID_CONSTANT' : '';
}

function reasonOf(code: string, message: string): string {
  if (/\(407\)|^Socks5 Auth|no accepted auth/.test(message)) return 'it wants another user or password';
  const status = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (status !== undefined) return `it refused the tunnel (${status})`;
  const meaning = meanings.find(([pattern]) => pattern.test(code))?.[1];
  if (meaning !== undefined) return `${meaning} (${code})`;
  if (/^Socks5 proxy rejected/.test(message)) return 'it cannot reach the server';
  return code === '' ? message.replace(/\.$/, '') : code;
}
