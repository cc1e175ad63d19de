import { home } from './set-up.js';

/** A process of its own that reads the guide of a directory, to be killed in the middle of it. */
const [, , dir = '', guide = '', count = '0'] = process.argv;
const names = Array.from({ length: Number(count) }, (_, n) => `ch${n}.de`);
await home({ after: () => undefined }, { dir, guides: [guide], lines: names.map((name) => ({ name })), linked: names });
