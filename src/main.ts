import { existsSync } from 'node:fs';
import { createApi } from './api/server.js';
import type { Config } from './config/schema.js';
import { createGuides, type Guides } from './epg/guides.js';
import { createMatcher } from './epg/match/matcher.js';
import { createGuideFiles, type GuideFiles } from './epg/publish.js';
import { createGuideReads } from './epg/reads.js';
import { now } from './lib/clock.js';
import { congestionProblem } from './lib/congestion.js';
import { lockPath, prepareDataDirectory } from './lib/data-directory.js';
import { messageOf, WeirError } from './lib/errors.js';
import { type Log, openLog } from './lib/log.js';
import { lockFile } from './lib/native.js';
import { readSecret } from './lib/secret.js';
import { obeySignals } from './lib/signals.js';
import { UndoStack } from './lib/undo.js';
import { namedClock, type ZoneClock } from './lib/zone-clock.js';
import type { CatchupSetting } from './model/archive.js';
import type { Change } from './model/change.js';
import type { CatalogueEvent } from './model/event.js';
import type { GivenGuide } from './model/guide.js';
import type { GivenSource } from './model/source.js';
import { createLogos } from './playlist/logos/logos.js';
import { createPlaylists, type Playlists } from './playlist/playlists.js';
import { createPublishedLists, type PublishedLists } from './playlist/publish.js';
import { createPlanAgain } from './relay/catchup/again.js';
import type { Relay } from './relay/contract.js';
import { createRelay } from './relay/relay.js';
import type { GuideStore } from './store/guide/contract.js';
import { openGuideStore } from './store/guide/open.js';
import { openStore, type Store } from './store/open.js';
import type { RtspHosts } from './store/rtsp-hosts.js';

/**
 * Builds the parts of Weir in their order: lock, stores, relay, playlists, guides, api. Resolves when it listens, with what
 * stops it all, the pump too. Until then it also obeys signals: SIGUSR2 leaves the pump running, SIGHUP refreshes the lists
 * and guides.
 * @throws WeirError with one line that says what is in the way; what was started is stopped again.
 */
export async function start(config: Config): Promise<() => Promise<void>> {
  const log = openLog(config.log);
  const started = new UndoStack();
  try {
    return await boot(config, log, started);
  } catch (error) {
    await started.run().catch((failure: unknown) => log.error({ error: messageOf(failure) }, 'not stopped cleanly'));
    throw error;
  }
}

async function boot(config: Config, log: Log, started: UndoStack): Promise<() => Promise<void>> {
  const adminKey = config.admin_key_file === null ? null : readSecret(config.admin_key_file);
  prepareDataDirectory(config.data);
  lock(config.data);
  warnOfMissingInterfaces(config, log);
  warnOfMissingCongestion(config.viewer_tcp.congestion, log);

  const pump = { leave: false };
  const end = (leave: boolean) => () => {
    pump.leave = leave;
    return started.run();
  };
  let refresh = () => {};
  const failed = (error: unknown) => log.error({ error: messageOf(error) }, 'not stopped cleanly');
  started.push(obeySignals({ stop: end(false), leave: end(true), refresh: () => refresh(), failed }));

  const store = await openStore({ dir: config.data, log });
  started.push(() => store.close());
  await store.jobs.recover();
  await store.edits.recover();
  const guideStore = await openGuideStore({ dir: config.data, log });
  started.push(() => guideStore.close());
  await guideStore.recover();

  const relay = createRelay({ ...relayOptions(config, store), log });
  started.push(() => (pump.leave ? relay.leave() : relay.stop()));
  await relay.start();
  // Whoever watched before this start goes on watching if the rest of it fails.
  pump.leave = (await relay.viewers()).length > 0;

  const playlists = createPlaylists({ store, log, sources: givenSources(config) });
  started.push(() => playlists.stop());
  await playlists.start();
  const lists = createPublishedLists({ store });
  started.push(() => lists.close());
  const guides = createGuides({ ...guideOptions(config), store, guideStore, log, match: createMatcher(store) });
  started.push(() => guides.stop());
  const guideFiles = createGuideFiles({ store, guide: guideStore, publicUrl: config.public_url, log });
  started.push(() => guideFiles.close());
  const parts = { store, guideStore, relay, playlists, lists, guides, guideFiles, log };
  started.push(connect(parts));
  await guides.start();
  refresh = () => {
    void playlists.refreshAll();
    void guides.refreshAll();
  };
  await serve(config, parts, adminKey, started);
  return end(false);
}

type Parts = {
  readonly store: Store;
  readonly guideStore: GuideStore;
  readonly relay: Relay;
  readonly playlists: Playlists;
  readonly lists: PublishedLists;
  readonly guides: Guides;
  readonly guideFiles: GuideFiles;
  readonly log: Log;
};

