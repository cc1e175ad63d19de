/** What keeps a server from being played at all, by the name that tests call it by. */
export const faults = {
  mute: 'takes connections and answers nothing',
  'garbage-sdp': 'describes in no words of SDP',
  elementary: 'has H.264 without MPEG-TS',
  redirects: 'leads on without end',
  'no-transport': 'refuses all transports',
  'no-media': 'answers PLAY and sends nothing',
  cut: 'cuts the connection in mid-frame',
  'other-channel': 'sends on channels that were not set up',
  'long-header': 'has a header of 64 KB',
  busy: 'has no session left',
  unknown: 'knows no such address',
} as const;
export type Fault = keyof typeof faults;
