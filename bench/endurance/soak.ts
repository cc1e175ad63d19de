import { setTimeout as pause } from 'node:timers/promises';
import { buildStreet } from '../../test/support/netns.js';
import { seeded } from '../../test/support/random.js';
import { startWeir, type Weir } from '../../test/support/weir.js';
import { milliseconds, now, reach } from '../clock.js';
import { buildTools, pathOf, tool } from '../contenders.js';
import { sendReport } from '../session.js';
import { backlogDrops, type Sample, sample } from './figures.js';
import { onOwnGround, output, say } from './ground.js';
import type { Absence, Followed, SoakOptions } from './soak-record.js';
import { judgeSoak, lineOf } from './soak-report.js';
import { comeAndGo, type House, type Visit, visit } from './visits.js';

/** What was sent last may still be under way when the sender ends. */
const grace = 1000;

/**
 * Streams with viewers that stay and viewers that come and go while Node is restarted again and again; prints a line a minute and a
 * summary, and fails when a viewer missed anything, was not let in or was disconnected, or when memory or descriptors grow.
 */
export async function soak(options: SoakOptions): Promise<void> {
  await onOwnGround(async (owner) => {
    buildTools();
    const home = buildStreet(1);
    owner.after(home.close);
    const weir = await startWeir(owner, { args: ['--interface', home.interface], env: { WEIR_STREAMS_LINGER: '5' } });
    const house = { port: Number(new URL(weir.url).port), path: pathOf };
    const start = now() + milliseconds(1000);
    const end = start + milliseconds(options.seconds * 1000);
    const drops = backlogDrops();
    const rate = ['--groups', String(options.groups), '--mbps', String(options.mbps), '--interface', home.hosts[0]];
    const span = ['--start', String(start), '--end', String(end), '--from', String(start), '--to', String(end)];
    const sender = output(['ip', 'netns', 'exec', home.netns, tool('send'), ...rate, ...span]);
    // They wait for the first datagram, and so miss nothing that is sent.
    const staying = Array.from({ length: options.groups }, (_, group) =>
      visit(house, group, end + milliseconds(grace)),
    );
    const [record, sent, stayed] = await Promise.all([
      follow(weir, house, { options, start, end, staying }),
      sender,
      Promise.all(staying),
    ]);
    const samples = [...record.samples, await sample(weir, Number(now() - start) / 1e9)];
    return judgeSoak({
      ...record,
      samples,
      sent: sendReport.parse(JSON.parse(sent)),
      stayed,
      options,
      backlogDrops: backlogDrops() - drops,
    });
  });
}

type Run = {
  readonly options: SoakOptions;
  readonly start: bigint;
  readonly end: bigint;
  readonly staying: readonly Promise<Visit>[];
};

/** All that goes on between the start and the end. */
async function follow(weir: Weir, house: House, { options, start, end, staying }: Run): Promise<Followed> {
  const visits: Visit[] = [];
  const gone: Visit[] = [];
  const absences: Absence[] = [];
  const samples: Sample[] = [];
  const pumps = new Set(weir.pumps());
  for (const one of staying) void one.then((visit) => gone.push(visit));
  await reach(start + milliseconds(500));
  const random = seeded(options.seed);
  const step = options.seconds < 600 ? 1 : 10;
  const look = async () => {
    for (let at = 1; at < options.seconds; at += step) {
      await reach(start + milliseconds(at * 1000));
      samples.push(await sample(weir, Number(now() - start) / 1e9));
      for (const pid of weir.pumps()) pumps.add(pid);
      if (at % 60 < step) say(lineOf({ start, visits, gone, absences, samples, pumps }));
    }
  };
  await Promise.all([
    comeAndGo(house, { ...options, random, end, done: (one) => visits.push(one) }),
    restartAgainAndAgain(weir, options.restartEvery, end, (absence) => absences.push(absence)),
    look(),
    reach(end),
  ]);
  return { start, visits, gone: [...gone], absences, samples, pumps };
}

/** As `weir restart` does and a service manager after it. */
async function restartAgainAndAgain(
  weir: Weir,
  every: number,
  end: bigint,
  done: (absence: Absence) => void,
): Promise<void> {
  for (;;) {
    const left = Number(end - now()) / 1e6;
    await pause(Math.min(every * 1000, Math.max(0, left)));
    // Whoever comes during the last restart must have time to be served.
    if (Number(end - now()) / 1e6 < 3000) return;
    const from = now();
    const { code } = await weir.signal('SIGUSR2');
    await weir.start();
    done({ from, to: now(), code });
  }
}
