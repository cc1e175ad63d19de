import type { State } from './state.js';

/** One of the transports that a client offers (RFC 2326 §12.39). */
export type Chosen =
  | { readonly way: 'tcp'; readonly label: string; readonly media: number; readonly control: number }
  | { readonly way: 'udp'; readonly label: string; readonly rtp: number; readonly rtcp: number };

/** What a carrier takes of an offer, or the status that it refuses it with. */
export function choose(state: State, header: string): Chosen | number {
  if (state.options.fault === 'no-transport') return 461;
  const offers = header.split(',').map((offer) => offer.trim());
  if (state.has('q16') && offers.length > 1) return 400;
  const ways = state.has('q13', 'q14') ? ['udp'] : (state.options.ways ?? ['tcp', 'udp']);
  for (const offer of offers) {
    const chosen = read(state, offer);
    if (chosen !== null && ways.includes(chosen.way)) return chosen;
    // It does not look further than the first.
    if (state.has('q13') && chosen?.way === 'tcp') return 461;
  }
  return 461;
}

function read(state: State, offer: string): Chosen | null {
  const [label = '', ...parameters] = offer.split(';').map((part) => part.trim());
  const of = (name: string) => parameters.find((one) => one.toLowerCase().startsWith(`${name}=`))?.split('=')[1];
  if (/^(MP2T\/RTP\/TCP|MP2T\/TCP|RTP\/AVP\/TCP)$/.test(label)) {
    const [media = 0, control = media + 1] = pairOf(of('interleaved') ?? '0-1');
    const own = state.has('q15') ? { media: 4, control: 5 } : { media, control };
    return { way: 'tcp', label: state.has('q10') ? 'RTP/AVP/TCP' : state.has('q12') ? 'MP2T/TCP' : label, ...own };
  }
  if (!/^(MP2T\/RTP\/UDP|MP2T\/UDP|RTP\/AVP(\/UDP)?)$/.test(label)) return null;
  const [rtp, rtcp] = pairOf(of('client_port') ?? '');
  return rtp === undefined ? null : { way: 'udp', label, rtp, rtcp: rtcp ?? rtp + 1 };
}

function pairOf(text: string): number[] {
  return text.split('-').filter(Boolean).map(Number);
}
