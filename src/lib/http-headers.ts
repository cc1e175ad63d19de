import { WeirError } from './errors.js';
import { basic } from './http-route.js';

/** What a download sends by default: firewalls of providers turn browsers and scripts away, but no players. */
export const playerUserAgent = 'VLC/3.0.21 LibVLC/3.0.21';

type Wanted = {
  readonly userAgent?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly etag?: string | null;
  readonly lastModified?: string | null;
};

/** Fields that belong to the connection, or say what kind of answer can be read: ours alone. */
const ours = new Set([
  ...['accept-encoding', 'connection', 'content-length', 'expect', 'if-modified-since', 'if-none-match', 'keep-alive'],
  ...['proxy-authorization', 'proxy-connection', 'range', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);
/** Fields that are no secret: a redirect to another server takes them along. */
const open = new Set(['accept', 'accept-language', 'origin', 'referer', 'user-agent']);

/**
 * The header fields of a request that began at `given` and has come to `url`. User and password of the given address
 * are sent to its own origin only, as any field that could be a secret.
 * @throws WeirError `invalid` naming a field that cannot be sent, without its value.
 */
export function requestHeaders(url: URL, given: URL, wanted: Wanted): Record<string, string> {
  const isOwn = url.origin === given.origin;
  const { userAgent = playerUserAgent, etag, lastModified } = wanted;
  if (!isSendable('User-Agent', userAgent)) throw unsendable('User-Agent');
  const user = isOwn && given.username + given.password !== '' ? { authorization: basic(given) } : {};
  const sent: Record<string, string> = { host: url.host, 'user-agent': userAgent, accept: '*/*', ...user };
  for (const [written, value] of Object.entries(wanted.headers ?? {})) {
    const name = written.toLowerCase();
    if (!isSendable(name, value)) throw unsendable(written);
    if (!ours.has(name) && (isOwn || open.has(name))) sent[name] = value;
  }
  sent['accept-encoding'] = 'gzip, deflate, br';
  if (etag) sent['if-none-match'] = etag;
  if (lastModified) sent['if-modified-since'] = lastModified;
  return sent;
}

/** RFC 9110 §5.1 and §5.5, in Latin-1. */
function isSendable(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
}

function unsendable(name: string): WeirError {
  return new WeirError(
    'invalid',
    `The header field ${JSON.stringify(name)} cannot be sent. Write it in plain ASCII, on one line.`,
  );
}
