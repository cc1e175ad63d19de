/** Parameters, also without the character that joins them to an address. */
const parameters = /^(?:[?&]+|(?=[\w.~-]+=))/;

/**
 * Puts a fragment of a template behind a live address. Parameters are joined by one `?` or `&`, whatever either of them has there; other
 * text follows as it is.
 */
export function joinAddress(live: string, fragment: string): string {
  const sign = parameters.exec(fragment);
  if (sign === null) return live + fragment;
  const query = fragment.slice(sign[0].length);
  if (query === '') return live;
  const hash = live.indexOf('#');
  const [address, anchor] = hash < 0 ? [live, ''] : [live.slice(0, hash), live.slice(hash)];
  return `${address}${joinOf(address)}${query}${anchor}`;
}

function joinOf(address: string): string {
  if (!address.includes('?')) return '?';
  return /[?&]$/.test(address) ? '' : '&';
}

const seek = /^(?:playseek|tvdr)(?:=|$)/i;

/** An address without the parameters that ask for what is past; all else stays as it is written. */
export function withoutSeek(address: string): string {
  const mark = address.indexOf('?');
  const parameters = mark < 0 ? [] : address.slice(mark + 1).split('&');
  const kept = parameters.filter((parameter) => !seek.test(parameter));
  if (kept.length === parameters.length) return address;
  return kept.length === 0 ? address.slice(0, mark) : `${address.slice(0, mark)}?${kept.join('&')}`;
}
