import type { Log } from '../lib/log.js';
import type { ZoneClock } from '../lib/zone-clock.js';
import type { AccessToken, ApiKey, Scope } from '../model/access.js';
import type { ChannelCatchup } from '../model/archive.js';
import type { Channel, ProfileId } from '../model/channel.js';
import type { Logo } from '../model/logo.js';
import type { Relay } from '../relay/contract.js';
import type {
  CatalogueReads,
  EditReads,
  Edits,
  Entries,
  Events,
  Jobs,
  Playlists,
  Refreshes,
  SourceStore,
} from './catalogue.js';
import type { GuideHouse, GuideReads, GuideStore, Guides } from './guide.js';

/** The published channels. */
export interface Channels {
  list(): Promise<Channel[]>;
  byKey(key: string): Promise<Channel | null>;
  byId(id: number): Promise<Channel | null>;
  /** Another number whenever the list may have changed. */
  generation(): Promise<number>;
}

/** How the past of channels is asked for; null where there is none. */
export interface Catchups {
  of(channel: number): Promise<ChannelCatchup | null>;
}

/** The servers of RTSP that may be asked directly; `host` is an IPv6 address without brackets. */
export interface RtspHosts {
  has(host: string, port: number): Promise<boolean>;
}

/** Keys and tokens by their secrets; null when unknown or revoked. */
export interface Access {
  findKey(secret: string): Promise<ApiKey | null>;
  findToken(secret: string): Promise<AccessToken | null>;
}

/** Keys and tokens as they are managed. A secret is told once; revoking is false when there is no valid one of that id. */
export interface AccessAdmin {
  createKey(name: string, scope: Scope): Promise<{ readonly key: ApiKey; readonly secret: string }>;
  listKeys(): Promise<ApiKey[]>;
  revokeKey(id: number): Promise<boolean>;
  createToken(name: string): Promise<{ readonly token: AccessToken; readonly secret: string }>;
  listTokens(): Promise<AccessToken[]>;
  revokeToken(id: number): Promise<boolean>;
}

/** Lists for players, ready to be sent. */
export interface PublishedLists {
  /** `base` stands in front of `/stream/{key}`, without a slash at its end. @throws WeirError `not-found` for an unknown line-up. */
  get(request: {
    readonly format: 'm3u' | 'txt';
    readonly profile: ProfileId;
    readonly lineup: string | null;
    readonly base: string;
  }): Promise<{ readonly path: string; readonly bytes: number; readonly etag: string }>;
}

/** Guides for players, ready to be sent. */
export interface GuideFiles {
  /**
   * `days` behind and `past` before today; null is all, and of each channel the days of its archive.
   * @throws WeirError `not-found` for an unknown line-up.
   */
  get(request: {
    readonly lineup: string | null;
    readonly days: number | null;
    readonly past: number | null;
    readonly profile: ProfileId;
    readonly gzip: boolean;
  }): Promise<{ readonly path: string; readonly bytes: number; readonly etag: string }>;
}

/** Pictures by their address, fetched once. */
export interface Logos {
  /** @throws WeirError `not-found` with the reason. */
  get(url: string): Promise<Logo>;
}

export type ApiOptions = {
  readonly relay: Relay;
  readonly channels: Channels;
  readonly catchups: Catchups;
  readonly rtspHosts: RtspHosts;
  readonly logos: Logos;
  readonly sources: SourceStore;
  readonly refreshes: Refreshes;
  readonly catalogue: CatalogueReads;
  readonly entries: Entries;
  readonly playlists: Playlists;
  readonly edits: Edits;
  readonly editReads: EditReads;
  readonly jobs: Jobs;
  readonly events: Events;
  readonly guideHouse: GuideHouse;
  readonly guideStore: GuideStore;
  readonly guideReads: GuideReads;
  readonly guides: Guides;
  readonly access: Access & AccessAdmin;
  readonly lists: PublishedLists;
  readonly guideFiles: GuideFiles;
  readonly log: Log;
  /** A key with every right that is in no store, or null. */
  readonly adminKey: string | null;
  /** What stands in front of the paths in lists, or null for the address that each request was sent to. */
  readonly publicUrl: string | null;
  /** Names in Host that are ours beside those that always are. */
  readonly hosts: readonly string[];
  /** Addresses and networks whose forwarded headers are believed. */
  readonly proxies: readonly string[];
  readonly cgnatIsPrivate: boolean;
  /** The household's: of times that name no zone. */
  readonly clock: ZoneClock;
  /** Whether upstreams may be addresses of this machine and its links. */
  readonly innerUpstreams: boolean;
  /** The folder that lists added through the API may be read from, or null: then none may be a file. */
  readonly listFolder: string | null;
  /** Whether `/api/v1/docs` shows the OpenAPI document as a page. */
  readonly development: boolean;
};
