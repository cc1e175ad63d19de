import { createHash, randomBytes } from 'node:crypto';
import type { WeirError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import { withPatience } from '../../lib/patience.js';
import type { RtspUpstream } from '../../model/stream.js';
import type { ViewerNote } from '../../model/viewer.js';
import type { WatchRequest } from '../contract.js';
import { FeedEvents, FeedWire } from '../feed-frames.js';
import { type Frame, formatFrame, maxFrame, number, text } from '../frame.js';
import { type PumpLink, PumpRefusal } from '../pump-link.js';
import { explainRefusal } from '../reasons.js';
import { parseNote } from '../status.js';
import { planOf, type StreamTimes } from '../streams.js';
import type { Beside, One } from './beside.js';
import { isSameClient, whoGoes } from './limits.js';
import { readSessionNote, type SessionNote } from './note.js';
import { RtspFault } from './reasons.js';
import { ResumePoints } from './resume.js';
import { RtspSession } from './session.js';
import type { RtspSettings } from './settings.js';
import { RtspStream } from './stream.js';
import { placeOf, readAddress } from './url.js';
import { wantedAgain, wantedOf } from './wanted.js';

export type SessionsOptions = {
  readonly log: Log;
  readonly streams: StreamTimes;
  readonly settings: RtspSettings;
};

/** Milliseconds that the pump keeps a stream without a session, and an archive without a viewer. */
const awaitLimit = 15_000;
const archiveLinger = 10_000;
/** Milliseconds that the farewell of one that gives up its place is waited for. */
const leavePatience = 1000;
/** Milliseconds for which a server may not have noticed that a session has ended. */
const noticing = 5000;
/** Bytes of an address that the pump shows. */
const shownUrl = 2048;
/** Ends after which there is nothing to come back to. */
const wholeEnds: ReadonlySet<string> = new Set(['idle', 'finished', 'dismissed', 'replaced', 'stopped', 'forgotten']);

/** All streams of RTSP: which there are, and how they share what providers allow. */
export class RtspSessions implements Beside {
  readonly settings: RtspSettings;
  readonly events = new FeedEvents();
  readonly log: Log;
  readonly #times: StreamTimes;
  /** By stream id. */
  readonly #streams = new Map<string, RtspStream>();
  /** Archives by client and what it asked for. */
  readonly #archives = new Map<string, RtspStream>();
  readonly #points = new ResumePoints();
  /** When the last session of an account was ended, in milliseconds. */
  readonly #left = new Map<string, number>();

  constructor({ log, streams, settings }: SessionsOptions) {
    this.log = log;
    this.settings = settings;
    this.#times = streams;
  }

  /**
   * Opens the stream that a request is to watch, or the one that there is: of live the one that all share, of an archive the one that
   * the same client left a moment ago. Its session may be on its way still.
   * @throws WeirError why the pump refuses it.
   */
  async open(link: PumpLink, upstream: RtspUpstream, request: WatchRequest): Promise<RtspStream> {
    // What is no address gets no stream.
    readAddress(upstream.url);
    for (;;) {
      const stream = this.#find(upstream, request) ?? this.#make(link, upstream, request);
      await this.#ask(stream);
      if (stream.hasEnded) continue;
      stream.start();
      if (stream.failure === null) return stream;
      // It is being closed: another one comes after it.
      await withPatience(stream.gone, leavePatience);
      if (!stream.hasEnded) return stream;
    }
  }

  /** What the pump tells. False when it is not about streams of RTSP. */
  event(event: Frame): boolean {
    const stream = this.#streams.get(text(event, 'stream'));
    if (event.values.has('feed')) this.events.emit(event);
    else if (stream === undefined) return false;
    else if (event.name === 'silent') stream.silent();
    else if (event.name === 'closed') stream.played = number(event, 'media');
    else if (event.name === 'ended') this.#ended(stream, event);
    return true;
  }

  /** Takes over what a pump has: sessions go on, and those that were being set up begin anew. */
  adopt(link: PumpLink, rows: readonly Frame[], before: PumpLink | null): void {
    this.#forget(before, 'forgotten');
    for (const row of rows) {
      if (row.name !== 'stream' || text(row, 'kind') !== 'rtsp') continue;
      const note = readSessionNote(text(row, 'note'));
      const viewer = rows.find((one) => one.name === 'viewer' && text(one, 'stream') === text(row, 'stream'));
      const client = viewer === undefined ? null : parseNote(text(viewer, 'note'));
      if (note !== null) this.#adopt(link, row, note, client);
    }
  }

  /** A pump is gone, and all of its streams. */
  lost(link: PumpLink): void {
    this.#forget(link, 'pump-gone');
  }

  // Beside

  others(stream: One): number {
    return [...this.#streams.values()].filter((one) => one !== stream && one.account === stream.account).length;
  }

  hasJustLeft({ account }: One): boolean {
    return Date.now() - (this.#left.get(account) ?? -Infinity) < noticing;
  }

  async settle(stream: One): Promise<void> {
    const { client } = stream.wanted;
    if (client === null) return;
    const left = [...this.#archives.values()].filter(
      (one) =>
        one !== stream &&
        one.place === stream.place &&
        one.wanted.client !== null &&
        isSameClient(one.wanted.client, client),
    );
    if (left.length === 0) return;
    const watched = await watchedBy(stream.link);
    const unwatched = left.filter(({ id }) => (watched.get(id) ?? []).length === 0);
    await Promise.all(unwatched.map((one) => this.#replace(one)));
  }

  async makeRoom(stream: One): Promise<boolean> {
    const watched = await watchedBy(stream.link);
    // One that is still being opened has no place that it could give.
    const others = [...this.#streams.values()].filter((one) => one !== stream && one.session !== null);
    const counted = others.map((one) => ({
      stream: one.id,
      account: one.account,
      since: one.since,
      viewers: watched.get(one.id) ?? [],
    }));
    const chosen = whoGoes(counted, stream.account, stream.wanted.client);
    const goes = chosen === null ? undefined : this.#streams.get(chosen.stream);
    if (goes === undefined) return false;
    await this.#replace(goes);
    return true;
  }

  async #replace(stream: RtspStream): Promise<void> {
    this.log.info({ stream: stream.id, host: stream.place }, 'session gives up its place');
    await stream.close('replaced');
    await withPatience(stream.gone, leavePatience);
  }

  #find(upstream: RtspUpstream, { archive }: WatchRequest): RtspStream | undefined {
    return archive === null ? this.#streams.get(liveId(upstream)) : this.#archives.get(keyOf(archive));
  }

  #make(link: PumpLink, upstream: RtspUpstream, request: WatchRequest): RtspStream {
    const { archive } = request;
    const skipped = archive === null ? 0 : this.#points.take(keyOf(archive), Date.now());
    const id = archive === null ? liveId(upstream) : randomBytes(6).toString('hex');
    const stream = new RtspStream(id, link, wantedOf(upstream, request, this.settings), this, skipped);
    this.#add(stream);
    return stream;
  }

  #add(stream: RtspStream): void {
    const { archive } = stream.wanted;
    this.#streams.set(stream.id, stream);
    if (archive !== null) this.#archives.set(keyOf(archive.kept), stream);
  }

  #remove(stream: RtspStream): void {
    const { archive } = stream.wanted;
    if (this.#streams.get(stream.id) === stream) this.#streams.delete(stream.id);
    if (archive !== null && this.#archives.get(keyOf(archive.kept)) === stream)
      this.#archives.delete(keyOf(archive.kept));
  }

  /** Has the pump open it, or renew the linger of one that is open. */
  async #ask(stream: RtspStream): Promise<void> {
    const isHeld = stream.wanted.archive !== null;
    const plan = {
      ...planOf(this.#times),
      await: awaitLimit,
      hold: isHeld ? 1 : 0,
      ...(isHeld ? { linger: archiveLinger } : {}),
    };
    const url = readAddress(stream.wanted.url).target.slice(0, shownUrl);
    const values = { stream: stream.id, kind: 'rtsp', url, ...plan, note: stream.note(stream.session) };
    try {
      if (formatFrame('open', values).length >= maxFrame) throw new RtspFault('invalid', 'The address is too long.');
      await stream.link.request('open', values);
    } catch (error) {
      this.#ended(stream, 'forgotten');
      throw error instanceof PumpRefusal ? explainRefusal(error) : (error as WeirError);
    }
  }

  #forget(link: PumpLink | null, how: 'pump-gone' | 'forgotten'): void {
    for (const stream of [...this.#streams.values()]) if (stream.link === link) this.#ended(stream, how);
  }

  #ended(stream: RtspStream, how: Frame | 'pump-gone' | 'forgotten'): void {
    this.#remove(stream);
    const { archive } = stream.wanted;
    const reason = typeof how === 'string' ? how : text(how, 'reason');
    const now = Date.now();
    for (const [account, at] of this.#left) if (now - at > noticing) this.#left.delete(account);
    if (stream.session !== null) this.#left.set(stream.account, now);
    if (archive !== null && !wholeEnds.has(reason)) {
      this.#points.remember(keyOf(archive.kept), stream.skipped + stream.played, now);
    }
    stream.ended(how);
    this.log.debug({ stream: stream.id, reason }, 'stream ended');
  }

  #adopt(link: PumpLink, row: Frame, note: SessionNote, client: ViewerNote | null): void {
    const { archive } = note;
    const [id, feed] = [text(row, 'stream'), text(row, 'feed')];
    const skipped = archive === null ? 0 : archive.at - archive.start;
    const stream = new RtspStream(id, link, wantedAgain(note, client, this.settings), this, skipped);
    this.#add(stream);
    if (feed !== '' && feed === note.feed) {
      const wire = new FeedWire(link, id, this.events, feed);
      const host = placeOf(readAddress(note.played));
      stream.session = new RtspSession(wire, { ...note, host, redirects: 0 }, stream);
    } else {
      stream.start();
    }
  }
}

/** The same for equal upstreams, also after a restart. */
function liveId({ url, interface: name }: RtspUpstream): string {
  return createHash('sha256')
    .update(JSON.stringify(['rtsp', url, name]))
    .digest('hex')
    .slice(0, 12);
}

function keyOf({ client, asked }: { readonly client: string; readonly asked: string }): string {
  return `${client} ${asked}`;
}

/** Who watches each stream of a pump. */
async function watchedBy(link: PumpLink): Promise<ReadonlyMap<string, ViewerNote[]>> {
  const { rows } = await link.request('stats');
  const watched = new Map<string, ViewerNote[]>();
  for (const row of rows) {
    if (row.name !== 'viewer') continue;
    const stream = text(row, 'stream');
    watched.set(stream, [...(watched.get(stream) ?? []), parseNote(text(row, 'note'))]);
  }
  return watched;
}
