/** What servers of carriers do, by the name that tests call it by. Each is on or off, alone and with others. */
export const quirks = {
  q01: 'gives the session in OPTIONS, and wants it in what follows',
  q02: 'its session lasts 6 s',
  q03: 'ends sessions that are not kept up',
  q04: 'knows one user agent alone: CTC RTSP 1.0',
  q05: 'names its control by a whole address',
  q06: 'has a Content-Base and a relative control',
  q07: 'its control is *',
  q08: 'has no control',
  q09: 'has a relative control without a base, and a query in its address',
  q10: 'answers RTP/AVP/TCP to all that is interleaved',
  q11: 'sends TS without RTP in its frames',
  q12: 'calls it MP2T/TCP and sends RTP',
  q13: 'answers 461 to TCP',
  q14: 'takes UDP, and sends from another address that it names',
  q15: 'takes channels 4 and 5',
  q16: 'answers 400 to a list of transports',
  q17: 'leads on from OPTIONS',
  q18: 'leads on from DESCRIBE',
  q19: 'leads on from SETUP',
  q20: 'leads on from PLAY',
  q21: 'leads on to a relative address',
  q22: 'wants Basic',
  q23: 'wants Digest with MD5',
  q24: 'wants Digest with SHA-256 and qop, and counts',
  q25: 'finds the nonce stale at the first keepalive',
  q26: 'describes in words of its own, with bare line feeds',
  q27: 'describes sound first',
  q29: 'does not list GET_PARAMETER',
  q30: 'answers 454 to GET_PARAMETER',
  q32: 'has one session',
  q33: 'wants x-NAT',
  q34: 'sends nothing before a punch',
  q35: 'sends each punch back three times',
  q36: 'speaks STUN',
  q37: 'tells the end by ANNOUNCE',
  q38: 'asks OPTIONS and SET_PARAMETER itself',
  q39: 'sends media before it answers PLAY',
  q40: 'sends media in one piece with the answer to PLAY',
  q41: 'sends each byte by itself until PLAY is answered',
  q42: 'writes names in odd case, and no reason behind its status',
  q43: 'says no CSeq',
  q45: 'closes the connection after PLAY and goes on by UDP',
  q46: 'falls silent after 2 s, once',
  q47: 'strangers send to the pair too',
  q48: 'says BYE',
  q49: 'sends junk between frames',
  q50: 'speaks IPv6',
} as const;
export type Quirk = keyof typeof quirks;

const names = Object.keys(quirks) as Quirk[];

/** Those that are of one way of bringing media alone; the others are of both. */
const ofOneWay: Readonly<Record<'tcp' | 'udp', readonly Quirk[]>> = {
  tcp: ['q10', 'q12', 'q15', 'q40', 'q49'],
  udp: ['q13', 'q14', 'q34', 'q35', 'q36', 'q45', 'q47'],
};

/** Of each of these one server has one at most. */
const alternatives: readonly (readonly Quirk[])[] = [
  ['q05', 'q06', 'q07', 'q08', 'q09'],
  ['q11', 'q12'],
  ['q22', 'q23', 'q24'],
  ['q22', 'q25'],
  ['q37', 'q46', 'q48'],
  // Nothing is left to say BYE of.
  ['q11', 'q48'],
  // What needs the connection that is closed.
  ...(['q03', 'q25', 'q37', 'q38'] as const).map((other) => ['q45', other] as const),
  // What is of IPv4, or needs a second address of loopback.
  ...(['q14', 'q33', 'q35', 'q36', 'q47'] as const).map((other) => ['q50', other] as const),
];

/** By which ways a quirk can be seen. */
export function waysOf(quirk: Quirk): ('tcp' | 'udp')[] {
  return (['tcp', 'udp'] as const).filter((way) => !ofOneWay[way === 'tcp' ? 'udp' : 'tcp'].includes(quirk));
}

/** All pairs that one server can have, with the ways by which both are seen. */
export function pairs(): { readonly pair: readonly [Quirk, Quirk]; readonly ways: readonly ('tcp' | 'udp')[] }[] {
  const all = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
  return all
    .filter(([one, other]) => !alternatives.some((group) => group.includes(one) && group.includes(other)))
    .map((pair) => ({ pair, ways: waysOf(pair[0]).filter((way) => waysOf(pair[1]).includes(way)) }))
    .filter(({ ways }) => ways.length > 0);
}
