import { rm } from 'node:fs/promises';
import type { PublishedGuide } from './out-thread.js';

/** Milliseconds for which a file that is out of date can still be opened by whoever was told of it. */
const grace = 10_000;

type Parts = {
  /** Names what a guide is made of: the same as long as nothing changed. */
  state(): Promise<string>;
  write(): Promise<PublishedGuide>;
};

/** One form of the guide: the newest one that is ready, and the one that is being made. */
export class GuideForm {
  readonly #parts: Parts;
  #ready: PublishedGuide | null = null;
  #readyState = '';
  #making: { readonly state: string; readonly guide: Promise<PublishedGuide> } | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** What can be sent at once, whether or not it is out of date. */
  get ready(): PublishedGuide | null {
    return this.#ready;
  }

  /** What is made of how things stand now, once it is ready. Rejects with why it could not be written: what was ready stays. */
  async newest(): Promise<PublishedGuide> {
    const state = await this.#parts.state();
    if (this.#ready !== null && this.#readyState === state) return this.#ready;
    const making = this.#making ?? this.#make(state);
    if (making.state === state) return await making.guide;
    // One at a time: what changed meanwhile is in the next.
    await making.guide.catch(() => undefined);
    return await this.newest();
  }

  /** Removes its files. Whoever is being sent one has it open. */
  discard(): void {
    const old = this.#ready;
    this.#ready = null;
    if (old === null) return;
    const remove = () => void Promise.all([old.plain, old.packed].map(({ path }) => rm(path, { force: true })));
    setTimeout(remove, grace).unref();
  }

  #make(state: string) {
    this.#making = { state, guide: this.#write(state) };
    return this.#making;
  }

  async #write(state: string): Promise<PublishedGuide> {
    try {
      const guide = await this.#parts.write();
      this.discard();
      [this.#ready, this.#readyState] = [guide, state];
      return guide;
    } finally {
      this.#making = null;
    }
  }
}
