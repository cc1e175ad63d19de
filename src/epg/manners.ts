import type { GuideSource } from '../model/guide.js';
import type { Sources } from '../store/sources.js';
import type { Manners } from './fetch.js';

/**
 * How a guide is asked for. One that a list names never leads to this machine; on the list's own host, and nowhere else, it is
 * asked for as the list is, unless it says something of its own: what the list sends there may be a secret.
 */
export async function mannersOf(
  { origin, location, lists, headers, userAgent, proxy }: GuideSource,
  sources: Pick<Sources, 'byId'>,
): Promise<Manners> {
  const own = { headers, userAgent, proxy, strict: origin === 'list' };
  if (origin !== 'list') return own;
  for (const id of lists) {
    const list = await sources.byId(id);
    if (list === null || list.kind !== 'url' || hostOf(list.location) !== hostOf(location)) continue;
    const inherited = JSON.parse(list.headers) as Record<string, string>;
    return {
      ...own,
      headers: { ...inherited, ...headers },
      userAgent: userAgent ?? list.user_agent,
      proxy: proxy ?? list.proxy,
    };
  }
  return own;
}

function hostOf(location: string): string | null {
  return URL.canParse(location) ? new URL(location).host : null;
}
