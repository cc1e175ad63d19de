import { test } from 'node:test';
import { profileIds } from '../../../src/model/channel.js';
import { assertGolden } from '../../support/golden.js';
import { archived, listOf, nasty } from './channels.js';

for (const profile of profileIds) {
  test(`${profile}: channels that are hard to write give the list that was looked at`, () =>
    assertGolden(`playlist/${profile}.m3u`, Buffer.from(listOf([...nasty, ...archived], profile))));
}

test('TXT: channels that are hard to write give the list that was looked at', () =>
  assertGolden('playlist/tvbox.txt', Buffer.from(listOf([...nasty, ...archived], 'tvbox', 'txt'))));
