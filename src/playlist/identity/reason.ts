import { type Assignment, agrees } from './assignment.js';
import type { Pair } from './pairs.js';

/** What became of the address: only its volatile parts, host or credentials changed where it is renewed. */
export type Addressed = 'same' | 'renewed' | 'moved';

/** By what a next entry was recognised, such as `address and name`; null for a new one. */
export function reasonOf({ previous, next, previousOf, evidence }: Assignment, index: number): string | null {
  const was = previous[previousOf[index] ?? -1];
  const is = next[index];
  if (was === undefined || is === undefined) return null;
  const seen = evidence[index] ?? 0;
  if ((seen & agrees.whole) !== 0) return 'everything';
  return wordsOf(
    ((seen & agrees.weakPlace) === 0 ? 0 : 1) +
      (was.tvgId !== null && was.tvgId === is.tvgId ? 2 : 0) +
      ((seen & agrees.name) === 0 || was.title === '' ? 0 : 4) +
      ((seen & agrees.group) === 0 || was.group + is.group === '' ? 0 : 8),
  );
}

const keys = ['address', 'guide id', 'name', 'group'];
/** The same few sentences serve all entries. */
const sentences = Array.from({ length: 2 ** keys.length }, (_, seen) =>
  listed(keys.filter((_key, bit) => seen & (1 << bit))),
);

function wordsOf(seen: number): string {
  return sentences[seen] ?? '';
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

export function addressedOf({ previous, next, previousOf, evidence }: Assignment, index: number): Addressed | null {
  const was = previous[previousOf[index] ?? -1];
  if (was === undefined) return null;
  const seen = evidence[index] ?? 0;
  if ((seen & agrees.whole) !== 0 || was.url === next[index]?.url) return 'same';
  return (seen & agrees.weakPlace) === 0 ? 'moved' : 'renewed';
}

/** Why two entries at one address are most likely two channels. */
export function doubtOf({ was, is }: Pair): string {
  const news = [
    ...(was.name === is.name ? [] : ['name']),
    ...(was.group === is.group ? [] : ['group']),
    ...(was.tvgId === is.tvgId ? [] : ['guide id']),
  ];
  if (news.length === 0) return 'The address is the same, but others have it too.';
  return `The address is the same, but ${listed(news)} ${news.length === 1 ? 'is' : 'are'} not.`;
}
