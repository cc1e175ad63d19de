import { seeded } from '../../test/support/random.js';

type Random = () => number;

const syllables = 'ba de ki lo mu na pe ri so tu va wen zor schal ter lich ung heim berg see ström über çel noë'.split(
  ' ',
);
/** What separates words where it is no blank; texts of guides are full of references. */
const marks = [', ', ', ', ' &amp; ', ' &quot;', '&quot; ', ' – ', ' &#8211; ', '&apos;s '];

/** Made once: two to four syllables each. The first are the most frequent, as in any language. */
const vocabulary = makeVocabulary(3000);

function makeVocabulary(count: number): string[] {
  const random = seeded(7);
  return Array.from({ length: count }, () => {
    const length = 1 + Math.floor(random() * 3);
    return Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)] ?? '').join('');
  });
}

function word(random: Random): string {
  return vocabulary[Math.floor(vocabulary.length * random() ** 6)] ?? '';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** So many words with capitals, as names and titles have them. */
export function words(random: Random, count: number): string {
  let text = capital(word(random));
  for (let index = 1; index < count; index += 1) text += ` ${capital(word(random))}`;
  return text;
}

/** Of about so many words. */
export function sentence(random: Random, length: number): string {
  let text = capital(word(random));
  for (let index = 1; index < length; index += 1) {
    const mark = random() < 0.1 ? marks[Math.floor(random() * marks.length)] : ' ';
    text += `${mark}${word(random)}`;
  }
  return text;
}

/** Until it has so many characters. */
export function sentences(random: Random, length: number): string {
  let text = '';
  while (text.length < length) text += `${text === '' ? '' : ' '}${sentence(random, 6 + Math.floor(random() * 10))}.`;
  return text;
}
