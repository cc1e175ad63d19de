import { randomInt } from 'node:crypto';
import type { Answer } from './answer.js';
import type { Gate } from './auth.js';
import type { Dialogue } from './dialogue.js';
import { openPair } from './pair.js';
import { contentBase, describe, trackUrls } from './sdp.js';
import type { CarrierRequest } from './server.js';
import { frames, Session, timeoutOf } from './session.js';
import type { State } from './state.js';
import { choose } from './transport.js';

/** What the connections of a carrier share. */
export type Desk = {
  readonly state: State;
  readonly gate: Gate;
  /** By id. */
  readonly open: Map<string, Session>;
  /** First lines of what clients answered. */
  readonly answers: string[];
};

/** What a request is refused with, whatever it asks for; null when it is not. */
export function refuse(dialogue: Dialogue, { method, url, headers }: CarrierRequest): Answer | null {
  const { state, gate } = dialogue.desk;
  const { session, authorization } = headers;
  if (state.has('q04') && headers['user-agent'] !== 'CTC RTSP 1.0') return { status: 403 };
  if (state.has('q01') && dialogue.session !== null && session !== dialogue.session) return { status: 454 };
  if (state.has('q33') && /DESCRIBE|SETUP/.test(method) && headers['x-nat'] === undefined) return { status: 400 };
  if (!state.asksForPassword || (method === 'OPTIONS' && dialogue.sessions.length === 0)) return null;
  const isKeepalive = dialogue.played && /^(GET_PARAMETER|OPTIONS)$/.test(method);
  if (isKeepalive && state.has('q25') && state.first('stale nonce')) gate.renew();
  const refused = gate.refusal(method, url, authorization);
  return refused === null ? null : { status: 401, headers: refused };
}

/** Where a request is led on to; null when it is served here. */
export function lead({ desk: { state } }: Dialogue, { method, url }: CarrierRequest): Answer | null {
  if (state.options.fault === 'redirects') return moved(`${url}${url.includes('?') ? '&' : '?'}again=1`);
  const steps = { OPTIONS: 'q17', DESCRIBE: 'q18', SETUP: 'q19', PLAY: 'q20' } as const;
  const alone = state.has('q21') && !state.has('q17', 'q18', 'q19', 'q20');
  const quirk = steps[method as keyof typeof steps];
  const leads = quirk !== undefined && (state.has(quirk) || (alone && method === 'DESCRIBE'));
  const mark = `edge=${method.toLowerCase()}`;
  if (!leads) return null;
  // SETUP names the track, but it is the address of the whole that is moved.
  const whole = method === 'SETUP' ? (state.described ?? url) : url;
  if (whole.includes(mark)) return null;
  const to = `${whole}${whole.includes('?') ? '&' : '?'}online=1700000000&hms_devid=7&${mark}`;
  return moved(state.has('q21') ? to.replace(/^rtsp:\/\/[^/]+/i, '') : to);
}

function moved(to: string): Answer {
  return { status: 302, headers: [`Location: ${to}`] };
}

export async function serve(dialogue: Dialogue, request: CarrierRequest): Promise<void> {
  const handler = handlers[request.method];
  if (handler === undefined) await dialogue.answer(request, { status: 501 });
  else await handler(dialogue, request);
}

const methods = ['OPTIONS', 'DESCRIBE', 'SETUP', 'PLAY', 'TEARDOWN', 'GET_PARAMETER'];

