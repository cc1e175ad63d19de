import type { Listed } from './listed.js';

/**
 * Reads an M3U list as mytv and FongMi do: the line below `#EXTINF` is the address whatever it is, the name stands behind the
 * last comma, of an attribute the last one counts, and what follows `$` in an address is a label.
 */
export function readM3uAsTvbox(list: string): Omit<Listed, 'number'>[] {
  const lines = list.split('\n');
  return lines.flatMap((line, index) => {
    if (!line.startsWith('#EXTINF')) return [];
    const attribute = (name: string) => new RegExp(`.*${name}="(.?|.+?)"`).exec(line)?.[1] ?? '';
    const group = attribute('group-title');
    return {
      name: (line.split(',').at(-1) ?? '').trim(),
      id: attribute('tvg-id'),
      groups: group === '' ? [] : [group],
      url: (lines[index + 1] ?? '').split('$')[0] ?? '',
    };
  });
}

export type TxtChannel = { readonly group: string; readonly name: string; readonly urls: readonly string[] };

/** Reads a TXT list as mytv and FongMi do: `，` is a comma too, only the second field counts, `#` begins an alternative. */
export function readTxtAsTvbox(list: string): TxtChannel[] {
  if (!list.includes('#genre#')) return [];
  const channels: TxtChannel[] = [];
  let group = '';
  for (const line of list.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const fields = line.replaceAll('，', ',').split(',');
    if (line.includes('#genre#')) group = fields[0] ?? '';
    else if (line.includes('://')) {
      const urls = (fields[1] ?? '').split('#').map((url) => url.split('$')[0] ?? '');
      channels.push({ group, name: fields[0] ?? '', urls });
    }
  }
  return channels;
}