/** Tells each part what happens in the others that it has to know. Returns what ends that. */
function connect({ store, playlists, lists, guides, guideFiles }: Parts): () => void {
  const ends = [
    playlists.on(({ type }) => {
      if (type !== 'catalogue') return;
      lists.renew();
      guideFiles.renew();
      guides.listsChanged();
    }),
    guides.on(({ type }) => {
      if (type !== 'guide') return;
      lists.renew();
      guideFiles.renew();
    }),
    store.edits.on(() => guides.linksChanged()),
    store.guideHouse.on(() => guides.linksChanged()),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** What players and people ask. */
async function serve(config: Config, parts: Parts, adminKey: string | null, started: UndoStack): Promise<void> {
  const { store, playlists, guides, log, ...others } = parts;
  const logos = createLogos({ ...logoOptions(config), store: store.logos, log });
  started.push(() => logos.stop());
  await logos.start();
  const guideReads = createGuideReads({ house: store.guideHouse, guide: others.guideStore, now });
  const events = eventsOf(store, playlists, guides);
  const reads = { ...store, ...others, rtspHosts: rtspHostsOf(config, store), guideReads, events };
  const api = createApi({ ...apiOptions(config), ...reads, playlists, guides, logos, adminKey, log });
  started.push(() => api.stop());
  for (const url of await api.start()) {
    log.info({ url }, 'listening');
    log.info({ url: `${config.public_url ?? url}/playlist.m3u` }, 'playlist');
    log.info({ url: `${config.public_url ?? url}/epg.xml.gz` }, 'guide');
  }
}

function relayOptions(config: Config, { catchups }: Store) {
  const { data, interface: name, viewers, viewer_tcp: viewerTcp, streams } = config;
  const { user_agent: userAgent, transport, nat, ports } = config.rtsp;
  const planAgain = createPlanAgain({ catchups, household: householdClock(config) });
  const rtsp = { userAgent, transport, nat, ports, ownPorts: ownPorts(config), planAgain };
  return { dir: data, interface: name, viewers, viewerTcp, streams, rtsp };
}

function ownPorts({ listen }: Config): number[] {
  return listen.map(({ port }) => port);
}

function logoOptions(config: Config) {
  return { dir: config.data, ownPorts: ownPorts(config) };
}

function givenSources({ playlists }: Config): GivenSource[] {
  return playlists.map(
    ({
      user_agent: userAgent,
      time_zone: timeZone,
      include_vod: includeVod,
      publish_direct: publishDirect,
      catchup,
      ...source
    }) => {
      const setting = catchup === null ? null : settingOfConfig(catchup);
      return { ...source, userAgent, timeZone, includeVod, publishDirect, catchup: setting };
    },
  );
}

function settingOfConfig({
  template: source,
  near_live: nearLive,
  ...setting
}: NonNullable<Config['playlists'][number]['catchup']>): CatchupSetting {
  return { ...setting, source, nearLive };
}

function guideOptions(config: Config) {
  const { guides, guide_from_lists: fromLists } = config;
  const given = guides.map(
    ({ user_agent: userAgent, time_zone: timeZone, ...guide }): GivenGuide => ({ ...guide, userAgent, timeZone }),
  );
  return { guides: given, fromLists, ownPorts: ownPorts(config) };
}

function apiOptions(config: Config) {
  const {
    listen,
    hosts,
    proxies,
    public_url: publicUrl,
    cgnat_is_private: cgnatIsPrivate,
    list_folder: listFolder,
    inner_upstreams: innerUpstreams,
  } = config;
  const { NODE_ENV } = process.env;
  const clock = householdClock(config);
  const given = { listen, hosts, proxies, publicUrl, cgnatIsPrivate, listFolder, innerUpstreams, clock };
  return { ...given, development: NODE_ENV === 'development' };
}

function householdClock({ time_zone: zone }: Config): ZoneClock {
  return namedClock(zone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** The servers of RTSP that may be asked directly: those that lists name, and those that are configured. */
function rtspHostsOf({ rtsp }: Config, { rtspHosts }: Store): RtspHosts {
  const given = new Set(rtsp.hosts.map(({ address, port }) => `${address} ${port}`));
  return {
    has: async (host, port) => given.has(`${host.toLowerCase()} ${port}`) || (await rtspHosts.has(host, port)),
  };
}

/** What happens to the catalogue and the guide, by lists, guides and people. */
function eventsOf({ edits, sources, guideHouse }: Store, playlists: Playlists, guides: Guides) {
  return {
    on(listener: (event: CatalogueEvent) => void): () => void {
      const changed = (change: Change) => listener({ type: 'change', change });
      const told = [edits, sources, guideHouse].map((part) => part.on(changed));
      const ends = [playlists.on(listener), guides.on(listener), ...told];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}

function lock(data: string): void {
  if (lockFile(lockPath(data), `${process.pid}\n`)) return;
  throw new WeirError('conflict', `Another weir uses ${data}. Stop that one, or choose another directory with --data.`);
}

/** It may come up later; until then the relay refuses what is to be received there, and says why. */
function warnOfMissingInterfaces({ interface: common, playlists }: Config, log: Log): void {
  const named = [common, ...playlists.map(({ interface: own }) => own)];
  for (const name of new Set(named.flatMap((names) => names?.split(',') ?? []))) {
    if (existsSync(`/sys/class/net/${name}`)) continue;
    log.warn({ interface: name }, 'there is no such network interface: multicast is not received until it is there');
  }
}

/** The pump leaves viewers to the kernel's own then. */
function warnOfMissingCongestion(name: string | null, log: Log): void {
  const problem = name === null ? null : congestionProblem(name);
  if (problem !== null) log.warn({ congestion: name }, `viewers do not get this congestion control. ${problem}`);
}
