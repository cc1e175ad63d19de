import { household } from './set-up.js';

/** A process of its own that imports the list of a directory, to be killed in the middle of it. */
const [, , dir = ''] = process.argv;
await household({ after: () => undefined }, { dir });
