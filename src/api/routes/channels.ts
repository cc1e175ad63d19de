import { WeirError } from '../../lib/errors.js';
import type { Scope } from '../../model/access.js';
import type { ChannelDetail } from '../../model/channel.js';
import type { channelOperations } from '../contract/channel.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';
import { redactChannel, shownTo } from '../redact.js';

type Options = Pick<ApiOptions, 'catalogue' | 'edits'>;

export function channelHandlers({ catalogue, edits }: Options): Handlers<typeof channelOperations> {
  const found = async (id: number) => {
    const channel = await catalogue.channel(id);
    if (channel === null) throw new WeirError('not-found', 'There is no such channel.');
    return channel;
  };
  return {
    async listChannels({ query: { limit, after, ...filter } }) {
      return { body: await catalogue.channels(filter, { limit, after }) };
    },
    getChannel: async ({ params, caller }) => reply(await found(params.id), caller.scope),
    async updateChannel({ params, body, by, caller }) {
      const { etag } = await found(params.id);
      await edits.editChannels({ ids: [params.id] }, body, by(etag));
      return reply(await found(params.id), caller.scope);
    },
    async updateChannels({ body: { ids, filter, patch, dryRun }, by }) {
      const selection = ids === undefined ? { filter: filter ?? {} } : { ids };
      return { body: await edits.editChannels(selection, patch, { ...by(), dryRun }) };
    },
    async mergeChannels({ params, body, by }) {
      const { etag } = await found(params.id);
      return { body: await edits.mergeChannels(params.id, body.channels, by(etag)) };
    },
    async splitChannel({ params, body, by }) {
      const { etag } = await found(params.id);
      const split = await edits.splitEntry(params.id, body.entry, by(etag));
      return { body: split, location: `/channels/${split.channel}` };
    },
    async rankChannelEntries({ params, body, by }) {
      const { etag } = await found(params.id);
      return { body: await edits.rankEntries(params.id, body.entries, by(etag)) };
    },
  };
}

function reply(channel: ChannelDetail, scope: Scope) {
  return { body: shownTo(scope, channel, redactChannel), version: channel.etag };
}
