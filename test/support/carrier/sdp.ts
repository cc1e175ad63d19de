import type { State } from './state.js';

export const track = 'trackID=1';

/** The address that SETUP has to name, of the one that was described. Several where servers themselves do not agree. */
export function trackUrls(state: State, url: string): string[] {
  if (state.has('q05')) return [`rtsp://${state.authority}/elsewhere/${track}`];
  if (state.has('q06')) return [`${contentBase(state)}${track}`];
  if (state.has('q07', 'q08')) return [url];
  const [path = '', ...query] = url.split('?');
  const joined = `${path}${path.endsWith('/') ? '' : '/'}${track}`;
  if (query.length === 0) return [joined];
  const kept = `${joined}?${query.join('?')}`;
  return state.has('q09') ? [kept] : [kept, joined, `${url}/${track}`];
}

export function contentBase(state: State): string {
  return `rtsp://${state.authority}/base/`;
}

/** What DESCRIBE is answered with (RFC 8866). */
export function describe(state: State): string {
  const { fault } = state.options;
  if (fault === 'garbage-sdp') return '<html><body>It works!</body></html>\r\n';
  const control = controlOf(state);
  const length = state.length;
  const lines = [
    'v=0',
    `o=- 1 1 IN ${state.host.includes(':') ? 'IP6' : 'IP4'} ${state.host}`,
    's=Carrier',
    'c=IN IP4 0.0.0.0',
    't=0 0',
    ...(state.has('q26') ? ['a=x-ZMSS-Vendor:17;', 'a=charset:UTF-8', 'k=', 'x-unheard of'] : []),
    ...(length === null ? [] : [`a=range:npt=0-${length.toFixed(3)}`]),
    ...(state.has('q27') ? ['m=audio 0 RTP/AVP 97', 'a=rtpmap:97 MPEG4-GENERIC/48000/2', 'a=control:trackID=0'] : []),
    ...(fault === 'elementary' ? ['m=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000'] : mp2t(state)),
    ...(control === null ? [] : [`a=control:${control}`]),
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

function mp2t(state: State): string[] {
  return ['m=video 0 RTP/AVP 33', ...(state.has('q26') ? [] : ['a=rtpmap:33 MP2T/90000'])];
}

function controlOf(state: State): string | null {
  if (state.has('q08')) return null;
  if (state.has('q07')) return '*';
  return state.has('q05') ? `rtsp://${state.authority}/elsewhere/${track}` : track;
}
