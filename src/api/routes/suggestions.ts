import type { suggestionOperations } from '../contract/suggestion.js';
import type { Handlers } from '../handle.js';
import type { ApiOptions } from '../options.js';

type Options = Pick<ApiOptions, 'edits' | 'editReads'>;

export function suggestionHandlers({ edits, editReads }: Options): Handlers<typeof suggestionOperations> {
  return {
    async listSuggestions({ query: { state, ...paging } }) {
      return { body: await editReads.suggestions(state, paging) };
    },
    async acceptSuggestion({ params, by }) {
      return { body: await edits.resolveSuggestion(params.id, 'accepted', by()) };
    },
    async rejectSuggestion({ params, by }) {
      return { body: await edits.resolveSuggestion(params.id, 'rejected', by()) };
    },
  };
}
