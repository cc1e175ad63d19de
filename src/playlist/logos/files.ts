import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WeirError } from '../../lib/errors.js';
import { Turns } from '../../lib/turns.js';

/** Pictures as files, named by the SHA-256 of what is in them. */
export class PictureFiles {
  readonly #dir: string;
  /** A file is not swept away before it is named. */
  readonly #turn = new Turns(1);

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Whether it is there in full: a crash may have cut it off. */
  async has(hash: string, size: number): Promise<boolean> {
    const found = await stat(this.#path(hash)).catch(() => null);
    return found?.size === size;
  }

  /** @throws WeirError `unavailable` when it is not there any more. */
  async read(hash: string): Promise<Uint8Array> {
    try {
      return await readFile(this.#path(hash));
    } catch (error) {
      throw new WeirError('unavailable', 'The picture was taken out of the cache. Ask again.', {
        retryAfter: 1,
        cause: error,
      });
    }
  }

  /** Writes a picture, whole or not at all; `name` then says in the store that it is there. */
  write(hash: string, bytes: Uint8Array, name: () => Promise<void>): Promise<void> {
    return this.#turn.run(async () => {
      if (!(await this.has(hash, bytes.length))) await this.#put(hash, bytes);
      await name();
    });
  }

  /** Removes every file that is not named, those that a crash left among them. Returns the bytes that stay. */
  sweep(readNamed: () => Promise<ReadonlyMap<string, number>>): Promise<number> {
    return this.#turn.run(async () => {
      const named = await readNamed();
      const found = await readdir(this.#dir).catch((): string[] => []);
      for (const name of found) if (!named.has(name)) await rm(this.#path(name), { force: true });
      return [...named.values()].reduce((sum, bytes) => sum + bytes, 0);
    });
  }

  async #put(hash: string, bytes: Uint8Array): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    const draft = this.#path(`${hash}.${randomBytes(6).toString('hex')}`);
    try {
      await writeFile(draft, bytes, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.#path(hash));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  #path(name: string): string {
    return join(this.#dir, name);
  }
}
