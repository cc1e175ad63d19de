import { WeirError } from '../../lib/errors.js';
import type { Lineup } from '../../model/lineup.js';
import type { lineupOperations } from '../contract/lineup.js';
import { whole } from '../contract/shapes.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';

type Options = Pick<ApiOptions, 'edits' | 'editReads'>;

export function lineupHandlers({ edits, editReads }: Options): Handlers<typeof lineupOperations> {
  const found = async (slug: string) => {
    const lineup = await editReads.lineup(slug);
    if (lineup === null) throw new WeirError('not-found', 'There is no such line-up.');
    return lineup;
  };
  return {
    listLineups: async () => ({ body: whole(await editReads.lineups()) }),
    async createLineup({ body, by }) {
      const lineup = await edits.createLineup(body, by());
      return { ...reply(lineup), location: `/lineups/${lineup.slug}` };
    },
    getLineup: async ({ params }) => reply(await found(params.slug)),
    async updateLineup({ params, body, by }) {
      const { version } = await found(params.slug);
      return reply(await edits.updateLineup(params.slug, body, by(String(version))));
    },
    async removeLineup({ params, by }) {
      const { version } = await found(params.slug);
      await edits.removeLineup(params.slug, by(String(version)));
    },
    async listLineupItems({ params, query }) {
      await found(params.slug);
      return { body: await editReads.lineupItems(params.slug, query) };
    },
    async setLineupItems({ params, body, by }) {
      await found(params.slug);
      const items = body.items.map(({ remove, ...item }) =>
        remove === true ? { channel: item.channel, remove } : item,
      );
      return { body: await edits.setLineupItems(params.slug, items, by()) };
    },
  };
}

function reply(lineup: Lineup) {
  return { body: lineup, version: String(lineup.version) };
}
