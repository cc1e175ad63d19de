import type { Log } from '../lib/log.js';
import type { AccessToken, ApiKey } from '../model/access.js';
import type { Channel } from '../model/channel.js';
import type { SourceStatus } from '../model/source.js';
import type { Relay } from '../relay/contract.js';

/** The published channels. */
export interface Channels {
  list(): Promise<Channel[]>;
  byKey(key: string): Promise<Channel | null>;
  byId(id: number): Promise<Channel | null>;
  /** Another number whenever the list may have changed. */
  generation(): Promise<number>;
}

/** Keys and tokens by their secrets; null when unknown or revoked. */
export interface Access {
  findKey(secret: string): Promise<ApiKey | null>;
  findToken(secret: string): Promise<AccessToken | null>;
}

export type ApiOptions = {
  readonly relay: Relay;
  readonly channels: Channels;
  readonly sources: { list(): Promise<SourceStatus[]> };
  readonly access: Access;
  /** Channels as M3U; `base` stands in front of `/stream/{key}`, without a slash at its end. */
  readonly writePlaylist: (channels: readonly Channel[], options: { base: string }) => string;
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
};
