import type { Socket } from 'node:net';
import type { PumpLink } from './pump-link.js';

/** A viewer as Node knows it: `waiting` until its first media byte was sent. */
export type Session = {
  readonly id: string;
  readonly link: PumpLink;
  /** What waits for the first media byte, or null once it was sent. */
  waiting: {
    readonly socket: Socket;
    resolve(): void;
    reject(reason: ClosedEarly): void;
  } | null;
};

/** Why a viewer was closed before anything was sent to it. */
export type ClosedEarly = {
  readonly reason: string;
  /** What came instead of media when the reason is `no-signal`. */
  readonly saw: string;
  readonly interface: string;
  readonly sender: string;
  readonly strays: number;
};

/** All sessions, keyed by viewer id. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  get size(): number {
    return this.#sessions.size;
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  add(session: Session): void {
    this.#sessions.set(session.id, session);
  }

  /** The first media byte was sent: the socket is the pump's alone, and this process closes its copy. */
  live(id: string): void {
    const session = this.#sessions.get(id);
    const waiting = session?.waiting ?? null;
    if (session === undefined || waiting === null) return;
    session.waiting = null;
    waiting.resolve();
    waiting.socket.destroy();
  }

  /** Ends a session once. False when it had ended before. */
  closed(id: string, early: ClosedEarly): boolean {
    const session = this.#sessions.get(id);
    if (session === undefined) return false;
    this.#sessions.delete(id);
    session.waiting?.reject(early);
    return true;
  }

  /** The sessions of a pump. */
  of(link: PumpLink): Session[] {
    return [...this.#sessions.values()].filter((session) => session.link === link);
  }
}
