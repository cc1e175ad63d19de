import { readdirSync, readFileSync } from 'node:fs';
import type { MatchChannel, MatchTarget } from '../../../src/model/guide-match.js';

/** A channel as lists write it. */
export type Labelled = {
  readonly file: string;
  readonly channel: MatchChannel;
  /** The guide channel that it is; null when the guide has none. */
  readonly is: string | null;
  /** Whether two people would say the same: others may be linked or not. */
  readonly isClear: boolean;
};
export type LabelledTarget = MatchTarget & { readonly file: string };

const folder = new URL('../../../../test/epg/match/labelled/', import.meta.url);

/**
 * Channels and guides of fifteen countries, named by the conventions of public lists and guides. Lines of tabs:
 * `guide id name…`, and `channel name tvg-id group label`, where the label is an id, `-` for none, `~` before what may be left open.
 */
export function readLabelled(): { readonly channels: Labelled[]; readonly targets: LabelledTarget[] } {
  const channels: Labelled[] = [];
  const targets: LabelledTarget[] = [];
  for (const file of readdirSync(folder).sort()) {
    for (const line of readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n')) {
      const [kind, one = '', ...rest] = line.split('\t');
      if (kind === 'guide') targets.push({ file, guideId: one, names: rest, near: 100 });
      else channels.push(labelled(file, channels.length + 1, one, rest));
    }
  }
  return { channels, targets };
}

function labelled(file: string, id: number, name: string, [tvgId, group, label = '-']: readonly string[]): Labelled {
  const channel = {
    channel: id,
    name,
    saidNames: [name],
    tvgId: tvgId || null,
    groups: group ? [group] : [],
    radio: name.includes('Radio'),
  };
  return { file, channel, is: label === '-' ? null : label.replace('~', ''), isClear: !label.startsWith('~') };
}
