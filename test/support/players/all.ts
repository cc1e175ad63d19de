import { aptv } from './aptv.js';
import { kodi, widened } from './kodi.js';
import { ott } from './ott.js';
import type { Device, Picked, Player } from './player.js';
import { shift } from './shift.js';
import { tivimate } from './tivimate.js';
import { tvbox } from './tvbox.js';

export type Case = {
  readonly title: string;
  readonly profile: string;
  readonly player: Player;
  /** Minutes that the device's clock is ahead of UTC. */
  readonly zone: number;
  /** What the player means by what its user picks. An open end is null. */
  readonly means: (
    picked: Picked,
    device: Pick<Device, 'now'>,
  ) => { readonly start: number; readonly end: number | null };
};

const picked = ({ start, end }: Picked) => ({ start, end });
const fromStart = ({ start }: Picked) => ({ start, end: null });
const shanghai = 480;

/** A player for each profile of lists, on devices all over the world. The household's zone is Shanghai's. */
export const players: readonly Case[] = [
  ...['generic', 'jellyfin', 'vlc'].map((profile) => {
    return { title: `a player of ${profile}`, profile, player: shift, zone: 0, means: fromStart };
  }),
  { title: 'Kodi', profile: 'kodi', player: kodi, zone: 0, means: widened },
  { title: 'Kodi in Kathmandu', profile: 'kodi', player: kodi, zone: 345, means: widened },
  { title: 'OTT Navigator', profile: 'ott', player: ott, zone: -180, means: picked },
  { title: 'TiviMate', profile: 'tivimate', player: tivimate, zone: shanghai, means: picked },
  { title: 'APTV', profile: 'aptv', player: aptv, zone: -180, means: picked },
  { title: 'TVBox on the household’s clock', profile: 'tvbox', player: tvbox(), zone: shanghai, means: picked },
  { title: 'TVBox that says UTC+8', profile: 'tvbox', player: tvbox(' TZ/UTC+8'), zone: 480, means: picked },
  { title: 'TVBox that says UTC-3', profile: 'tvbox', player: tvbox(' TZ/UTC-3'), zone: -180, means: picked },
  { title: 'TVBox that says UTC+5:45', profile: 'tvbox', player: tvbox(' TZ/UTC+5:45'), zone: 345, means: picked },
];
