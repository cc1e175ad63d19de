import type { State } from './state.js';

export type Answer = { readonly status: number; readonly headers?: readonly string[]; readonly body?: string };

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  302: 'Moved Temporarily',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  453: 'Not Enough Bandwidth',
  454: 'Session Not Found',
  461: 'Unsupported Transport',
  501: 'Not Implemented',
};

/** An answer as the carrier writes it. */
export function written(state: State, { status, headers = [], body = '' }: Answer, cseq: string): string {
  const end = state.has('q26') ? '\n' : '\r\n';
  const lines = [
    ...(state.has('q43') ? [] : [`CSeq: ${cseq}`]),
    ...headers,
    ...(body === '' ? [] : ['Content-Type: application/sdp', `Content-Length: ${bodyOf(state, body).length}`]),
  ];
  const odd = state.has('q42');
  const start = odd ? `RTSP/1.0 ${status}` : `RTSP/1.0 ${status} ${reasons[status] ?? 'Whatever'}`;
  return `${[start, ...lines.map((line) => (odd ? oddly(line) : line))].join(end)}${end}${end}${bodyOf(state, body)}`;
}

function bodyOf(state: State, body: string): string {
  return state.has('q26') ? body.replaceAll('\r\n', '\n') : body;
}

/** `Session: 1` becomes `sESSION:  1`. */
function oddly(line: string): string {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1).toUpperCase()}: ${line.slice(colon + 1)}`;
}
