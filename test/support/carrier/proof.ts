import type { Quirk } from './quirks.js';
import type { Carrier, CarrierRequest } from './server.js';

type Proof = (carrier: Carrier) => boolean;

/** What has to be seen at a carrier of a quirk when it was played and left: that the quirk came to bear, and was met as it has to be. */
export const proofs: Readonly<Partial<Record<Quirk, Proof>>> = {
  q01: ({ requests }) => all(of(requests, 'SETUP'), ({ headers: { session } }) => session !== undefined),
  q04: ({ requests }) => all(requests, ({ headers }) => headers['user-agent'] === 'CTC RTSP 1.0'),
  q05: ({ requests }) => all(of(requests, 'SETUP'), ({ url }) => url.endsWith('/elsewhere/trackID=1')),
  q06: ({ requests }) => all(of(requests, 'SETUP'), ({ url }) => url.endsWith('/base/trackID=1')),
  q09: ({ requests }) => all(of(requests, 'SETUP'), ({ url }) => /\/trackID=1\?./.test(url)),
  q13: ({ requests, sessions }) => of(requests, 'SETUP').length > 1 && sessions.every(({ way }) => way === 'udp'),
  q16: ({ requests }) => of(requests, 'SETUP').length > 1,
  q17: ledOn('options'),
  q18: ledOn('describe'),
  q19: ledOn('setup'),
  q20: ledOn('play'),
  q22: authorised(/^Basic /),
  q23: authorised(/^Digest (?!.*SHA-256)/),
  q24: authorised(/^Digest .*SHA-256.*/),
  q33: ({ requests }) => all(of(requests, 'DESCRIBE'), ({ headers }) => /^[\d.]+:\d+$/.test(headers['x-nat'] ?? '')),
  q34: (carrier) => carrier.datagrams.some(({ socket, data }) => socket === 'rtp' && punchTo(carrier).test(`${data}`)),
  q38: ({ answers }) => answers.length >= 2 && answers.every((answer) => / 200/.test(answer)),
};

/** ZTE's has room for an address of IPv4 alone; to others it is a bare head of RTP. */
function punchTo(carrier: Carrier): RegExp {
  return carrier.url('/').includes('[') ? /^.\0{11}$/su : /^ZXV10STB/;
}

function of(requests: readonly CarrierRequest[], method: string): CarrierRequest[] {
  return requests.filter((request) => request.method === method);
}

function all(requests: readonly CarrierRequest[], is: (request: CarrierRequest) => boolean): boolean {
  return requests.length > 0 && requests.every(is);
}

function ledOn(step: string): Proof {
  return ({ requests }) => all(of(requests, 'PLAY').slice(-1), ({ url }) => url.includes(`edge=${step}`));
}

function authorised(pattern: RegExp): Proof {
  return ({ requests }) =>
    all(of(requests, 'PLAY').slice(-1), ({ headers: { authorization = '' } }) => pattern.test(authorization));
}
