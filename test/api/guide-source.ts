import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { GuideSourceStatus } from '../../src/model/guide.js';
import { serve } from '../support/server.js';
import { until } from '../support/until.js';
import type { Household } from './household.js';

export const hour = 3600;
/** The start of this hour, epoch seconds: guides are judged by the clock. */
export const thisHour = Math.floor(Date.now() / 1000 / hour) * hour;

/** A guide of channels by their ids and names, each with a programme an hour for so many hours from this one. */
export function xmltv(channels: Readonly<Record<string, string>>, hours = 48): string {
  const ids = Object.entries(channels);
  const named = ids.map(([id, name]) => `<channel id="${id}"><display-name lang="en">${name}</display-name></channel>`);
  const shown = ids.flatMap(([id, name]) =>
    Array.from({ length: hours }, (_, n) => {
      const times = `start="${time(thisHour + n * hour)}" stop="${time(thisHour + (n + 1) * hour)}"`;
      return `<programme ${times} channel="${id}"><title>${name} ${n}</title></programme>`;
    }),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n${[...named, ...shown].join('\n')}\n</tv>\n`;
}

/** A guide at an address, which may become another one. */
export async function servedGuide(t: TestContext, text: string) {
  const guide = { url: '', status: 200, text };
  const server = await serve(t, (_request, response) => {
    response.writeHead(guide.status, { 'Content-Type': 'application/xml' }).end(guide.text);
  });
  guide.url = `${server}/guide.xml`;
  return guide;
}

/** The guide source once it has come to one of these states. */
export async function guideIs(
  house: Household,
  id: number,
  ...states: readonly GuideSourceStatus['state'][]
): Promise<GuideSourceStatus> {
  const look = async () => {
    const source = await house.get<GuideSourceStatus>(`/guide-sources/${id}`);
    if (source.state === 'failed') assert.ok(states.includes('failed'), `the guide failed: ${source.reason}`);
    return states.includes(source.state) ? source : null;
  };
  return await until(`guide source ${id} to be ${states.join(' or ')}`, look, { within: 20_000 });
}

function time(at: number): string {
  return `${new Date(at * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 14)} +0000`;
}