type Handler = (dialogue: Dialogue, request: CarrierRequest) => Promise<void>;
const handlers: Readonly<Record<string, Handler>> = {
  OPTIONS: async (dialogue, request) => {
    const { state } = dialogue.desk;
    kept(dialogue, request);
    const known = state.has('q29') ? methods.filter((one) => one !== 'GET_PARAMETER') : methods;
    if (state.has('q01')) dialogue.session ??= newId();
    const session = dialogue.session === null ? [] : [sessionLine(state, dialogue.session)];
    const long = state.options.fault === 'long-header' ? [`X-Long: ${'x'.repeat(65_536)}`] : [];
    await dialogue.answer(request, { status: 200, headers: [`Public: ${known.join(', ')}`, ...session, ...long] });
  },

  DESCRIBE: async (dialogue, request) => {
    const { state } = dialogue.desk;
    if (state.options.fault === 'unknown') return await dialogue.answer(request, { status: 404 });
    if (isFull(state)) return await dialogue.answer(request, { status: 453 });
    state.described = request.url;
    const base = state.has('q06') ? [`Content-Base: ${contentBase(state)}`] : [];
    await dialogue.answer(request, { status: 200, headers: base, body: describe(state) });
  },

  SETUP: async (dialogue, request) => {
    const { state } = dialogue.desk;
    const url = state.described ?? '';
    if (isFull(state)) return await dialogue.answer(request, { status: 453 });
    if (!trackUrls(state, url).includes(request.url)) return await dialogue.answer(request, { status: 404 });
    const { transport = '' } = request.headers;
    const chosen = choose(state, transport);
    if (typeof chosen === 'number') return await dialogue.answer(request, { status: chosen });
    const address = state.has('q14') ? '127.0.0.2' : state.host;
    const pair = chosen.way === 'udp' ? await openPair(state, address) : null;
    const card = { id: dialogue.session ?? newId(), url, way: chosen.way, sent: 0, end: null };
    state.sessions.push(card);
    const session = new Session(state, dialogue, card, chosen, pair);
    dialogue.sessions.push(session);
    for (const [id, { card: other }] of dialogue.desk.open) if (other.end !== null) dialogue.desk.open.delete(id);
    dialogue.desk.open.set(card.id, session);
    const ports = pair === null ? '' : `;server_port=${pair.rtp.address().port}-${pair.rtcp.address().port}`;
    const way =
      chosen.way === 'tcp'
        ? `interleaved=${chosen.media}-${chosen.control}`
        : `client_port=${chosen.rtp}-${chosen.rtcp}${ports}${state.has('q14') ? `;source=${address}` : ''}`;
    const headers = [sessionLine(state, card.id), `Transport: ${chosen.label};unicast;${way}`];
    await dialogue.answer(request, { status: 200, headers });
  },

  PLAY: async (dialogue, request) => {
    const { state } = dialogue.desk;
    const session = sessionOf(dialogue, request);
    if (session === null || request.url !== session.card.url) return await dialogue.answer(request, { status: 454 });
    session.keep();
    const { range } = request.headers;
    const flow = session.prepare(range);
    const next = () => flow.next();
    if (state.has('q39')) await sendAhead(dialogue, session, next);
    const headers = [sessionLine(state, session.card.id), `Range: ${range ?? 'npt=0-'}`];
    await dialogue.answer(request, { status: 200, headers }, state.has('q40') ? frames(session, 20, next) : []);
    dialogue.played = true;
    if (state.options.fault !== 'no-media') session.start();
    if (state.has('q38')) for (const method of ['OPTIONS', 'SET_PARAMETER']) dialogue.ask(method, session, []);
    if (state.has('q45') && session.chosen.way === 'udp') dialogue.socket.end();
  },

  TEARDOWN: async (dialogue, request) => {
    const session = sessionOf(dialogue, request);
    session?.end('teardown');
    await dialogue.answer(request, { status: session === null ? 454 : 200 });
  },

  GET_PARAMETER: async (dialogue, request) => {
    const { state } = dialogue.desk;
    if (state.has('q29')) return await dialogue.answer(request, { status: 501 });
    if (state.has('q30')) return await dialogue.answer(request, { status: state.refusal() });
    await dialogue.answer(request, { status: kept(dialogue, request) ? 200 : 454 });
  },
};

/** Some media in front of the answer to PLAY. */
async function sendAhead(dialogue: Dialogue, session: Session, next: () => Buffer): Promise<void> {
  for (const frame of frames(session, 20, next)) await dialogue.write(frame);
  if (session.chosen.way === 'udp') for (let count = 0; count < 20; count += 1) session.datagram('rtp', next());
}

function kept(dialogue: Dialogue, request: CarrierRequest): boolean {
  const session = sessionOf(dialogue, request);
  session?.keep();
  return session !== null;
}

/** The session that a request names: of this connection or of another, as long as it lasts. */
function sessionOf({ desk }: Dialogue, { headers }: CarrierRequest): Session | null {
  const { session: id = '' } = headers;
  const session = desk.open.get(id);
  return session === undefined || session.card.end !== null ? null : session;
}

function isFull(state: State): boolean {
  return state.options.fault === 'busy' || state.live >= (state.options.most ?? (state.has('q32') ? 1 : Infinity));
}

function sessionLine(state: State, id: string): string {
  return `Session: ${id}${state.has('q02') ? `;timeout=${timeoutOf(state)}` : ''}`;
}

function newId(): string {
  return `${randomInt(1e9, 1e10)}`;
}
