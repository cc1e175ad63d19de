import type { ProfileId } from '../../model/channel.js';
import type { Profile } from './profile.js';
import { aptv } from './profiles/aptv.js';
import { generic } from './profiles/generic.js';
import { jellyfin } from './profiles/jellyfin.js';
import { kodi } from './profiles/kodi.js';
import { ott } from './profiles/ott.js';
import { tivimate } from './profiles/tivimate.js';
import { tvbox } from './profiles/tvbox.js';
import { vlc } from './profiles/vlc.js';

export const profiles: Readonly<Record<ProfileId, Profile>> = {
  generic,
  kodi,
  tivimate,
  ott,
  aptv,
  tvbox,
  jellyfin,
  vlc,
};
