export type VlcEntry = { readonly name: string; readonly url: string; readonly options: readonly string[] };

/**
 * Reads a list as VLC 3.0.24 was seen to: the title begins behind the first comma of the line, even one between quotation
 * marks; what stands before ` - ` in it, or before a second comma, is the artist. Options are of the next address.
 */
export function readAsVlc(list: string): VlcEntry[] {
  const entries: VlcEntry[] = [];
  let name = '';
  let options: string[] = [];
  for (const line of list.split('\n')) {
    if (line.startsWith('#EXTINF:')) name = titleOf(line);
    else if (line.startsWith('#EXTVLCOPT:')) options.push(line.slice('#EXTVLCOPT:'.length));
    else if (line !== '' && !line.startsWith('#')) {
      entries.push({ name, url: line, options });
      name = '';
      options = [];
    }
  }
  return entries;
}

function titleOf(line: string): string {
  const comma = line.indexOf(',');
  const title = comma < 0 ? '' : line.slice(comma + 1);
  const dash = title.indexOf(' - ');
  if (dash >= 0) return title.slice(dash + 3);
  return title.slice(title.indexOf(',') + 1);
}
