import { milliseconds, now } from './clock.js';
import { type Contender, groupAddress, pathOf, tool } from './contenders.js';
import type { Lab } from './lab.js';
import { sendReport, startSession, watchReport } from './session.js';

/** A relay is given up when the first byte has not come by then. */
const patience = 6_000;

/**
 * Milliseconds from the arrival of a cold stream's first datagram, which holds its PAT and PMT, to the viewer's first body byte: one
 * value for each of `samples` groups, null where none came within 6 s. The viewer has asked about 500 ms before.
 */
export async function measureFirstByte(
  lab: Lab,
  contender: Contender,
  mbps: number,
  samples: number,
): Promise<(number | null)[]> {
  const session = await startSession(lab, contender);
  try {
    const results: (number | null)[] = [];
    for (let group = 0; group < samples; group += 1) results.push(await firstByteOnce(lab, contender, mbps, group));
    return results;
  } finally {
    await session.stop();
  }
}

async function firstByteOnce(lab: Lab, contender: Contender, mbps: number, group: number): Promise<number | null> {
  const start = now() + milliseconds(600);
  const end = String(start + milliseconds(patience));
  const enough = new AbortController();
  const stream = ['--first', groupAddress(group), '--mbps', String(mbps), '--interface', lab.sourceAddress];
  const sender = lab.output('source', [tool('send'), ...stream, '--start', String(start), '--end', end], enough.signal);
  const viewer = await lab.output('home', [
    tool('watch'),
    '--port',
    String(contender.port),
    ...['--end', end, '--until', 'media'],
    pathOf(group),
  ]);
  enough.abort();
  const { first: arrived } = sendReport.parse(JSON.parse(await sender));
  const first = watchReport.parse(JSON.parse(viewer)).viewers[0]?.first ?? 0;
  return first === 0 ? null : (first - arrived) / 1e6;
}
