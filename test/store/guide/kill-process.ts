import { openGuideStore } from '../../../src/store/guide/open.js';
import { packAirings, packTexts } from '../../../src/store/guide/packed.js';
import type { GuideWrites } from '../../../src/store/guide/writes.js';
import { createWriter } from '../../../src/store/writer.js';
import { body, guideOf, newYear, stage } from './fixture.js';

/** A process of its own that goes as far as it is told, says so and waits to be killed. */
const [, , dir = '', step = ''] = process.argv;
const store = await openGuideStore({ dir });
const writer = createWriter<GuideWrites>(store.connect());

const steps: Readonly<Record<string, () => Promise<unknown>>> = {
  begun: () => store.stage.begin({ source: 1, listing: null, body }),
  async texts() {
    const { snapshot, nextText } = await store.stage.begin({ source: 1, listing: null, body });
    await store.stage.texts(snapshot, packTexts([{ id: nextText, title: 'Alone', body: '{}' }]));
  },
  async airings() {
    const { snapshot, nextText } = await store.stage.begin({ source: 1, listing: null, body });
    const [channel = 0] = await store.stage.channelIds(1, [{ key: 'one', guideId: 'one' }]);
    await store.stage.airings(snapshot, packAirings([[channel, newYear, 0, 5, nextText]]));
  },
  staged: () => stage(store, 1, guideOf('new')),
  async indexed() {
    const { snapshot } = await stage(store, 1, guideOf('new'));
    await writer.call('indexTitles', snapshot);
  },
  async undone() {
    const { snapshot } = await stage(store, 1, guideOf('new'));
    await writer.call('undoSnapshot', snapshot);
  },
  async pruned() {
    const keeping = store.channels.kept(1).map((channel) => ({ channel, before: newYear + 2 ** 30 }));
    await writer.call('pruneChannels', keeping);
  },
  async forgotten() {
    await writer.call('forgetFeed', 1);
    await writer.call('dropForgotten', null);
  },
};

await steps[step]?.();
process.stdout.write('there\n');
