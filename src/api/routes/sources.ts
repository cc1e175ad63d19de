import { messageOf, WeirError } from '../../lib/errors.js';
import { readSchedule } from '../../lib/schedule.js';
import type { NewSource, SourceStatus } from '../../model/source.js';
import { whole } from '../contract/shapes.js';
import { newSourceSchema, type sourceOperations } from '../contract/source.js';
import type { Handlers } from '../handle.js';
import { InvalidRequest, parseRequest } from '../invalid-request.js';
import { fileInFolder } from '../list-folder.js';
import type { ApiOptions } from '../options.js';
import { redactSource, shownTo } from '../redact.js';

type Options = Pick<ApiOptions, 'sources' | 'playlists' | 'listFolder'>;

export function sourceHandlers({ sources, playlists, listFolder }: Options): Handlers<typeof sourceOperations> {
  const found = async (id: number) => required(await sources.status(id));
  const changeable = async (id: number) => {
    const source = await found(id);
    if (!source.given) return source;
    throw new WeirError('conflict', 'This list is given by flag or configuration. Change it there.');
  };
  return {
    async listSources({ caller }) {
      const shown = (await sources.list()).map((source) => shownTo(caller.scope, source, redactSource));
      return { body: whole(shown) };
    },
    async createSource({ body, by }) {
      const source = await sources.add(await checked(body, listFolder), by());
      await playlists.sourcesChanged();
      return { body: source, version: String(source.version), location: `/sources/${source.id}` };
    },
    async getSource({ params, caller }) {
      const source = await found(params.id);
      return { body: shownTo(caller.scope, source, redactSource), version: String(source.version) };
    },
    async updateSource({ params, body, by }) {
      const before = await changeable(params.id);
      const whose = by(String(before.version));
      const { location } = await checked(asNew(before, body), body.location === undefined ? undefined : listFolder);
      const patch = body.location === undefined || location === undefined ? body : { ...body, location };
      const source = await sources.update(params.id, patch, whose);
      await playlists.sourcesChanged();
      return { body: source, version: String(source.version) };
    },
    async removeSource({ params, by }) {
      const { version } = await changeable(params.id);
      await sources.remove(params.id, by(String(version)));
      await playlists.sourcesChanged();
    },
  };
}

export function required<T>(source: T | null): T {
  if (source === null) throw new WeirError('not-found', 'There is no such source.');
  return source;
}

/** A source as it would be added with a patch: what is allowed of a new one is allowed of a changed one. */
function asNew(source: SourceStatus, patch: Partial<NewSource>): NewSource {
  const { kind, schedule, timeZone } = source;
  const where = kind === 'inline' ? { content: '#EXTM3U' } : { location: source.location };
  return parseRequest(newSourceSchema, { kind, schedule, timeZone, ...where, ...patch });
}

/** `folder` undefined leaves the path of a file as it is. @throws WeirError `invalid` where source and schedule cannot be so. */
async function checked(source: NewSource, folder: string | null | undefined): Promise<NewSource> {
  try {
    readSchedule(source.schedule ?? null, { timeZone: source.timeZone ?? null, source: 0 });
  } catch (error) {
    throw new InvalidRequest([{ path: 'schedule', message: messageOf(error) }]);
  }
  if (source.kind !== 'file' || folder === undefined) return source;
  return { ...source, location: await fileInFolder(source.location ?? '', folder) };
}
