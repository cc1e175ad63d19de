import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityOf, matchEntries } from '../../src/playlist/identity.js';

/** Name, address, guide id, group. */
export type Line = readonly [name: string, url: string, tvgId?: string | null, group?: string, state?: 'missing'];
export type Case = {
  readonly what: string;
  readonly previous: readonly Line[];
  readonly next: readonly Line[];
  /** By line of the next list. */
  readonly continues: readonly (number | null)[];
};

export const udp = (host: number) => `udp://239.1.0.${host}:5000`;

export function matchLines(previous: readonly Line[], next: readonly Line[]) {
  return matchEntries(previous.map(identityOfLine), next.map(identityOfLine));
}

function identityOfLine([name, url, tvgId = null, group = '', state]: Line) {
  return identityOf({ name, url, tvgId, groups: group === '' ? [] : [group], missing: state === 'missing' });
}

/** A list that nothing happens to, so that what does happen is the exception. */
export function others(url: (index: number) => string): [string, string, string, string][] {
  return Array.from({ length: 20 }, (_, index) => [`Other ${index}`, url(index), `other${index}`, 'Others']);
}

export function testCases(cases: readonly Case[]): void {
  for (const { what, previous, next, continues } of cases) {
    test(what, () => assert.deepEqual(matchLines(previous, next).continues, continues));
  }
}
