import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProvider } from '../support/provider.js';
import {
  decorate,
  giveBack,
  hideAddresses,
  insert,
  newAccount,
  newHost,
  newTokens,
  regroup,
  rename,
  renameGroups,
  reorder,
  reuse,
  rotate,
  type Step,
  takeAway,
  together,
} from '../support/provider-steps.js';
import { seeded } from '../support/random.js';
import { Carrier } from './survival-carrier.js';

type Survival = {
  readonly what: string;
  /** One for each refresh. */
  readonly steps: readonly Step[];
  readonly kept: number;
  readonly waiting?: number;
  /** Edits of channels in the list that no key tells any more: two of one name in one group whose addresses say nothing, say. */
  readonly lost?: number;
};

const survivals: Survival[] = [
  { what: 'a new host', steps: [newHost], kept: 200 },
  { what: 'a new token in every address', steps: [newTokens], kept: 200 },
  { what: 'a new account', steps: [newAccount], kept: 200 },
  { what: 'new names for 30 %', steps: [rename(0.3)], kept: 200 },
  { what: 'a word more in 30 % of the names', steps: [decorate(0.3)], kept: 200 },
  { what: 'new names for all groups', steps: [renameGroups], kept: 200 },
  { what: 'other groups for 60 %', steps: [regroup(0.6)], kept: 200 },
  { what: 'another order', steps: [reorder], kept: 200 },
  { what: 'swaps of addresses by two hundred channels', steps: [rotate(2, 100)], kept: 200 },
  { what: 'rings of ten that take the address of the next', steps: [rotate(10, 20)], kept: 200 },
  {
    what: '10 % gone and back after three refreshes',
    steps: [takeAway(0.1), newTokens, reorder, giveBack],
    kept: 200,
  },
  { what: 'a hundred addresses given to other channels', steps: [reuse(100)], kept: 191, waiting: 9 },
  { what: 'three hundred new channels', steps: [insert(300)], kept: 200 },
  { what: 'addresses of which only a token is left', steps: [hideAddresses, newTokens], kept: 195, lost: 5 },
  {
    what: 'new names for 30 % on a new host with new tokens and another account',
    steps: [together(rename(0.3), newHost, newTokens, newAccount)],
    kept: 200,
  },
  {
    what: 'new names for 30 % in groups with new names with new tokens',
    steps: [together(rename(0.3), renameGroups, newTokens)],
    kept: 200,
  },
  {
    what: 'new names for all groups and opaque addresses at once',
    steps: [together(renameGroups, hideAddresses, newTokens)],
    kept: 195,
    lost: 5,
  },
  {
    what: 'swaps of addresses with words more in the names',
    steps: [together(rotate(2, 100), decorate(0.3))],
    kept: 197,
    lost: 3,
  },
  {
    what: 'one thing after another',
    steps: [
      newHost,
      newTokens,
      rename(0.3),
      renameGroups,
      reorder,
      rotate(2, 50),
      rotate(10, 10),
      newAccount,
      insert(100),
    ],
    kept: 200,
  },
  {
    what: 'a long history',
    steps: [
      together(newTokens, takeAway(0.1)),
      together(newTokens, rotate(2, 10), reorder),
      together(newTokens, newHost, insert(50)),
      together(newTokens, giveBack, decorate(0.3)),
      together(newTokens, reuse(40), renameGroups),
      together(newTokens, rename(0.3)),
      together(newTokens, newAccount, rotate(10, 1)),
      together(newTokens, takeAway(0.1), reorder),
      together(newTokens, insert(50), regroup(0.2)),
      together(newTokens, giveBack, newHost),
    ],
    kept: 196,
    waiting: 4,
  },
];

for (const { what, steps, kept, waiting = 0, lost = 0 } of survivals) {
  const others = `${waiting} wait for their channel, ${lost} are lost, none is on a wrong one`;
  test(`after ${what}, ${kept} of 200 edits are on their channel, ${others}`, (t) => {
    const random = seeded(4);
    let provider = createProvider(2000, random);
    const carrier = new Carrier();
    carrier.refresh(provider);
    carrier.edit(200, random);
    for (const [index, step] of steps.entries()) {
      provider = step(provider, random);
      carrier.refresh(provider);
      const tally = carrier.tally(provider);
      t.diagnostic(`refresh ${index + 1}: ${JSON.stringify(tally)}`);
      assert.equal(tally.wrong, 0);
    }
    assert.deepEqual(carrier.tally(provider), { kept, waiting, lost, wrong: 0 });
  });
}
