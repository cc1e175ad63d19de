import { setTimeout as pause } from 'node:timers/promises';
import { ask, Viewer } from '../../test/support/http.js';
import { until } from '../../test/support/until.js';
import type { Weir } from '../../test/support/weir.js';

/** How long answers took, in milliseconds. */
export type Answers = readonly { readonly what: string; readonly times: readonly number[] }[];

/** Asks for a page, for statistics and for a stream in turn, up to ten times a second, until it is stopped. */
export function askAgainAndAgain(weir: Weir, stream: string): { stop(): Promise<Answers> } {
  const questions: { what: string; times: number[]; put: () => Promise<unknown> }[] = [
    { what: '/healthz', times: [], put: () => ask(weir.url, '/healthz') },
    { what: '/api/v1/streams', times: [], put: () => weir.streams() },
    { what: "a stream's first byte", times: [], put: () => firstByte(weir, stream) },
  ];
  let going = true;
  const loop = async () => {
    for (let turn = 0; going; turn += 1) {
      const question = questions[turn % questions.length];
      const since = performance.now();
      await question?.put();
      question?.times.push(performance.now() - since);
      await pause(100);
    }
  };
  const done = loop();
  // Heard by whoever stops it; without this a failure before would have no one to hear it.
  done.catch(() => undefined);
  return {
    stop: async () => {
      going = false;
      await done;
      return questions;
    },
  };
}

async function firstByte(weir: Weir, stream: string): Promise<void> {
  const viewer = new Viewer(weir.url, stream);
  try {
    await until('a first byte', () => viewer.firstByteAfter !== null);
    if (viewer.status !== 200) throw new Error(`a stream was answered ${viewer.status} ${viewer.body}`);
  } finally {
    viewer.close();
  }
}
