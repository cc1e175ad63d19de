import assert from 'node:assert/strict';
import { test } from 'node:test';
import { relink } from '../../../src/epg/match/relink.js';
import { indexTargets } from '../../../src/epg/match/targets.js';

const link = { id: 1, guideKey: 'zdf.de', names: ['ZDF', 'ZDF HD'] };

function index(...channels: readonly (readonly [id: string, name: string])[]) {
  return indexTargets(
    1,
    channels.map(([guideId, name]) => ({ guideId, names: [name], near: 1 })),
  );
}

test('a link follows its channel to the id that a guide gave it anew', () => {
  const found = relink([link], index(['I.zdf', 'ZDF HD'], ['ard.de', 'Das Erste']));
  assert.deepEqual(found, [
    {
      id: 1,
      guideId: 'I.zdf',
      names: ['ZDF HD'],
      reasons: ['The guide calls zdf.de I.zdf now: the names are the same.'],
    },
  ]);
});

test('a link stays where its id is there still, where nothing has its names, and where two have', () => {
  assert.deepEqual(relink([link], index(['ZDF.de', 'Other'], ['new', 'ZDF'])), []);
  assert.deepEqual(relink([link], index(['ard', 'Das Erste'])), []);
  assert.deepEqual(relink([link], index(['a', 'ZDF'], ['b', 'ZDF HD'])), []);
});

test('a new id that two lost ones may be is given to neither; links of one id follow together', () => {
  const other = { id: 2, guideKey: 'zdf.at', names: ['ZDF'] };
  assert.deepEqual(relink([link, other], index(['new', 'ZDF'])), []);
  const twin = { ...link, id: 3 };
  const found = relink([link, twin], index(['new', 'ZDF']));
  assert.deepEqual(
    found.map(({ id }) => id),
    [1, 3],
  );
});
