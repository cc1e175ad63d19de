import type { Provider, ProviderChannel } from './provider.js';

/** Something that a provider does to its list between two refreshes. */
export type Step = (provider: Provider, random: () => number) => Provider;

export const newHost: Step = (provider) => ({ ...provider, host: `h${provider.host.length}.${provider.host}` });
export const newTokens: Step = (provider) => ({ ...provider, day: provider.day + 1 });
export const newAccount: Step = (provider) => ({ ...provider, account: `${provider.account.replace('/', 'x/')}y` });
export const reorder: Step = (provider, random) => ({ ...provider, channels: shuffled(provider.channels, random) });

/** Tokens become all that there is of the addresses of HLS. */
export const hideAddresses: Step = (provider) => ({
  ...provider,
  channels: provider.channels.map((channel) =>
    channel.address.kind === 'hls' || channel.address.kind === 'path'
      ? { ...channel, address: { kind: 'opaque', secret: channel.truth } }
      : channel,
  ),
});

/** Gives a share of the channels names that have nothing of the old ones. */
export function rename(share: number): Step {
  return change(share, (channel, random) => ({ ...channel, name: `Station ${channel.truth}${letters(random)}` }));
}

/** Adds a word to the names of a share of the channels. */
export function decorate(share: number): Step {
  return change(share, (channel) => ({ ...channel, name: `UK: ${channel.name} FHD` }));
}

/** Gives every group another name. */
export const renameGroups: Step = (provider) => ({
  ...provider,
  channels: provider.channels.map((channel) => ({ ...channel, group: `New ${channel.group}` })),
});

/** Puts a share of the channels into other groups, each into one of its own. */
export function regroup(share: number): Step {
  return change(share, (channel, random) => ({ ...channel, group: `Group ${100 + Math.floor(random() * 25)}` }));
}

/** Makes rings of channels of which each takes the address of the next one: two of them swap theirs. */
export function rotate(size: number, rings: number): Step {
  return (provider, random) => {
    const picked = shuffled(provider.channels, random).slice(0, size * rings);
    const addresses = new Map(
      picked.map((channel, index) => {
        const ring = Math.floor(index / size) * size;
        return [channel.truth, picked[ring + ((index - ring + 1) % size)]?.address ?? channel.address];
      }),
    );
    const move = (channel: ProviderChannel) => ({
      ...channel,
      address: addresses.get(channel.truth) ?? channel.address,
    });
    return { ...provider, channels: provider.channels.map(move) };
  };
}

/** Takes a share of the channels out of the list. */
export function takeAway(share: number): Step {
  return (provider, random) => {
    const picked = new Set(pick(provider.channels, share, random));
    return {
      ...provider,
      channels: provider.channels.filter((channel) => !picked.has(channel)),
      away: [...provider.away, ...picked],
    };
  };
}

/** Puts those that were taken out back, at the end of the list. */
export const giveBack: Step = (provider) => ({
  ...provider,
  channels: [...provider.channels, ...provider.away],
  away: [],
});

/** Gives the addresses of some channels to new ones with names, groups and guide ids of their own. */
export function reuse(count: number): Step {
  return (provider, random) => {
    const picked = new Set(shuffled(provider.channels, random).slice(0, count));
    let unused = provider.unused;
    const channels = provider.channels.map((channel) => {
      if (!picked.has(channel)) return channel;
      const truth = unused;
      unused += 1;
      return { ...stranger(truth, random), address: channel.address };
    });
    return { ...provider, channels, unused };
  };
}

/** Puts new channels between the others, some named as one that is there. */
export function insert(count: number): Step {
  return (provider, random) => {
    const channels = [...provider.channels];
    for (let made = 0; made < count; made += 1) {
      const truth = provider.unused + made;
      const namesake = channels[Math.floor(random() * channels.length)];
      const fresh: ProviderChannel = {
        ...stranger(truth, random),
        address: { kind: 'xtream', stream: 90_000 + truth },
      };
      const isTwin = random() < 0.3 && namesake !== undefined;
      const twin = isTwin ? { ...fresh, name: namesake.name, group: namesake.group } : fresh;
      channels.splice(Math.floor(random() * channels.length), 0, twin);
    }
    return { ...provider, channels, unused: provider.unused + count };
  };
}

/** Several steps between two refreshes. */
export function together(...steps: readonly Step[]): Step {
  return (provider, random) => steps.reduce((state, step) => step(state, random), provider);
}

function stranger(truth: number, random: () => number): Omit<ProviderChannel, 'address'> {
  const tvgId = random() < 0.6 ? `stranger${truth}.tv` : null;
  return { truth, name: `Stranger ${truth}`, group: `Strangers ${Math.floor(random() * 5)}`, tvgId };
}

function change(share: number, edit: (channel: ProviderChannel, random: () => number) => ProviderChannel): Step {
  return (provider, random) => {
    const picked = new Set(pick(provider.channels, share, random));
    const channels = provider.channels.map((channel) => (picked.has(channel) ? edit(channel, random) : channel));
    return { ...provider, channels };
  };
}

function pick<T>(all: readonly T[], share: number, random: () => number): T[] {
  return shuffled(all, random).slice(0, Math.round(all.length * share));
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const keyed = all.map((one) => ({ one, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one);
}

function letters(random: () => number): string {
  return Array.from({ length: 3 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
}
