import { type ArchiveMode, playseekTemplate } from '../../model/archive.js';
import { joinAddress, withoutSeek } from './join.js';
import { barOf } from './read-template.js';

type Built = { readonly template: string } | { readonly problem: string };

const whole = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Server, path with its leading slash, and query. */
const web = /^(https?:\/\/[^/?#]+)(\/[^?#]*)(\?[^#]*)?/i;

const fixed = {
  shift: '?utc={utc}&lutc={lutc}',
  timeshift: '?timeshift={utc}&timenow={lutc}',
  archive: '?archive={utc}&archive_end={utcend}',
  playseek: playseekTemplate,
} as const;

/**
 * The template of a mode, where it needs one behind a live address, or why there is none. Headers that stand behind `|` of the live address
 * are kept, unless the source has its own.
 */
export function templateOf(mode: ArchiveMode, source: string | null, live: string | null): Built {
  const said = source?.trim() ?? '';
  if (mode === 'vod' && said === '') return problem('Mode vod needs a template: there is no catchup-id.');
  const takesWhole = (mode === 'default' || mode === 'vod') && said !== '';
  if (takesWhole && live === null) return { template: said };
  if (live === null) return problem(`Mode ${mode} needs an address of the live channel, by rtsp or http.`);
  const bar = barOf(live);
  const [address, headers] = bar < 0 ? [live, ''] : [live.slice(0, bar), live.slice(bar)];
  const built = takesWhole && whole.test(said) ? { template: said } : behind(mode, said, address);
  if ('problem' in built) return built;
  return { template: barOf(built.template) < 0 ? built.template + headers : built.template };
}

function behind(mode: ArchiveMode, said: string, live: string): Built {
  switch (mode) {
    case 'default':
    case 'vod':
      return { template: said === '' ? joinAddress(live, fixed.shift) : relativeTo(live, said) };
    case 'append':
      return said === '' ? problem('Mode append needs a template.') : { template: joinAddress(live, said) };
    case 'flussonic-hls':
    case 'flussonic-ts':
      return flussonic(live, mode);
    case 'xc':
      return xtream(live);
    case 'playseek':
      return { template: joinAddress(withoutSeek(live), fixed.playseek) };
    default:
      return { template: joinAddress(live, fixed[mode]) };
  }
}

/** A path begins at the live address' server, all else is put behind it. */
function relativeTo(live: string, said: string): string {
  const [, head = '', host = ''] = /^([a-z][a-z0-9+.-]*:)(\/\/[^/?#]*)/i.exec(live) ?? [];
  if (said.startsWith('//')) return head + said;
  return said.startsWith('/') ? head + host + said : joinAddress(live, said);
}

/** The address tells a playlist from TS; where it does not, the mode does. */
function flussonic(live: string, mode: 'flussonic-hls' | 'flussonic-ts'): Built {
  const [, server = '', path = '', query = ''] = web.exec(live) ?? [];
  const [, directory, name = ''] = /^(\/.+\/)([^/]*)$/.exec(path) ?? [];
  if (directory === undefined)
    return problem(
      `Mode ${mode} needs an http address with the stream's name before its last part, as http://h/name/index.m3u8.`,
    );
  const list = /^(.*)\.m3u8$/i.exec(name)?.[1];
  const isTs = name === 'mpegts' || (list === undefined && mode === 'flussonic-ts');
  const prefix = list === undefined || list === 'index' ? '' : `${list}-`;
  const file = isTs ? `timeshift_abs-\${start}.ts` : `${prefix}timeshift_rel-{offset:1}.m3u8`;
  return { template: `${server}${directory}${file}${query}` };
}

/** `[/live]/user/password/id[.ext]`, also below a path of a proxy. */
function xtream(live: string): Built {
  const [, server = '', path = '', query = ''] = web.exec(live) ?? [];
  const [, before = '', account, id, ending = '.ts'] =
    /^(.*?)(?:\/live)?(\/[^/]+\/[^/]+)\/([^/.]+)(\.\w+)?$/.exec(path) ?? [];
  if (account === undefined) return problem('Mode xc needs an address such as http://h:8080/live/user/password/1.ts.');
  const wanted = `{duration:60}/{Y}-{m}-{d}:{H}-{M}`;
  return { template: `${server}${before}/timeshift${account}/${wanted}/${id}${ending}${query}` };
}

function problem(sentence: string): Built {
  return { problem: sentence };
}
