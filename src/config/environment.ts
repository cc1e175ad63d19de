import type { Layer } from './layer.js';

type Reader = (text: string) => unknown;

const text: Reader = (value) => value;
const number: Reader = (value) => (value.trim() === '' ? value : Number(value));
const yesOrNo: Reader = (value) => ({ true: true, false: false })[value] ?? value;
/** Lists are written with blanks between their items: a comma may be part of a URL. */
const list: Reader = (value) => value.trim().split(/\s+/);

const variables: Readonly<Record<string, { path: readonly string[]; read: Reader }>> = {
  WEIR_DATA: { path: ['data'], read: text },
  WEIR_LISTEN: { path: ['listen'], read: list },
  WEIR_PLAYLISTS: { path: ['playlists'], read: list },
  WEIR_GUIDES: { path: ['guides'], read: list },
  WEIR_GUIDE_FROM_LISTS: { path: ['guide_from_lists'], read: yesOrNo },
  WEIR_INTERFACE: { path: ['interface'], read: text },
  WEIR_TIME_ZONE: { path: ['time_zone'], read: text },
  WEIR_RTSP_USER_AGENT: { path: ['rtsp', 'user_agent'], read: text },
  WEIR_RTSP_TRANSPORT: { path: ['rtsp', 'transport'], read: text },
  WEIR_RTSP_NAT: { path: ['rtsp', 'nat'], read: text },
  WEIR_RTSP_PORTS: { path: ['rtsp', 'ports'], read: text },
  WEIR_RTSP_HOSTS: { path: ['rtsp', 'hosts'], read: list },
  WEIR_INNER_UPSTREAMS: { path: ['inner_upstreams'], read: yesOrNo },
  WEIR_LOG: { path: ['log'], read: text },
  WEIR_PUBLIC_URL: { path: ['public_url'], read: text },
  WEIR_HOSTS: { path: ['hosts'], read: list },
  WEIR_PROXIES: { path: ['proxies'], read: list },
  WEIR_CGNAT_IS_PRIVATE: { path: ['cgnat_is_private'], read: yesOrNo },
  WEIR_ADMIN_KEY_FILE: { path: ['admin_key_file'], read: text },
  WEIR_LIST_FOLDER: { path: ['list_folder'], read: text },
  WEIR_VIEWERS: { path: ['viewers'], read: number },
  WEIR_VIEWER_TCP_CONGESTION: { path: ['viewer_tcp', 'congestion'], read: text },
  WEIR_VIEWER_TCP_UNSENT_KB: { path: ['viewer_tcp', 'unsent_kb'], read: number },
  WEIR_STREAMS_NO_SIGNAL: { path: ['streams', 'no_signal'], read: number },
  WEIR_STREAMS_REJOIN: { path: ['streams', 'rejoin'], read: number },
  WEIR_STREAMS_LINGER: { path: ['streams', 'linger'], read: number },
  WEIR_STREAMS_MEMBERSHIP_REFRESH: { path: ['streams', 'membership_refresh'], read: number },
  WEIR_STREAMS_LOOK_BACK: { path: ['streams', 'look_back'], read: number },
  WEIR_STREAMS_LOOK_BACK_MB: { path: ['streams', 'look_back_mb'], read: number },
};

/** What the environment says; an empty variable says nothing, others that begin with WEIR_ are not ours. */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Layer {
  const values: Record<string, unknown> = {};
  const inner: Record<string, Record<string, unknown>> = {};
  for (const [name, { path, read }] of Object.entries(variables)) {
    const written = environment[name];
    if (written === undefined || written === '') continue;
    const [key = '', below] = path;
    if (below === undefined) values[key] = read(written);
    else inner[key] = { ...inner[key], [below]: read(written) };
  }
  return { values: { ...values, ...inner }, folder: process.cwd(), where };
}

function where(path: readonly PropertyKey[]): string {
  const keys = path.filter((key) => typeof key === 'string');
  return `WEIR_${keys.join('_').toUpperCase()} in the environment`;
}
