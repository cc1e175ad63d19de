import { WeirError } from '../../lib/errors.js';
import type { Rule, RulePreview } from '../../model/rule.js';
import type { Context } from '../context.js';
import { prefix } from '../contract/operation.js';
import type { ruleOperations } from '../contract/rule.js';
import { whole } from '../contract/shapes.js';
import type { Handlers } from '../handle.js';
import { InvalidRequest } from '../invalid-request.js';
import type { ApiOptions } from '../options.js';
import { redactDeep, shownTo } from '../redact.js';

type Options = Pick<ApiOptions, 'edits' | 'editReads' | 'playlists' | 'sources' | 'publicUrl'>;

export function ruleHandlers(options: Options): Handlers<typeof ruleOperations> {
  const { edits, editReads, playlists, sources } = options;
  const found = async (id: number) => {
    const rule = await editReads.rule(id);
    if (rule === null) throw new WeirError('not-found', 'There is no such rule.');
    return rule;
  };
  const checkSource = async (id: number | null | undefined) => {
    if (id == null || (await sources.status(id)) !== null) return;
    throw new InvalidRequest([{ path: 'source', message: 'There is no such source.' }]);
  };
  const apply = async (ctx: Context) => {
    const job = await playlists.applyRules();
    // RFC 5989 §4.1: where the work that follows from this request can be watched.
    ctx.set('Link', `<${options.publicUrl ?? ''}${prefix}/jobs/${job.id}>; rel="monitor"`);
  };
  const complete = async <T extends { readonly position?: number; readonly source: number | null }>(rule: T) => {
    await checkSource(rule.source);
    const last = (await editReads.rules()).reduce((highest, { position }) => Math.max(highest, position), 0);
    return { ...rule, position: rule.position ?? last + 1 };
  };
  return {
    listRules: async () => ({ body: whole(await editReads.rules()) }),
    async createRule({ body, by, ctx }) {
      const rule = await edits.createRule(await complete(body), by());
      await apply(ctx);
      return { ...reply(rule), location: `/rules/${rule.id}` };
    },
    async previewRule({ body, caller }) {
      const preview = await playlists.previewRule(await complete(body));
      return { body: shownTo(caller.scope, preview, (whole) => redactDeep(whole) as RulePreview) };
    },
    getRule: async ({ params }) => reply(await found(params.id)),
    async updateRule({ params, body, by, ctx }) {
      const { version } = await found(params.id);
      await checkSource(body.source);
      const rule = await edits.updateRule(params.id, body, by(String(version)));
      await apply(ctx);
      return reply(rule);
    },
    async removeRule({ params, by, ctx }) {
      const { version } = await found(params.id);
      await edits.removeRule(params.id, by(String(version)));
      await apply(ctx);
    },
  };
}

function reply(rule: Rule) {
  return { body: rule, version: String(rule.version) };
}
