import { milliseconds, now, reach } from './clock.js';
import { type Contender, groupAddress, pathOf, tool } from './contenders.js';
import type { Lab } from './lab.js';
import { startSession, watchReport } from './session.js';

/** Mbit/s of the stream that is open already. */
export const zapRate = 8;

/** Milliseconds between two zaps: the golden section of the second between two random-access pictures spreads them over it evenly. */
const interval = 382;

/** A zap is given up when its picture has not come by then. */
const patience = 4_000;

/** The stream is that old when the first viewer zaps to it. */
const settle = 2_500;

/**
 * Milliseconds from the request to the last byte of the first random-access picture received, for each of `count` viewers of a stream
 * that another one watches already; null where none came within 4 s.
 */
export async function measureZaps(lab: Lab, contender: Contender, count: number): Promise<(number | null)[]> {
  const session = await startSession(lab, contender);
  const enough = new AbortController();
  const start = now() + milliseconds(200);
  const begin = start + milliseconds(settle + Math.random() * 1_000);
  const end = ['--end', String(begin + milliseconds(count * interval + patience))];
  const stream = ['--first', groupAddress(0), '--mbps', String(zapRate), '--interface', lab.sourceAddress];
  const viewer = [tool('watch'), '--port', String(contender.port), ...end];
  const sender = lab.output('source', [tool('send'), ...stream, '--start', String(start), ...end], enough.signal);
  const others: Promise<unknown>[] = [sender];
  try {
    await reach(start + milliseconds(300));
    others.push(lab.output('home', [...viewer, pathOf(0)], enough.signal));
    await Promise.race([reach(begin), ...others]);
    const paths = Array.from({ length: count }, () => pathOf(0));
    const paced = ['--until', 'picture', '--pace-us', String(interval * 1_000)];
    const { viewers } = watchReport.parse(JSON.parse(await lab.output('home', [...viewer, ...paced, ...paths])));
    return viewers.map(({ connected, picture }) => (picture === 0 ? null : (picture - connected) / 1e6));
  } finally {
    enough.abort();
    await Promise.allSettled(others);
    await session.stop();
  }
}
