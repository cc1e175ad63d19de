import { WeirError } from '../../lib/errors.js';
import { largestPicture } from './picture.js';

/**
 * The bytes in a `data:` URL (RFC 2397); what it says of their type does not matter.
 * @throws WeirError `invalid` when it has none, or too many.
 */
export function decodeDataUrl(url: string): Uint8Array {
  const comma = url.indexOf(',');
  if (comma < 0) throw new WeirError('invalid', 'The data: address has no comma, and so no picture.');
  // Three characters a byte at most, where each is percent-encoded.
  if (url.length - comma > 3 * largestPicture) throw tooLarge();
  const text = url
    .slice(comma + 1)
    .replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const isBase64 = /;\s*base64\s*$/i.test(url.slice(0, comma));
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'latin1');
  if (bytes.length > largestPicture) throw tooLarge();
  return bytes;
}

function tooLarge(): WeirError {
  return new WeirError('limit-reached', `The picture is larger than ${largestPicture / 1024 / 1024} MB.`);
}
