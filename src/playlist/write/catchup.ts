import { carried } from '../../model/archive.js';
import type { Channel } from '../../model/channel.js';
import type { Attribute, Catchup } from '../../model/entry.js';
import type { Archives, Profile } from './profile.js';
import { cleanTemplate } from './text.js';

/** What players have to be told who put `utc` and `lutc` behind an address by themselves. */
export const shift: Archives = ({ days }) => [
  ['catchup', 'shift'],
  ['catchup-days', `${days}`],
];

/** A whole address, with the placeholders of the player. */
export function whole(query: string): Archives {
  return ({ days, url }) => [
    ['catchup', 'default'],
    ['catchup-days', `${days}`],
    ['catchup-source', `${url}${query}`],
  ];
}

/** What the player puts behind the address. */
export function behind(query: string): Archives {
  return ({ days }) => [
    ['catchup', 'append'],
    ['catchup-days', `${days}`],
    ['catchup-source', query],
  ];
}

/**
 * How a channel's past is asked for: of ours in the player's own dialect, once the relay carries it; of a channel that is published with
 * its provider's address as its list or the household says.
 */
export function catchupAttributes({ archive, upstream }: Channel, url: string, profile: Profile): readonly Attribute[] {
  if (archive === null) return [];
  if (upstream === null) return archive.said === undefined ? [] : theirs(archive.said);
  return carried.has(archive.scheme) ? profile.archives({ days: archive.days, url }) : [];
}

/** Players look for `catchup=` first: it stands in front of what has it in its name. */
function theirs({ mode, source, days, correction }: Catchup): Attribute[] {
  const said: [name: string, value: string | number | null][] = [
    ['catchup', mode],
    ['catchup-days', days],
    ['catchup-correction', correction],
    ['catchup-source', source === null ? null : cleanTemplate(source)],
  ];
  return said.flatMap(([name, value]): Attribute[] => (value === null || value === '' ? [] : [[name, `${value}`]]));
}
